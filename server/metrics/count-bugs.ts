import type { Counting, Series } from './series.ts';

/** Counts what must not be: second answers, which are dropped, and exceptions without a caller. */
export function countBugs(series: Series): Counting<'http.answer_dropped' | 'bug.uncaught'> {
  const dropped = series.counter(
    'http_answers_dropped_total',
    'Answers that came after their request had been answered, and where that was noticed',
    ['at'],
  );
  const bugs = series.counter(
    'bug_uncaught_total',
    'Exceptions and rejections that no code caught, and whether the node goes on',
    ['origin', 'node'],
  );
  // There from the start: a rate over a series that appears with its first case is 0.
  for (const origin of ['uncaughtException', 'unhandledRejection']) {
    for (const node of ['goes on', 'ends']) bugs.inc({ origin, node }, 0);
  }
  return {
    'http.answer_dropped': ({ at }) => dropped.inc({ at }),
    'bug.uncaught': ({ origin, node }) => bugs.inc({ origin, node }),
  };
}
