import type { DoorSale, SellWish, StaffRelease } from '@voelgoed/client/client';
import { desk, type WorkTools } from '#desk';
import type { Seat } from '#shop';
import type { Item } from './office.svelte.ts';
import { inPortions, type PortionsDone } from './portions.ts';

/** Seats at the counter wait for money no longer than this. */
const SALE_MINUTES = 10;

function wishOf(item: Item) {
  if ('seat' in item) return { seat_id: item.seat.seat_id };
  return { zone_id: item.zone.zone_id, quantity: item.quantity };
}

export function blockAll(
  eventId: string,
  kind: 'block' | 'unblock',
  seats: readonly Seat[],
  reason: string,
  tools: WorkTools,
): Promise<PortionsDone> {
  const { boxOffice } = desk.client;
  return inPortions(seats, tools, (portion, key) => {
    const wish = { seat_ids: portion.map(({ seat_id }) => seat_id), reason };
    return boxOffice[kind](eventId, wish, { key });
  });
}

/** `kept`: holds that are still there, because a payment for them is under way. */
export type ReleasesDone = PortionsDone & Readonly<{ seats: number; kept: number }>;

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

function sumOf(replies: readonly StaffRelease[]): Pick<ReleasesDone, 'seats' | 'kept'> {
  return {
    seats: replies.reduce((sum, { seats_released }) => sum + seats_released, 0),
    kept: replies.reduce((sum, { not_released }) => sum + not_released.length, 0),
  };
}

export function holdAll(
  eventId: string,
  items: readonly Item[],
  caller: Readonly<{ name: string; minutes: number }>,
  tools: WorkTools,
): Promise<PortionsDone> {
  return inPortions(items, tools, (portion, key) => {
    const { name, minutes } = caller;
    const wish = { items: portion.map(wishOf), for: name, hold_minutes: minutes };
    return desk.client.boxOffice.hold(eventId, wish, { key });
  });
}

/**
 * First held, then sold, each with a key of its own, so that a repetition does neither twice;
 * `part` tells ways of paying apart.
 */
export async function sellAll(
  eventId: string,
  what: Readonly<{ items: readonly Item[]; holdIds: readonly string[] | null }>,
  how: Readonly<{ name: string; method: SellWish['method']; part: number }>,
  { key, progress }: WorkTools,
  onheld: (holdIds: readonly string[]) => void,
): Promise<DoorSale> {
  const { boxOffice } = desk.client;
  progress(0, 2);
  let { holdIds } = what;
  if (!holdIds) {
    const items = what.items.map(wishOf);
    const wish = { items, for: how.name, hold_minutes: SALE_MINUTES };
    const held = await boxOffice.hold(eventId, wish, { key: key(1) });
    holdIds = held.holds.map(({ hold_id }) => hold_id);
    onheld(holdIds);
  }
  progress(1, 2);
  const sale = { hold_ids: [...holdIds], method: how.method };
  return boxOffice.sell(eventId, sale, { key: key(2 + how.part) });
}
