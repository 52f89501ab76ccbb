/**
 * Redis beside the holds: the same load on a node without it, with it, and with one that dies in
 * the middle; answers at half of the most that a node can do, with thousands of open connections;
 * and how a node refuses what another has sold. It knows nodes as processes with an address. Only
 * `run` calls it.
 */
export { redisSuite } from './redis-suite.ts';
