import type { BlockedOutcome, Refused } from '#board';
import { eventsOfKey } from '#idempotency';
import { isOperatingError } from '#kit';
import type { Transaction } from '#postgres';
import { findHolds, holdsByEvent } from '#registry';
import type { Scope } from '#scope';
import type { Caller, Engine, KeyReused } from './change.ts';
import type { EventMissing } from './hold-seats.ts';
import { type Released, release } from './own-holds.ts';
import { wishFor } from './wish.ts';

export type ReleaseWish = Readonly<{
  holdIds: readonly string[] | null;
  userId: string | null;
  eventId: string | null;
  reason: string;
  notes: string | null;
  /** Also what somebody is paying for at this moment. */
  force: boolean;
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
  const planned = await partsOf(engine, caller, wish);
  if (planned.kind === 'key_reused') return planned;
  const { parts } = planned;
  const { force } = wish;
  const note = [wish.reason, wish.notes].filter(Boolean).join(': ');
  const how = { note, force };
  const holds: { hold_id: string; outcome: string }[] = [];
  const all = (ids: readonly string[], outcome: string) =>
    holds.push(...ids.map((hold_id) => ({ hold_id, outcome })));
  const done: Released[] = [];
  const errors: unknown[] = [];
  for (const { eventId, which, known } of parts) {
    const released = await release(engine, caller, eventId, which, 'admin_override', null, how)
      // What was done in one event stays done when another one is busy.
      .catch((error) => {
        if (!isOperatingError(error)) throw error;
        errors.push(error);
        all(known, error.code);
        return null;
      });
    if (released === null) continue;
    if (released.kind === 'key_reused') return released;
    if (released.kind === 'event_not_found') {
      if (wish.eventId !== null) return released;
      all(known, 'hold_not_found');
      continue;
    }
    done.push(released);
    for (const { hold_id, outcome } of released.holds) {
      const sold = outcome === 'not_active' && planned.sold?.has(hold_id);
      holds.push({ hold_id, outcome: sold ? 'ticket_already_paid' : outcome });
    }
  }
  if (errors.length > 0 && done.length === 0) throw errors[0];
  all(planned.unknown, 'hold_not_found');
  const seats = done.reduce((sum, one) => sum + one.seats, 0);
  const replayed =
    done.some((one) => one.replayed) && done.every((one) => one.replayed || one.seats === 0);
  return { kind: 'released', seats, holds, replayed };
}

type Part = Readonly<{
  eventId: string;
  which: { hold_ids: readonly string[] } | { user_id: string } | 'all';
  /** Holds that are certainly meant. */
  known: readonly string[];
}>;

export type HoldPlan = Readonly<{
  kind: 'parts';
  parts: readonly Part[];
  unknown: readonly string[];
  /** Those that have become tickets. */
  sold?: ReadonlySet<string>;
}>;

/** What is to be done in which event, and ids that mean nothing here. */
function partsOf(
  { postgres }: Engine,
  { scope, idempotency }: Caller,
  wish: ReleaseWish,
): Promise<HoldPlan | KeyReused> {
  return postgres.transaction(scope, { name: 'holds.find_many' }, async (transaction) => {
    const used = idempotency && (await eventsOfKey(transaction, scope, idempotency));
    if (used?.kind === 'reused') return { kind: 'key_reused' };
    const { holdIds, userId, eventId } = wish;
    if (holdIds) return partsOfIds(transaction, scope, wish, holdIds);
    const parts = (list: readonly Part[]) => ({ kind: 'parts' as const, parts: list, unknown: [] });
    if (userId === null) {
      return parts(eventId === null ? [] : [{ eventId, which: 'all', known: [] }]);
    }
    const which = { user_id: userId };
    if (eventId !== null) return parts([{ eventId, which, known: [] }]);
    const rows = await transaction.query(holdsByEvent(scope.organizationId, userId));
    const held = new Map(rows.map((row) => [row.event_id, row.hold_ids]));
    // Where it was done before there may be nothing left to find, but an answer to repeat.
    const events = new Set([...(used?.eventIds ?? []), ...held.keys()]);
    return parts([...events].map((id) => ({ eventId: id, which, known: held.get(id) ?? [] })));
  });
}

/** Holds by their ids, event by event. */
export async function partsOfIds(
  transaction: Transaction,
  { organizationId }: Scope,
  { userId, eventId }: Pick<ReleaseWish, 'userId' | 'eventId'>,
  holdIds: readonly string[],
): Promise<HoldPlan> {
  const rows = await transaction.query(findHolds(organizationId, holdIds));
  const wanted = rows.filter(
    (row) =>
      (eventId === null || row.event_id === eventId) && (userId === null || row.user_id === userId),
  );
  const found = new Set(wanted.map(({ hold_id }) => hold_id));
  const asked = new Set(holdIds.map((id) => id.toLowerCase()));
  const byEvent = Map.groupBy(wanted, ({ event_id }) => event_id);
  const parts = [...byEvent].map(([id, own]) => {
    const hold_ids = own.map(({ hold_id }) => hold_id);
    return { eventId: id, which: { hold_ids }, known: hold_ids };
  });
  const sold = new Set(
    wanted.flatMap(({ hold_id, status }) => (status === 'converted' ? [hold_id] : [])),
  );
  return { kind: 'parts', parts, sold, unknown: [...asked].filter((id) => !found.has(id)) };
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
