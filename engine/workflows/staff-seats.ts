import type { BlockedOutcome, Refused } from '#board';
import { placeOfHold } from '#board';
import { eventsHeldBy, findHolds } from '#registry';
import type { Caller, Engine, KeyReused } from './change.ts';
import type { EventMissing, HeldPlace } from './hold-seats.ts';
import { release } from './own-holds.ts';
import { wishFor } from './wish.ts';

export type ReleaseWish = Readonly<{
  holdIds: readonly string[] | null;
  userId: string | null;
  eventId: string | null;
  reason: string;
  notes: string | null;
}>;

export type StaffRelease = Readonly<{
  kind: 'released';
  seats: number;
  holds: readonly Readonly<{ hold_id: string; outcome: string }>[];
  replayed: boolean;
}>;

/**
 * Ends holds of others: by id, all of a user, all of an event, or all of a user in an event. Holds
 * of several events are as many commands, each with its own outcome; none depends on another.
 */
export async function releaseByStaff(
  engine: Engine,
  caller: Caller,
  wish: ReleaseWish,
): Promise<StaffRelease | EventMissing | KeyReused> {
  const parts = await partsOf(engine, caller, wish);
  const note = [wish.reason, wish.notes].filter(Boolean).join(': ');
  const holds: { hold_id: string; outcome: string }[] = [];
  let seats = 0;
  let replayed = parts.length > 0;
  for (const { eventId, which } of parts) {
    if (eventId === null) {
      for (const hold_id of which.hold_ids) holds.push({ hold_id, outcome: 'hold_not_found' });
      continue;
    }
    const done = await release(engine, caller, eventId, which, 'admin_override', null, note);
    if (done.kind === 'key_reused') return done;
    if (done.kind === 'event_not_found') {
      if (wish.eventId !== null) return done;
      continue;
    }
    seats += done.seats;
    replayed &&= done.replayed;
    for (const { hold_id, outcome } of done.holds) holds.push({ hold_id, outcome });
  }
  return { kind: 'released', seats, holds, replayed };
}

type Part =
  | { eventId: string; which: { hold_ids: readonly string[] } | { user_id: string } | 'all' }
  | { eventId: null; which: { hold_ids: readonly string[] } };

async function partsOf(
  { postgres }: Engine,
  { scope }: Caller,
  { holdIds, userId, eventId }: ReleaseWish,
): Promise<Part[]> {
  const { organizationId } = scope;
  if (holdIds) {
    const rows = await postgres.transaction(scope, { name: 'holds.find_many' }, (transaction) =>
      transaction.query(findHolds(organizationId, holdIds)),
    );
    const wanted = rows.filter(
      (row) =>
        (eventId === null || row.event_id === eventId) &&
        (userId === null || row.user_id === userId),
    );
    const known = new Set(wanted.map(({ hold_id }) => hold_id));
    const unknown = holdIds.filter((id) => !known.has(id.toLowerCase()));
    const byEvent = Map.groupBy(wanted, ({ event_id }) => event_id);
    const parts: Part[] = [...byEvent].map(([id, own]) => ({
      eventId: id,
      which: { hold_ids: own.map(({ hold_id }) => hold_id) },
    }));
    return unknown.length > 0 ? [...parts, { eventId: null, which: { hold_ids: unknown } }] : parts;
  }
  if (userId === null) return eventId === null ? [] : [{ eventId, which: 'all' }];
  if (eventId !== null) return [{ eventId, which: { user_id: userId } }];
  const events = await postgres.transaction(scope, { name: 'holds.of_user' }, (transaction) =>
    transaction.query(eventsHeldBy(organizationId, userId)),
  );
  return events.map(({ event_id }) => ({ eventId: event_id, which: { user_id: userId } }));
}

/** Takes seats out of the sale, or puts them back. */
export async function blockSeats(
  engine: Engine,
  caller: Caller,
  eventId: string,
  wish: { kind: 'block' | 'unblock'; seatIds: readonly string[]; reason: string },
): Promise<
  | { kind: 'done'; answer: BlockedOutcome & { revision: number }; replayed: boolean }
  | { kind: 'refused'; refusal: Refused; at_ms: number }
  | EventMissing
  | KeyReused
> {
  const { kind, seatIds: seat_ids, reason } = wish;
  const command = { kind, seat_ids, reason, actor: caller.actor } as const;
  const answer = await wishFor(engine, caller, eventId, command);
  if (answer.kind === 'key_reused') return answer;
  if (answer.kind === 'not_on_sale') return { kind: 'event_not_found' };
  const { outcome, at_ms, revision, replayed } = answer;
  if (outcome.kind === 'refused') return { kind: 'refused', refusal: outcome, at_ms };
  if (outcome.kind !== 'blocked' && outcome.kind !== 'unblocked') {
    throw new Error(`a block was answered by ${outcome.kind}`);
  }
  return { kind: 'done', answer: { ...outcome, revision }, replayed };
}

/** Who holds what, for those who may know. */
export async function eventHolds(
  engine: Engine,
  { scope }: Caller,
  eventId: string,
): Promise<{ holds: HeldPlace[]; at_ms: number } | null> {
  const board = await engine.registry.board({ scope, eventId });
  if (!board) return null;
  const at_ms = engine.registry.now(board);
  const live = [...board.holds()].filter(({ until_ms }) => until_ms > at_ms);
  return { holds: live.map((hold) => ({ hold, place: placeOfHold(board, hold) })), at_ms };
}
