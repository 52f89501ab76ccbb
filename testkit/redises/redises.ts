/**
 * Redises: real Redis servers that a test may kill, stop, flush and fill, alone or as a cluster of
 * three masters on free ports. It knows processes and the few commands that make a cluster; what is
 * in them is the tests'.
 */
export { type RedisCluster, startCluster, useCluster } from './cluster.ts';
export { monitor } from './monitor.ts';
export { freePort, type RedisServer, startRedisServer, useRedis } from './server.ts';
