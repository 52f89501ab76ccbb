import { expect, it } from 'vitest';
import { eventually } from '#eventually';
import { playShort } from './play-short.ts';

/** Nodes, Redis and the network fail; at least one scenario of every kind. */
const { rig } = playShort([
  ...['node-kill', 'rolling-restart', 'node-stopped', 'node-paused', 'redis-loss'],
  ...['redis-corrupt', 'redis-partition', 'bad-network'],
]);

it('would notice: a node that ends without having been stopped', async () => {
  const [node] = rig()?.nodes ?? [];
  if (!node) throw new Error('the scenarios have left a rig');
  expect(node.takeExits()).toEqual([]);
  process.kill(node.pid, 'SIGABRT');
  await eventually(() => !node.isAlive);
  expect(node.takeExits()).toEqual([expect.stringContaining('SIGABRT: node 0 has ended')]);
});
