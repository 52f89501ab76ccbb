import type { EventIds, Happening } from '@voelgoed/engine/telemetry';

type Kind = Happening['kind'];

/** Kinds whose type does not promise an organization and an event. */
type Unpromised = {
  [One in Kind]: Extract<Happening, { kind: One }> extends { ids: EventIds | (() => EventIds) }
    ? never
    : One;
}[Kind];

/** Lines of level warn and above that name no event, or not always, and why. */
export const WITHOUT_EVENT: Partial<Record<Unpromised, string>> = {
  'postgres.pool_full': 'a pool serves all organizations',
  'postgres.connection_lost': 'a connection serves all organizations',
  'postgres.writable': 'the database accepts writes for all organizations or for none',
  'clock.stepped': 'the clock of the database is the same for all events',
  'cache.corrupt': 'a layout is of an organization, and of any number of its events',
  'feed.failed': 'null when the log of all events was looked at; else it names one',
  'job.failed': 'null when the work is for the whole node; else it names what it was about',
  'bug.uncaught': 'an exception without a caller: it names the request that it began in',
  'redis.connection_lost': 'a connection serves all organizations',
  'redis.breaker': 'Redis is believed for all organizations or for none',
  'redis.probe_failed': 'Redis is believed for all organizations or for none',
  'webhook.disabled': 'an endpoint is of an organization, and hears of any number of its events',
};
