import { readConfig } from '@voelgoed/server/config';
import { type RunningNode, startNode } from '@voelgoed/server/processes';
import { obey } from '#children';
import { keptBytes } from '#measure';

export type SseNodeMessage =
  | Readonly<{ kind: 'start'; ownerUrl: string; authSecret: string }>
  /** What it keeps, after everything else was collected. */
  | Readonly<{ kind: 'memory' }>;

export type Memory = Readonly<{ heap: number; rss: number }>;

let node: RunningNode | null = null;

/** As in production, but everybody may listen from one address. */
obey<SseNodeMessage>(
  async (message) => {
    if (message.kind === 'memory') {
      const heap = keptBytes();
      const { rss, external } = process.memoryUsage();
      return { heap: heap + external, rss } satisfies Memory;
    }
    const environment = { NODE_ENV: 'production', PORT: '0', DEMO: '0' };
    const result = readConfig({ ...environment, STREAMS_PER_ADDRESS: '100000' });
    if (result.kind === 'problems') throw new Error(result.problems.join('\n'));
    const { ownerUrl, authSecret } = message;
    node = await startNode({ config: result.config, ownerUrl, authSecret, redisUrl: null });
    return node.address;
  },
  async () => node?.stop(),
);
