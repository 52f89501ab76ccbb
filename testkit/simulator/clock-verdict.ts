import { START_MS } from '#stores';
import { CLOCK_STEPS } from './schedule.ts';
import type { World } from './world.ts';

/** Milliseconds are whole in the log. */
const AHEAD_MS = 2;
/** A flush is decided before it commits, and each step may cost as long as two questions take. */
const BEHIND_MS = 4_000;

/**
 * Event time passes as time does, whatever the database's clock is set to. Ahead of it, holds would
 * end early; behind it, they would live for as long as the clock was set back.
 */
export function clockProblems({ database, schedule }: World): string[] {
  if (!schedule.faults.some(({ kind }) => kind === CLOCK_STEPS)) return [];
  return database.commits.flatMap(({ revision, at_ms, row_ms }) => {
    const ahead_ms = row_ms - START_MS - at_ms;
    if (ahead_ms > AHEAD_MS) return [`event time is ${ahead_ms} ms ahead at ${revision}`];
    if (ahead_ms < -BEHIND_MS) return [`event time is ${-ahead_ms} ms behind at ${revision}`];
    return [];
  });
}
