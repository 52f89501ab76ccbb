import type { Clock, Timers } from '#kit';
import type { Circuit, RedisLink } from '#redis';
import type { Telemetry } from '#telemetry';

/** What every part of the warm tier works with. */
export type WarmTools = Readonly<{
  clock: Clock & Timers;
  telemetry: Telemetry;
  circuit: Circuit;
  /** Buyers wait for this connection. */
  claims: RedisLink;
  /** Nobody waits for this one but readers. */
  cache: RedisLink;
}>;
