import { type Counting, nothing, type Series } from './series.ts';

type Kinds =
  | 'board.loaded'
  | 'board.other_lineage'
  | 'clock.stepped'
  | 'board.evicted'
  | 'board.renewed'
  | 'flush.done'
  | 'flush.settled'
  | 'flush.trouble'
  | 'flush.guard'
  | 'writer.stopped'
  | 'command.broken'
  | 'rule.broken'
  | 'seats.changed'
  | 'cache.lookup'
  | 'cache.corrupt'
  | 'layout.loaded'
  | 'layout.version_changed';

/** A flush takes 256, or half of a longer queue up to 1,024. */
const WISHES = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024];

/** Counts what happens to boards and in writers. */
export function countBoards(series: Series, withRedis: boolean): Counting<Kinds> {
  return {
    ...countFlushes(series),
    ...countCaches(series, withRedis),
    ...countTrouble(series),
  };
}

function countFlushes(series: Series): Counting<'flush.done' | 'flush.settled' | 'seats.changed'> {
  const flushes = series.histogram(
    'flush_seconds',
    'Time of a flush from asking for the lock to its end',
    ['outcome'],
  );
  const sizes = series.histogram('flush_wishes', 'Wishes decided in one flush', [], WISHES);
  const locks = series.histogram(
    'flush_lock_seconds',
    'Time until a flush had the lock of its event and had read what it missed',
  );
  const waits = series.histogram(
    'queue_wait_seconds',
    'How long the first wish of a flush had waited in the queue',
  );
  const settled = series.counter(
    'flush_settled_total',
    'Commits whose answer was lost and that were looked up afterwards',
    ['committed'],
  );
  const changed = series.counter('seat_changes_total', 'Changes of seats and places, by what', [
    'before',
    'after',
  ]);
  return {
    'flush.done': ({ outcome, wishes, duration_ms, lock_ms, waited_ms }) => {
      flushes.observe(duration_ms / 1_000, { outcome });
      sizes.observe(wishes);
      locks.observe(lock_ms / 1_000);
      if (wishes > 0) waits.observe(waited_ms / 1_000);
    },
    'flush.settled': ({ committed }) => settled.inc({ committed: String(committed) }),
    'seats.changed': ({ before, after }) => changed.inc({ before, after }),
  };
}

function countCaches(
  series: Series,
  withRedis: boolean,
): Counting<
  | 'board.loaded'
  | 'board.evicted'
  | 'cache.lookup'
  | 'cache.corrupt'
  | 'layout.loaded'
  | 'layout.version_changed'
> {
  const loads = series.histogram('board_load_seconds', 'Time to load a board');
  const evicted = series.counter('board_evicted_total', 'Boards that had to leave memory');
  const lookups = series.counter(
    'cache_lookup_total',
    'Which tier was asked for what, and whether it had it: the hit rate of each tier',
    ['what', 'source', 'hit'],
  );
  const times = series.histogram(
    'cache_lookup_seconds',
    'Time until the tier that was asked had answered',
    ['source'],
  );
  const reads = withRedis
    ? series.counter('warm_read_total', 'Reads of nodes without the board', ['what', 'hit'])
    : null;
  const corrupt = series.counter(
    'cache_corrupt_total',
    'Entries of a cache that were not what was written to it, and were not used',
    ['what'],
  );
  const layouts = series.histogram('layout_load_seconds', 'Time until a layout was there');
  return {
    'board.loaded': ({ duration_ms }) => loads.observe(duration_ms / 1_000),
    'board.evicted': () => evicted.inc(),
    'cache.lookup': ({ what, source, hit, duration_ms }) => {
      lookups.inc({ what, source, hit: String(hit) });
      times.observe(duration_ms / 1_000, { source });
      if (source === 'redis') reads?.inc({ what, hit: String(hit) });
    },
    'cache.corrupt': ({ what }) => corrupt.inc({ what }),
    'layout.loaded': ({ duration_ms }) => layouts.observe(duration_ms / 1_000),
    'layout.version_changed': nothing,
  };
}

function countTrouble(
  series: Series,
): Counting<
  | 'board.other_lineage'
  | 'board.renewed'
  | 'clock.stepped'
  | 'flush.trouble'
  | 'flush.guard'
  | 'writer.stopped'
  | 'command.broken'
  | 'rule.broken'
> {
  const trouble = series.counter('flush_trouble_total', 'Flushes that failed and why', ['trouble']);
  const guards = series.counter(
    'flush_guard_total',
    'Flushes that contradicted the database: each is a bug',
  );
  const stopped = series.counter(
    'writer_stopped_total',
    'Events that nobody could buy for for some seconds because their board was doubted',
  );
  const commands = series.counter('command_broken_total', 'Commands whose decision threw', [
    'command',
  ]);
  const rules = series.counter('rule_broken_total', 'Rules that failed and were left out', [
    'rule',
  ]);
  const lineages = series.counter(
    'board_other_lineage_total',
    'Boards that were discarded because the log had another history',
  );
  const renewed = series.counter(
    'board_renewed_total',
    'Boards that were not what the tables have when they were compared, and were loaded anew',
  );
  const steps = series.counter(
    'clock_steps_total',
    'Times that this node has found the clock of the database set, and set the drift',
  );
  return {
    'clock.stepped': () => steps.inc(),
    'board.other_lineage': () => lineages.inc(),
    'board.renewed': () => renewed.inc(),
    'flush.trouble': (happening) => trouble.inc({ trouble: happening.trouble }),
    'flush.guard': () => guards.inc(),
    'writer.stopped': () => stopped.inc(),
    'command.broken': ({ command }) => commands.inc({ command }),
    'rule.broken': ({ rule }) => rules.inc({ rule }),
  };
}
