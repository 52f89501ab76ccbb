import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedis } from '@voelgoed/server/embedded';
import { redisServer } from '@voelgoed/testkit/services';
import { Child } from '#children';
import { NODE_PROGRAM } from '#holds';
import { LoadProcess } from '#load';
import type { Stage } from '#stage';

type Node = Readonly<{ address: string; pid: number }>;

/** Everybody who takes part, each in a process of its own. */
export type Cast = Readonly<{
  nodes: Readonly<{ off: Node; on: Node; dying: Node; other: Node }>;
  /** The one that dies belongs to one node alone. */
  redis: Readonly<{ kill(): void }>;
  load: LoadProcess;
  stop(): Promise<void>;
}>;

export async function startCast({ services }: Stage): Promise<Cast> {
  const folder = await mkdtemp(join(tmpdir(), 'voelgoed-bench-redis-'));
  await chmod(folder, 0o755);
  const command = await redisServer();
  const open = async (name: string) => {
    const home = await mkdtemp(join(folder, `${name}-`));
    await chmod(home, 0o755);
    return startRedis({ command, dataFolder: home, log: () => {}, onGone: console.error });
  };
  const [well, mortal] = [await open('well'), await open('mortal')];
  const children: Child[] = [];
  const start = async (redisUrl: string | null): Promise<Node> => {
    const child = new Child(NODE_PROGRAM);
    children.push(child);
    return { address: await child.ask<string>({ ...services, redisUrl }), pid: child.pid };
  };
  const load = new LoadProcess();
  const stop = async () => {
    await Promise.all([...children.map((child) => child.stop()), load.stop()]);
    await Promise.all([well.stop(), mortal.stop()]);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const [off, on, dying, other] = await Promise.all([
      start(null),
      start(well.url),
      start(mortal.url),
      start(well.url),
    ]);
    const kill = () => process.kill(mortal.pid(), 'SIGKILL');
    return { nodes: { off, on, dying, other }, redis: { kill }, load, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
