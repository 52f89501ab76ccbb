/**
 * Redis: connections that fail fast, the breaker that decides whether Redis is worth asking, the
 * names of all keys, scripts that are called by their hash, and buckets that nodes share. Redis may
 * vanish at any moment and must never hold anybody up. It knows the client library and how keys are
 * spelt; what they mean is the warm tier's, which is its main caller.
 */
export type { BreakerState } from './breaker.ts';
export { Circuit, isAboutData } from './circuit.ts';
export {
  REDIS_WAYS,
  RedisConnection,
  type RedisLink,
  type RedisWays,
} from './connection.ts';
export { inspectRedis, type RedisReport } from './inspect.ts';
export {
  CHANGES_PATTERN,
  type EventKeys,
  eventKeys,
  eventOfChannel,
  organizationKeys,
} from './keys.ts';
export { readScript, type Script } from './script.ts';
export { type BucketName, SharedBuckets } from './shared-buckets.ts';
