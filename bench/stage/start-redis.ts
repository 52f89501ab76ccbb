import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedis } from '@voelgoed/server/embedded';
import { redisServer } from '@voelgoed/testkit/services';

export type OpenRedis = Readonly<{
  url: string;
  /** At once, as when the machine has gone; it is started again after a moment. */
  kill(): void;
  stop(): Promise<void>;
}>;

/** A Redis of its own, as the product starts it. */
export async function openRedis(): Promise<OpenRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'voelgoed-bench-redis-'));
  await chmod(folder, 0o755);
  const command = await redisServer();
  const onGone = (error: Error) => console.error(error);
  const redis = await startRedis({ command, dataFolder: folder, log: () => {}, onGone });
  return {
    url: redis.url,
    kill: () => process.kill(redis.pid(), 'SIGKILL'),
    stop: async () => {
      await redis.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
