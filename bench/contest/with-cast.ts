import { LoadProcess } from '#load';
import type { Figure } from '#measure';
import { type NodeWishes, type OwnNode, startOwnNode } from '#node';
import { type Reference, startReference } from '#references';
import type { Bench } from './bench.ts';

export type Cast = Readonly<{ node: OwnNode; bare: Reference; load: LoadProcess }>;

/** A node, a server that does nothing, and the load; they end with the work. */
export async function withCast(
  { stage, profile }: Bench,
  wishes: NodeWishes,
  work: (cast: Cast) => Promise<Figure[]>,
): Promise<Figure[]> {
  const load = new LoadProcess();
  const started: { stop(): Promise<void> }[] = [load];
  try {
    const node = await startOwnNode(stage, { profile, ...wishes });
    started.push(node);
    const { writerUrl: url } = stage.address;
    const bare = await startReference({ kind: 'bare', url, secret: stage.services.authSecret });
    started.push(bare);
    return await work({ node, bare, load });
  } finally {
    await Promise.all(started.map((one) => one.stop()));
  }
}
