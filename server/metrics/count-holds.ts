import { type Counting, MINUTES, nothing, type Series } from './series.ts';

type Kinds = Making | Ending | Seating;

/** Counts what happens to holds. */
export function countHolds(series: Series, withRedis: boolean): Counting<Kinds> {
  return { ...countMaking(series, withRedis), ...countEnding(series), ...countSeating(series) };
}

type Making =
  | 'hold.attempt'
  | 'hold.success'
  | 'hold.conflict'
  | 'hold.error'
  | 'hold.refused_fast'
  | 'hold.redis_success'
  | 'hold.redis_fallback';

function countMaking(series: Series, withRedis: boolean): Counting<Making> {
  const attempts = series.counter('hold_attempt_total', 'Wishes to hold something');
  const successes = series.counter('hold_success_total', 'Wishes that were fulfilled');
  const methods = series.counter(
    'hold_method_total',
    'Wishes to hold something, with Redis or by Postgres alone',
    ['method'],
  );
  const seats = series.counter('hold_seats_total', 'Seats and places that were held');
  const times = series.histogram('hold_seconds', 'Time until a hold was made, as the buyer waits');
  const conflicts = series.counter('hold_conflict_total', 'Wishes that were refused', ['code']);
  const errors = series.counter(
    'hold_error_total',
    'Wishes that were neither fulfilled nor refused',
    ['reason'],
  );
  const fast = series.counter('hold_refused_fast_total', 'Holds refused from memory', ['code']);
  const redis = withRedis
    ? {
        asked: series.counter('hold_redis_success_total', 'Holds that Redis was asked about'),
        fallbacks: series.counter('hold_redis_fallback_total', 'Holds that went on without Redis'),
      }
    : null;
  return {
    'hold.attempt': ({ method }) => {
      attempts.inc();
      methods.inc({ method });
    },
    'hold.success': (happening) => {
      successes.inc();
      seats.inc({}, happening.seats);
      times.observe(happening.duration_ms / 1_000);
    },
    'hold.conflict': ({ code }) => conflicts.inc({ code }),
    'hold.error': ({ reason }) => errors.inc({ reason }),
    'hold.refused_fast': ({ code }) => fast.inc({ code }),
    'hold.redis_success': () => redis?.asked.inc(),
    'hold.redis_fallback': () => redis?.fallbacks.inc(),
  };
}

type Ending =
  | 'hold.extended'
  | 'hold.reduced'
  | 'hold.expired_before_checkout'
  | 'hold.extension_failed'
  | 'hold.expired'
  | 'hold.released'
  | 'hold.converted_to_ticket'
  | 'release.failed'
  | 'release.repeated';

function countEnding(series: Series): Counting<Ending> {
  const extended = series.counter('hold_extended_total', 'Holds that were made longer');
  const extensions = series.counter(
    'hold_extension_total',
    'Commands that have made holds longer, those at the start of a checkout too',
  );
  const reduced = series.counter(
    'hold_reduced_places_total',
    'Places that were given back while their hold went on',
  );
  const tooLate = series.counter(
    'hold_expired_before_checkout_total',
    'Buyers who came to the checkout, or to extend, when their hold was over',
  );
  const unextended = series.counter(
    'hold_extension_failed_total',
    'Extensions that a machine or a bug prevented, those at the start of a checkout too',
  );
  const expired = series.counter('hold_expired_total', 'Holds whose time was over');
  const ended = series.counter('hold_ended_total', 'Holds that have ended without a ticket', [
    'reason',
  ]);
  const converted = series.counter('hold_converted_total', 'Holds that have become tickets');
  const lags = series.histogram(
    'hold_expiry_lag_seconds',
    'How long after its time a hold was seen to be over, each hold once',
  );
  const lasted = series.histogram(
    'hold_lasted_seconds',
    'How long each hold lasted, by how it ended',
    ['reason'],
    MINUTES,
  );
  const failed = series.counter('release_failed_total', 'Releases that failed, by scenario', [
    'reason',
    'code',
  ]);
  const repeated = series.counter(
    'release_repeated_total',
    'Holds that were given back when they had ended already',
  );
  return {
    'hold.extended': ({ holds }) => {
      extensions.inc();
      extended.inc({}, holds);
    },
    'hold.reduced': ({ places }) => reduced.inc({}, places),
    'hold.expired_before_checkout': () => tooLate.inc(),
    'hold.extension_failed': () => unextended.inc(),
    'hold.expired': ({ reason, holds, held_ms, late_ms }) => {
      expired.inc({}, holds);
      ended.inc({ reason }, holds);
      for (const one of late_ms) lags.observe(one / 1_000);
      for (const one of held_ms) lasted.observe(one / 1_000, { reason });
    },
    'hold.released': ({ reason, holds, held_ms }) => {
      ended.inc({ reason }, holds);
      for (const one of held_ms) lasted.observe(one / 1_000, { reason });
    },
    'hold.converted_to_ticket': ({ holds, held_ms }) => {
      converted.inc({}, holds);
      for (const one of held_ms) lasted.observe(one / 1_000, { reason: 'converted' });
    },
    'release.failed': ({ reason, code }) => failed.inc({ reason, code }),
    'release.repeated': ({ holds }) => repeated.inc({}, holds),
  };
}

type Seating = 'orphans.left' | 'accessible.held' | 'companions.changed' | 'zone.access';

function countSeating(series: Series): Counting<Seating> {
  const orphans = series.counter('orphans_left_total', 'Single seats that choices have left over', [
    'reason',
  ]);
  const spaces = series.counter('wheelchair_spaces_held_total', 'Wheelchair spaces that were held');
  const access = series.counter(
    'zone_access_total',
    'Wishes for zones that are not for everybody',
    ['granted'],
  );
  return {
    'orphans.left': ({ reason, ...happening }) => orphans.inc({ reason }, happening.orphans),
    'accessible.held': (happening) => spaces.inc({}, happening.spaces),
    'companions.changed': nothing,
    'zone.access': ({ granted }) => access.inc({ granted: String(granted) }),
  };
}
