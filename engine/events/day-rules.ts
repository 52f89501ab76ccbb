/**
 * The calendar days of an event, at its venue. Tickets are for days, and the door compares the day
 * of a scan with them, so days follow the times unless the organiser chooses them.
 */

/** A day at the door lasts until six in the morning: a guest at one belongs to last night. */
const DAY_TURNS_AT_MS = 6 * 60 * 60 * 1_000;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** A year of an exhibition. More days than this have to be chosen, and are several events. */
export const MOST_DAYS = 366;

type Times = Readonly<{ starts_at: string; ends_at: string }>;

/** The calendar date in a place, as in `2026-11-16`. */
function dateAt(time_ms: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone }).format(time_ms);
}

/** Which of an event's days it is at the venue; any other day when it is none of them. */
export function dayAt(now_ms: number, timeZone: string, days: readonly string[]): string {
  const today = dateAt(now_ms, timeZone);
  const before = dateAt(now_ms - DAY_TURNS_AT_MS, timeZone);
  return days.includes(before) ? before : today;
}

/**
 * Every day from the beginning to the end; a night that ends before six belongs to the day before.
 * Null: more than an event can have.
 */
export function daysBetween({ starts_at, ends_at }: Times, timeZone: string): string[] | null {
  const first = dateAt(Date.parse(starts_at), timeZone);
  const last = dateAt(Date.parse(ends_at) - DAY_TURNS_AT_MS, timeZone);
  return datesFrom(first, last < first ? first : last);
}

/** Dates without a zone: noon is on the same date in every step of 24 hours. */
function datesFrom(first: string, last: string): string[] | null {
  const days: string[] = [];
  for (let time_ms = Date.parse(`${first}T12:00Z`); ; time_ms += DAY_MS) {
    const day = new Date(time_ms).toISOString().slice(0, 10);
    if (day > last) return days;
    if (days.length === MOST_DAYS) return null;
    days.push(day);
  }
}

/** What is wrong with days that were chosen; null: nothing. */
export function problemOfDays(
  days: readonly string[],
  times: Times,
  timeZone: string,
): string | null {
  if (new Set(days).size !== days.length) return 'Each day is named once.';
  const first = dateAt(Date.parse(times.starts_at), timeZone);
  const last = dateAt(Date.parse(times.ends_at), timeZone);
  const outside = days.filter((day) => day < first || day > last);
  if (outside.length === 0) return null;
  const from = first === last ? `is on ${first}` : `lasts from ${first} to ${last}`;
  return `The event ${from} at its venue (${timeZone}); ${outside.join(', ')} is not within that.`;
}

type Scheduled = Times & Readonly<{ days: readonly string[] }>;

/**
 * The days of an event whose times or venue have changed and for which no days were given. Days
 * that followed the times still do; chosen ones cannot be guessed. Null: they have to be given.
 */
export function daysMoved(
  before: Scheduled & Readonly<{ timeZone: string }>,
  after: Times & Readonly<{ timeZone: string }>,
): readonly string[] | null {
  const computed = daysBetween(before, before.timeZone);
  const next = daysBetween(after, after.timeZone);
  if (isSame(before.days, computed)) return next;
  return isSame(computed, next) ? before.days : null;
}

function isSame(one: readonly string[] | null, other: readonly string[] | null): boolean {
  return one !== null && other !== null && String(one) === String(other);
}
