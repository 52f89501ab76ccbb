import { readConfig } from '@voelgoed/server/config';
import { NO_METRICS } from '@voelgoed/server/metrics';
import { type RunningNode, startNode } from '@voelgoed/server/processes';
import { obey } from '#children';
import { PulseMeter } from './pulse.ts';

export type NodeStart = Readonly<{
  kind: 'start';
  ownerUrl: string;
  authSecret: string;
  redisUrl: string | null;
  /** False: nobody counts, to see what counting costs. */
  counted: boolean;
  /** Exchanges with Postgres are counted, too, which production does not do. */
  roundTrips: boolean;
  paymentSecret: string;
}>;

export type NodeMessage = NodeStart | Readonly<{ kind: 'memory' }> | Readonly<{ kind: 'pulse' }>;

let node: RunningNode | null = null;
const meter = new PulseMeter();

/** As in production, with its log: one node, no demo, and everybody comes from one address. */
obey<NodeMessage>(
  async (message) => {
    if (message.kind === 'memory') return meter.memory();
    if (message.kind === 'pulse') return meter.beat();
    const { ownerUrl, authSecret, redisUrl, counted, roundTrips, paymentSecret } = message;
    const result = readConfig({
      NODE_ENV: 'production',
      PORT: '0',
      DEMO: '0',
      // A Redis that has died is asked again before the next turn.
      REDIS_PROBE_SECONDS: '1',
      STREAMS_PER_ADDRESS: '100000',
      CHECKOUT_INTERVAL_SECONDS: '0',
      PAYMENT_WEBHOOK_SECRET: paymentSecret,
    });
    if (result.kind === 'problems') throw new Error(result.problems.join('\n'));
    if (roundTrips) meter.countRoundTrips();
    const metrics = counted ? {} : { metrics: NO_METRICS };
    const services = { ownerUrl, authSecret, redisUrl };
    node = await startNode({ config: result.config, ...services, ...metrics });
    return node.address;
  },
  async () => node?.stop(),
);
