import { readConfig } from '@voelgoed/server/config';
import { NO_METRICS } from '@voelgoed/server/metrics';
import { type RunningNode, startNode } from '@voelgoed/server/processes';
import { obey } from '#children';

export type NodeServices = Readonly<{
  ownerUrl: string;
  authSecret: string;
  redisUrl: string | null;
  /** False: nobody counts, to see what counting costs. */
  counted?: boolean;
}>;

let node: RunningNode | null = null;

/** As in production, with its log: one node, no demo. */
obey<NodeServices>(
  async ({ counted = true, ...services }) => {
    const result = readConfig({
      NODE_ENV: 'production',
      PORT: '0',
      DEMO: '0',
      // A Redis that has died is asked again before the next turn.
      REDIS_PROBE_SECONDS: '1',
    });
    if (result.kind === 'problems') throw new Error(result.problems.join('\n'));
    const metrics = counted ? {} : { metrics: NO_METRICS };
    node = await startNode({ config: result.config, ...services, ...metrics });
    return node.address;
  },
  async () => node?.stop(),
);
