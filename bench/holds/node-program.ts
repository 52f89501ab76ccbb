import { readConfig } from '@voelgoed/server/config';
import { type RunningNode, startNode } from '@voelgoed/server/processes';
import { obey } from '#children';

export type NodeServices = Readonly<{
  ownerUrl: string;
  authSecret: string;
  redisUrl: string | null;
}>;

let node: RunningNode | null = null;

/** As in production, with its log: one node, no demo. */
obey<NodeServices>(
  async (services) => {
    const result = readConfig({
      NODE_ENV: 'production',
      PORT: '0',
      DEMO: '0',
      // A Redis that has died is asked again before the next turn.
      REDIS_PROBE_SECONDS: '1',
    });
    if (result.kind === 'problems') throw new Error(result.problems.join('\n'));
    node = await startNode({ config: result.config, ...services });
    return node.address;
  },
  async () => node?.stop(),
);
