import { isFailure, type NextAfter, wholeList } from '@voelgoed/client/client';
import { desk } from '#desk';
import { instantOf } from '#words';

const PAGE = 200;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Newest first. */
export async function everyEvent() {
  const events = await wholeList((next: NextAfter | undefined) =>
    desk.client.planning.list({ ...next, limit: PAGE }),
  );
  return events.reverse();
}

/** Nothing, or an id. */
export function isId(text: string): boolean {
  return text.trim() === '' || UUID.test(text.trim());
}

/** Nothing, an id, or an address of e-mail. */
export function isPerson(text: string): boolean {
  return isId(text) || /^\S+@\S+$/.test(text.trim());
}

/** What a field for a time says, in the zone in which rows show theirs. */
export function instant(local: string, timeZone: string | undefined): string {
  const there = timeZone === undefined ? null : instantOf(local, timeZone);
  return there ?? new Date(local).toISOString();
}

const MISSES = ['seat_not_found', 'checkout_not_found', 'not_found'] as const;
type Miss = (typeof MISSES)[number];

/** What was named and is not there; null: something else went wrong, or nothing did. */
export function missOf(failure: unknown): Miss | null {
  return MISSES.find((code) => isFailure(failure, code)) ?? null;
}
