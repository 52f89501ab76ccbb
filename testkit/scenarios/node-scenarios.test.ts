import { playShort } from './play-short.ts';

/** Nodes, Redis, the network and the payment provider fail; at least one scenario of every kind. */
playShort([
  ...['node-kill', 'rolling-restart', 'node-stopped', 'redis-loss', 'redis-corrupt'],
  ...['redis-partition', 'bad-network', 'payment-messages'],
]);
