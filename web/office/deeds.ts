import type { BlockedSeats, StaffRelease } from '@voelgoed/client/client';
import { desk, type WorkTools } from '#desk';
import type { Seat } from '#shop';
import type { Item } from './office.svelte.ts';
import { inPortions, type PortionsDone } from './portions.ts';

/** Seats at the counter wait for money no longer than this. */
export const SALE_MINUTES = 10;

export function wishOf(item: Item) {
  if ('seat' in item) return { seat_id: item.seat.seat_id };
  return { zone_id: item.zone.zone_id, quantity: item.quantity };
}

/** `seats`: those that are different now; `unchanged`: those that were so already. */
export type BlocksDone = PortionsDone & Readonly<{ seats: number; unchanged: number }>;

export async function blockAll(
  eventId: string,
  kind: 'block' | 'unblock',
  seats: readonly Seat[],
  reason: string,
  tools: WorkTools,
): Promise<BlocksDone> {
  const { boxOffice } = desk.client;
  const replies: BlockedSeats[] = [];
  const done = await inPortions(seats, tools, async (portion, key) => {
    const wish = { seat_ids: portion.map(({ seat_id }) => seat_id), reason };
    replies.push(await boxOffice[kind](eventId, wish, { key }));
  });
  const sum = (of: (reply: BlockedSeats) => number) =>
    replies.reduce((all, reply) => all + of(reply), 0);
  return { ...done, seats: sum((one) => one.seats), unchanged: sum((one) => one.unchanged) };
}

/** How many holds were not released, by the server's reason; `kept` of them are still held. */
export type ReleasesDone = PortionsDone &
  Readonly<{ seats: number; kept: number; others: Readonly<Record<string, number>> }>;

export async function releaseAll(
  eventId: string,
  holdIds: readonly string[],
  how: Readonly<{ reason: string; force: boolean }>,
  tools: WorkTools,
): Promise<ReleasesDone> {
  const replies: StaffRelease[] = [];
  const done = await inPortions(holdIds, tools, async (portion, key) => {
    const wish = { event_id: eventId, hold_ids: [...portion], ...how };
    replies.push(await desk.client.boxOffice.release(wish, { key }));
  });
  return { ...done, ...sumOf(replies) };
}

/** Whatever a person holds here, also what the list has not heard of yet. */
export async function releasePerson(
  eventId: string,
  userId: string,
  how: Readonly<{ reason: string; force: boolean }>,
  { key, progress }: WorkTools,
): Promise<ReleasesDone> {
  progress(0, 1);
  const wish = { event_id: eventId, user_id: userId, ...how };
  const reply = await desk.client.boxOffice.release(wish, { key: key() });
  return { done: 1, total: 1, isStopped: false, ...sumOf([reply]) };
}

function sumOf(replies: readonly StaffRelease[]): Omit<ReleasesDone, keyof PortionsDone> {
  const others: Record<string, number> = {};
  for (const { outcome } of replies.flatMap(({ holds }) => holds)) {
    if (outcome !== 'released') others[outcome] = (others[outcome] ?? 0) + 1;
  }
  return {
    seats: replies.reduce((sum, { seats_released }) => sum + seats_released, 0),
    kept: replies.reduce((sum, { not_released }) => sum + not_released.length, 0),
    others,
  };
}

/** `held`: places that are held now, as the server says. */
export type HoldsDone = PortionsDone & Readonly<{ held: number }>;

export type CallerWish = Readonly<{
  id: string;
  name: string;
  minutes: number;
  notes: string;
}>;

export async function holdAll(
  eventId: string,
  items: readonly Item[],
  caller: CallerWish,
  tools: WorkTools,
): Promise<HoldsDone> {
  const { id: caller_id, name, minutes: hold_minutes, notes } = caller;
  const who = { for: name, caller_id, hold_minutes, ...(notes === '' ? {} : { notes }) };
  let held = 0;
  const done = await inPortions(items, tools, async (portion, key) => {
    const wish = { items: portion.map(wishOf), ...who };
    const reply = await desk.client.boxOffice.hold(eventId, wish, { key });
    held += reply.holds.reduce((sum, { quantity }) => sum + quantity, 0);
  });
  return { ...done, held };
}

/** Holds that have the time that was asked for, and holds that have not. */
export type LengthensDone = PortionsDone & Readonly<{ longer: number; not: number }>;

export async function lengthenAll(
  holdIds: readonly string[],
  minutes: number,
  tools: WorkTools,
): Promise<LengthensDone> {
  let [longer, not] = [0, 0];
  const done = await inPortions(holdIds, tools, async (portion, key) => {
    const wish = { hold_ids: [...portion], minutes };
    const { holds, not_extended } = await desk.client.boxOffice.lengthen(wish, { key });
    longer += holds.length - not_extended.length;
    not += not_extended.length;
  });
  return { ...done, longer, not };
}
