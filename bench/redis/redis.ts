/**
 * Redis beside the holds: the same load on a node without it, with it, and with one that dies in
 * the middle; answers at a thousand holds a second with thousands of open connections;
 * and how a node refuses what another has sold. It knows nodes as processes with an address. Only
 * `run` calls it.
 */
export { redisSuite } from './redis-suite.ts';
