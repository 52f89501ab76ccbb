import { readConfig } from '@voelgoed/server/config';
import { type RunningNode, startNode } from '@voelgoed/server/processes';
import { obey } from '#children';

export type NodeServices = Readonly<{ ownerUrl: string; authSecret: string }>;

let node: RunningNode | null = null;

/** As in production, with its log: one node, no Redis, no demo. */
obey<NodeServices>(
  async (services) => {
    const result = readConfig({ NODE_ENV: 'production', PORT: '0', REDIS_URL: '', DEMO: '0' });
    if (result.kind === 'problems') throw new Error(result.problems.join('\n'));
    node = await startNode({ config: result.config, ...services, redisUrl: null });
    return node.address;
  },
  async () => node?.stop(),
);
