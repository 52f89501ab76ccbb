type Parts = Readonly<Record<'year' | 'month' | 'day' | 'hour' | 'minute', string>>;

function partsOf(time_ms: number, timeZone: string): Parts {
  const two = '2-digit' as const;
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: two,
    day: two,
    hour: two,
    minute: two,
  });
  const parts = format.formatToParts(time_ms).map(({ type, value }) => [type, value]);
  return Object.fromEntries(parts) as Parts;
}

/** `2026-11-16T19:30` in a time zone; empty for no time. */
export function localOf(instant: string | null | undefined, timeZone: string): string {
  if (!instant) return '';
  const { year, month, day, hour, minute } = partsOf(Date.parse(instant), timeZone);
  return `${year}-${month}-${day}T${hour}:${minute}`;
}

/** The instant of a time in a time zone; null for none. */
export function instantOf(local: string, timeZone: string): string | null {
  if (local === '') return null;
  const wall_ms = Date.parse(`${local}Z`);
  if (Number.isNaN(wall_ms)) return null;
  const offsetAt = (time_ms: number) => Date.parse(`${wallOf(time_ms, timeZone)}Z`) - time_ms;
  // The offset is that of the instant itself, which is known once it is nearly known.
  const near_ms = wall_ms - offsetAt(wall_ms);
  return new Date(wall_ms - offsetAt(near_ms)).toISOString();
}

function wallOf(time_ms: number, timeZone: string): string {
  return localOf(new Date(time_ms).toISOString(), timeZone);
}
