import { systemHost } from '@voelgoed/client/client';
import { dayRuns } from './day-runs.ts';
import { t } from './language.svelte.ts';

/** Making a formatter is slow, and a list of seats asks for the same one each time. */
const kept = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

function keep<Format extends Intl.NumberFormat | Intl.DateTimeFormat>(
  name: string,
  make: (locale: string) => Format,
): Format {
  const { locale } = t();
  const key = `${locale} ${name}`;
  const known = (kept.get(key) as Format | undefined) ?? make(locale);
  kept.set(key, known);
  return known;
}

/** `R350`, and cents only where there are some. */
export function money(cents: number, currency: string): string {
  const trailingZeroDisplay = 'stripIfInteger';
  const options = { style: 'currency', currency, trailingZeroDisplay } as const;
  return keep(currency, (locale) => new Intl.NumberFormat(locale, options)).format(cents / 100);
}

/** The first and the last seats would be rounded away. */
function isNearEnd(part: number): boolean {
  return (part > 0 && part < 0.01) || (part > 0.99 && part < 1);
}

export function percent(part: number): string {
  const options = { style: 'percent', maximumFractionDigits: isNearEnd(part) ? 1 : 0 };
  const name = `percent ${options.maximumFractionDigits}`;
  return keep(
    name,
    (locale) => new Intl.NumberFormat(locale, options as Intl.NumberFormatOptions),
  ).format(part);
}

function date(time: string, options: Intl.DateTimeFormatOptions): string {
  const name = JSON.stringify(options);
  return keep(name, (locale) => new Intl.DateTimeFormat(locale, options)).format(new Date(time));
}

const LONG = { dateStyle: 'full', timeStyle: 'short' } as const;
const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;
const SHORT = { weekday: 'short', day: 'numeric', month: 'short', ...CLOCK } as const;

/** At the venue: a buyer abroad comes at the hour that is on the ticket. */
export function longDate(time: string, timeZone: string | undefined): string {
  return date(time, { ...LONG, ...(timeZone && { timeZone }) });
}

/** With the year where it is not this one: a day of next November is not the one of this. */
export function shortDate(
  time: string,
  timeZone: string | undefined,
  now_ms = systemHost.now(),
): string {
  return date(time, { ...shortOptions(time, timeZone, now_ms), ...(timeZone && { timeZone }) });
}

function shortOptions(time: string, timeZone: string | undefined, now_ms: number) {
  const yearOf = (one: string) => date(one, { year: 'numeric', ...(timeZone && { timeZone }) });
  const isOther = yearOf(time) !== yearOf(new Date(now_ms).toISOString());
  return { ...SHORT, ...(isOther && ({ year: 'numeric' } as const)) };
}

export function clockTime(time: string): string {
  return date(time, CLOCK);
}

/** `Europe/London`: London. */
export function zoneName(timeZone: string): string {
  return (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');
}

/**
 * For people who work elsewhere than where it happens: there, and the zone is named where the
 * reader's clock shows another time, `Tue, 1 Jun, 19:30 (London)`.
 */
export function timeAt(
  time: string,
  options: Intl.DateTimeFormatOptions,
  timeZone: string | undefined,
): string {
  if (!timeZone) return date(time, options);
  const there = date(time, { ...options, timeZone });
  const isHere = date(time, LONG) === date(time, { ...LONG, timeZone });
  return isHere ? there : `${there} (${zoneName(timeZone)})`;
}

export function longDateAt(time: string, timeZone: string | undefined): string {
  return timeAt(time, LONG, timeZone);
}

export function shortDateAt(time: string, timeZone: string | undefined): string {
  return timeAt(time, shortOptions(time, timeZone, systemHost.now()), timeZone);
}

export function clockTimeAt(time: string, timeZone: string | undefined): string {
  return timeAt(time, CLOCK, timeZone);
}

/** So many dates are listed; of more, those that follow each other are said by first and last. */
const MOST_LISTED = 3;

/** Calendar dates in order, in few words. */
export function datesOf(days: readonly string[]): string {
  if (days.length <= MOST_LISTED) return days.map(dateOf).join(', ');
  const textOf = ([first, last]: readonly [string, string]) =>
    first === last ? dateOf(first) : `${dateOf(first)} – ${dateOf(last)}`;
  return dayRuns(days).map(textOf).join(', ');
}

/** A calendar date, which has no time zone. */
export function dateOf(day: string): string {
  return date(`${day}T12:00:00Z`, { dateStyle: 'medium', timeZone: 'UTC' });
}
