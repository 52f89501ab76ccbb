/**
 * Times as people at the venue say them. A form has `2026-11-16T19:30` without a zone; the server
 * wants the instant. The zone is the venue's, wherever the browser is.
 */

/** A night that ends before six belongs to the day before, at the door as well. */
const DAY_TURNS_AT_MS = 6 * 60 * 60 * 1_000;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** As many as an event can have without naming them. */
const MOST_DAYS = 366;

/**
 * The days that an event of these times can have: every one from its beginning to its end, and the
 * last morning where it was chosen. Times are those of a form. None without both of them, and
 * none where there are too many to be computed: those are named by the API.
 */
export function daysOfTimes(
  startsAt: string,
  endsAt: string,
  chosen: readonly string[] = [],
): readonly string[] {
  const [first, last] = [startsAt.slice(0, 10), endsAt.slice(0, 10)];
  const end_ms = Date.parse(`${endsAt}Z`) - DAY_TURNS_AT_MS;
  const start_ms = Date.parse(`${first}T12:00Z`);
  if (Number.isNaN(start_ms) || Number.isNaN(end_ms)) return [];
  const days = new Set([first, ...chosen.filter((day) => day >= first && day <= last)]);
  const until = new Date(end_ms).toISOString().slice(0, 10);
  for (let count = 1; ; count++) {
    const day = new Date(start_ms + count * DAY_MS).toISOString().slice(0, 10);
    if (day > until) return [...days].sort();
    if (count === MOST_DAYS) return [];
    days.add(day);
  }
}
