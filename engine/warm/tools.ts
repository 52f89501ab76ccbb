import type { Clock, Timers } from '#kit';
import type { Circuit, RedisConnection } from '#redis';
import type { Telemetry } from '#telemetry';

/** What every part of the warm tier works with. */
export type WarmTools = Readonly<{
  clock: Clock & Timers;
  telemetry: Telemetry;
  circuit: Circuit;
  /** Buyers wait for this connection. */
  claims: RedisConnection;
  /** Nobody waits for this one but readers. */
  cache: RedisConnection;
}>;
