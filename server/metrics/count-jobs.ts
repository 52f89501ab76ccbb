import { type Counting, nothing, type Series } from './series.ts';

type Kinds = Streaming | Working;

/** Counts streams, what other nodes say, and background work. */
export function countJobs(series: Series): Counting<Kinds> {
  return { ...countStreams(series), ...countWork(series) };
}

type Streaming =
  | 'stream.sent'
  | 'stream.dropped'
  | 'stream.failed'
  | 'feed.followed'
  | 'feed.failed';

function countStreams(series: Series): Counting<Streaming> {
  const fanOuts = series.histogram(
    'stream_fanout_seconds',
    'Time to hand one frame to all clients of an event',
  );
  const lags = series.histogram(
    'stream_lag_seconds',
    'From hearing of a change to having handed it to all clients of an event',
  );
  const frames = series.counter('stream_frames_total', 'Frames that were handed to clients');
  const drops = series.counter(
    'stream_dropped_total',
    'Clients that read too slowly and were cut off',
  );
  const failures = series.counter('stream_failed_total', 'Frames that could not be made');
  const feed = series.histogram(
    'feed_lag_seconds',
    'From the commit of another node to the board of this one',
  );
  const unheard = series.counter('feed_failed_total', 'Looks at the log that failed');
  return {
    'stream.sent': ({ clients, duration_ms, lag_ms }) => {
      frames.inc({}, clients);
      fanOuts.observe(duration_ms / 1_000);
      if (lag_ms !== null && clients > 0) lags.observe(lag_ms / 1_000);
    },
    'stream.dropped': () => drops.inc(),
    'stream.failed': () => failures.inc(),
    'feed.followed': ({ lag_ms }) => feed.observe(lag_ms / 1_000),
    'feed.failed': () => unheard.inc(),
  };
}

type Working =
  | 'job.done'
  | 'job.failed'
  | 'reaper.run'
  | 'reaper.failed'
  | 'invariant.checked'
  | 'invariant.violated';

/** The label is not `job`: Prometheus gives that one to what it scrapes. */
function countWork(series: Series): Counting<Working> {
  const done = series.gauge(
    'job_last_success_timestamp_seconds',
    'When a job of this node last did its work',
    ['work'],
  );
  const times = series.histogram('job_seconds', 'Time that a job took', ['work']);
  const failed = series.counter('job_failed_total', 'Background work that failed', ['work']);
  const swept = series.gauge('reaper_last_run_timestamp_seconds', 'When the sweep ran last');
  const events = series.counter('reaper_events_total', 'Events the sweep found, and what came', [
    'outcome',
  ]);
  const holds = series.counter('reaper_holds_total', 'Holds that the reaper has ended');
  return {
    ...countInvariants(series),
    'job.done': ({ job, duration_ms }) => {
      done.setToCurrentTime({ work: job });
      times.observe(duration_ms / 1_000, { work: job });
    },
    'job.failed': ({ job }) => failed.inc({ work: job }),
    // Counted with the run that it was part of.
    'reaper.failed': nothing,
    'reaper.run': (happening) => {
      swept.setToCurrentTime();
      holds.inc({}, happening.holds);
      events.inc({ outcome: 'failed' }, happening.failed);
      events.inc({ outcome: 'done' }, happening.events - happening.failed);
    },
  };
}

function countInvariants(series: Series): Counting<'invariant.checked' | 'invariant.violated'> {
  const checked = series.counter(
    'invariant_checked_total',
    'Events that an invariant was looked at for',
    ['invariant'],
  );
  const last = series.gauge(
    'invariant_last_check_timestamp_seconds',
    'When an invariant was looked at last',
    ['invariant'],
  );
  const violated = series.counter(
    'invariant_violated_total',
    'Rows that contradict each other: each is a bug or a hand in the database',
    ['invariant'],
  );
  return {
    'invariant.checked': ({ invariant, events }) => {
      checked.inc({ invariant }, events);
      // There from the first look on: a rate over something that appears with its first case is 0.
      violated.inc({ invariant }, 0);
      last.setToCurrentTime({ invariant });
    },
    'invariant.violated': ({ invariant, found }) => violated.inc({ invariant }, found),
  };
}
