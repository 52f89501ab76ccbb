import type { Bench } from '#contest';
import { LoadProcess } from '#load';
import { type OwnNode, startOwnNode } from '#node';
import { openRedis } from '#stage';

/** Everybody who takes part, each in a process of its own. */
export type Cast = Readonly<{
  nodes: Readonly<Record<'off' | 'on' | 'dying' | 'other', OwnNode>>;
  /** The one that dies belongs to one node alone. */
  redis: Readonly<{ kill(): void }>;
  load: LoadProcess;
  stop(): Promise<void>;
}>;

export async function startCast({ stage, profile }: Bench): Promise<Cast> {
  const [well, mortal] = [await openRedis(), await openRedis()];
  const nodes: OwnNode[] = [];
  const start = async (name: string, redisUrl: string | null) => {
    const node = await startOwnNode(stage, { name: `redis ${name}`, profile, redisUrl });
    nodes.push(node);
    return node;
  };
  const load = new LoadProcess();
  const stop = async () => {
    await Promise.all([...nodes.map((node) => node.stop()), load.stop()]);
    await Promise.all([well.stop(), mortal.stop()]);
  };
  try {
    const [off, on, dying, other] = await Promise.all([
      start('off', null),
      start('on', well.url),
      start('dying', mortal.url),
      start('other', well.url),
    ]);
    return { nodes: { off, on, dying, other }, redis: mortal, load, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
