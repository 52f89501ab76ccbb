import type { EndReason, ReleasedOutcome } from '#board';
import { companionsFor, type HoldPlace, placeAt, placeOfHold } from '#board';
import { writeRecord } from '#idempotency';
import { isOperatingError, reasonOf } from '#kit';
import { findHold, type HoldRow } from '#registry';
import type { EventIds, Ids } from '#telemetry';
import type { Caller, Engine, KeyReused } from './change.ts';
import { buyerOf, type EventMissing, type HeldPlace, type HoldRefusal } from './hold-seats.ts';
import { wishFor } from './wish.ts';

type NotFound = Readonly<{ kind: 'hold_not_found' }>;

export type OwnHolds = Readonly<{
  kind: 'holds';
  holds: HeldPlace[];
  /** Free seats beside a wheelchair space that the caller holds or has bought. */
  companions: HoldPlace[];
  at_ms: number;
  revision: number;
}>;

/** What the caller holds in an event and has time left for. */
export async function ownHolds(
  engine: Engine,
  caller: Caller,
  eventId: string,
): Promise<EventMissing | OwnHolds> {
  const board = await engine.registry.board({ scope: caller.scope, eventId });
  if (!board || board.config.event.status === 'archived') return { kind: 'event_not_found' };
  const at_ms = engine.registry.now(board);
  const user = await buyerOf(engine, caller);
  const live = board.holdsOfUser(user).filter(({ until_ms }) => until_ms > at_ms);
  const holds = live.map((hold) => ({ hold, place: placeOfHold(board, hold) }));
  const companions = companionsFor(board, user, at_ms).map((ordinal) => {
    return placeAt(board, ordinal, board.plan.zoneOf(ordinal));
  });
  return { kind: 'holds', holds, companions, at_ms, revision: board.revision };
}

/** A little longer, up to the cap. What is over is not revived. */
export async function extendHold(
  engine: Engine,
  caller: Caller,
  holdId: string,
): Promise<
  | {
      kind: 'extended';
      eventId: string;
      held: HeldPlace;
      at_ms: number;
      revision: number;
      replayed: boolean;
    }
  | { kind: 'expired' }
  | HoldRefusal
  | NotFound
  | KeyReused
> {
  const user = await buyerOf(engine, caller);
  const row = await ownHold(engine, caller, user, holdId);
  if (!row) return { kind: 'hold_not_found' };
  const { event_id } = row;
  const command = { kind: 'extend', user_id: user, hold_id: row.hold_id } as const;
  const { hold_id } = row;
  const answer = await wishFor(engine, caller, event_id, command).catch((error) => {
    extensionFailed(engine, caller, error, { event_id, user_id: user, hold_ids: [hold_id] });
    throw error;
  });
  if (answer.kind === 'key_reused') return answer;
  if (answer.kind === 'not_on_sale') return { kind: 'hold_not_found' };
  const { outcome, at_ms, revision, replayed } = answer;
  if (outcome.kind === 'extended') {
    const { hold, place } = outcome;
    const held = { hold, place };
    return { kind: 'extended', eventId: event_id, held, at_ms, revision, replayed };
  }
  if (outcome.kind !== 'refused') throw new Error(`an extension was answered by ${outcome.kind}`);
  if (outcome.code === 'hold_expired') return expired(engine);
  if (outcome.code !== 'hold_not_found') return { kind: 'refused', refusal: outcome, at_ms };
  // It has ended meanwhile: by its time, or for another reason?
  const now = await storedHold(engine, caller, user, holdId);
  return now?.status === 'expired' ? expired(engine) : { kind: 'hold_not_found' };
}

export type Reduced = Readonly<{
  kind: 'reduced';
  eventId: string;
  held: HeldPlace;
  /** Places that became free; 0: it had so many already. */
  released: number;
  at_ms: number;
  revision: number;
  replayed: boolean;
}>;

/** Fewer places of one own hold. */
export async function reduceHold(
  engine: Engine,
  caller: Caller,
  holdId: string,
  quantity: number,
): Promise<
  | Reduced
  | { kind: 'expired' }
  | { kind: 'ticket_already_paid' }
  | HoldRefusal
  | NotFound
  | KeyReused
> {
  const user = await buyerOf(engine, caller);
  const row = await ownHold(engine, caller, user, holdId);
  if (!row) return { kind: 'hold_not_found' };
  const { event_id: eventId, hold_id } = row;
  const command = { kind: 'reduce', user_id: user, hold_id, quantity } as const;
  const answer = await wishFor(engine, caller, eventId, command);
  if (answer.kind === 'key_reused') return answer;
  if (answer.kind === 'not_on_sale') return { kind: 'hold_not_found' };
  const { outcome, at_ms, revision, replayed } = answer;
  if (outcome.kind === 'reduced') {
    const { hold, place, released } = outcome;
    const held = { hold, place };
    return { kind: 'reduced', eventId, held, released, at_ms, revision, replayed };
  }
  if (outcome.kind !== 'refused') throw new Error(`a reduction was answered by ${outcome.kind}`);
  const isGone = outcome.code === 'hold_not_found' || outcome.code === 'hold_expired';
  if (!isGone) return { kind: 'refused', refusal: outcome, at_ms };
  const now = await storedHold(engine, caller, user, holdId);
  if (now?.status === 'converted') return { kind: 'ticket_already_paid' };
  const isOver = outcome.code === 'hold_expired' || now?.status === 'expired';
  return isOver ? { kind: 'expired' } : { kind: 'hold_not_found' };
}

/** A machine or a bug kept holds from being extended; a buyer who has closed the page did not. */
export function extensionFailed(
  { telemetry }: Pick<Engine, 'telemetry'>,
  { scope, signal }: Caller,
  error: unknown,
  about: Pick<EventIds, 'event_id'> & Ids,
): void {
  if (signal?.aborted) return;
  const ids = { organization_id: scope.organizationId, ...about };
  telemetry.emit({ kind: 'hold.extension_failed', reason: reasonOf(error), ids });
}

/** A machine or a bug kept seats from being released. */
export function releaseFailed(
  { telemetry }: Pick<Engine, 'telemetry'>,
  reason: EndReason,
  error: unknown,
  ids: EventIds,
): void {
  const code = isOperatingError(error) ? error.code : 'internal';
  telemetry.emit({ kind: 'release.failed', reason, code, ids });
}

/** Too late to go on: the buyer has to choose again. */
export function expired({ telemetry }: Pick<Engine, 'telemetry'>): { kind: 'expired' } {
  telemetry.emit({ kind: 'hold.expired_before_checkout' });
  return { kind: 'expired' };
}

export type Released = Readonly<{
  kind: 'released';
  holds: ReleasedOutcome['holds'];
  seats: number;
  revision: number;
  at_ms: number;
  replayed: boolean;
}>;

/** Somebody is paying for it, or has paid. */
export type NotReleased = Readonly<{ kind: 'payment_in_progress' | 'ticket_already_paid' }>;

/** Nothing was released, because the buyer is paying for it. */
function isBeingPaid(done: Released | KeyReused): boolean {
  if (done.kind !== 'released' || done.seats > 0) return false;
  return done.holds.some(({ outcome }) => outcome === 'payment_in_progress');
}

/** One own hold. One that has ended before is no mistake: nothing happens. */
export async function releaseHold(
  engine: Engine,
  caller: Caller,
  holdId: string,
): Promise<Released | NotReleased | NotFound | KeyReused> {
  const user = await buyerOf(engine, caller);
  const row = await ownHold(engine, caller, user, holdId);
  if (!row) return { kind: 'hold_not_found' };
  const which = { hold_ids: [row.hold_id] };
  const done = await release(engine, caller, row.event_id, which, 'user_cancelled', user);
  if (done.kind === 'event_not_found') return { kind: 'hold_not_found' };
  if (isBeingPaid(done)) return { kind: 'payment_in_progress' };
  // It was over: by its time, or because it has been paid for.
  const isOver = done.kind === 'released' && done.seats === 0;
  return isOver && (await isPaid(engine, caller, holdId)) ? { kind: 'ticket_already_paid' } : done;
}

/**
 * Whoever reads "paid" relies on a ticket: the row that says so may be on the primary alone, and
 * is believed after a commit that waits for the synchronous standby.
 */
function isPaid({ postgres }: Engine, { scope, deadline_ms }: Caller, holdId: string) {
  return postgres.transaction(scope, { name: 'hold.paid', deadline_ms }, async (transaction) => {
    const [row] = await transaction.query(findHold(scope.organizationId, holdId));
    if (row?.status !== 'converted') return false;
    await transaction.query(writeRecord());
    return true;
  });
}

export async function releaseOwnHolds(
  engine: Engine,
  caller: Caller,
  eventId: string,
): Promise<Released | NotReleased | EventMissing | KeyReused> {
  const user = await buyerOf(engine, caller);
  const which = { user_id: user };
  const done = await release(engine, caller, eventId, which, 'user_cancelled', user);
  if (done.kind === 'event_not_found') return done;
  return isBeingPaid(done) ? { kind: 'payment_in_progress' } : done;
}

export async function release(
  engine: Engine,
  caller: Caller,
  eventId: string,
  which: { hold_ids: readonly string[] } | { user_id: string } | 'all',
  reason: EndReason,
  owner: string | null,
  { note = null, force = false }: { note?: string | null; force?: boolean } = {},
): Promise<Released | EventMissing | KeyReused> {
  const { actor } = caller;
  const command = { kind: 'release', which, owner, reason, note, force, actor } as const;
  const answer = await wishFor(engine, caller, eventId, command).catch((error) => {
    const ids = { organization_id: caller.scope.organizationId, event_id: eventId };
    if (!caller.signal?.aborted) releaseFailed(engine, reason, error, ids);
    throw error;
  });
  if (answer.kind === 'key_reused') return answer;
  if (answer.kind === 'not_on_sale') return { kind: 'event_not_found' };
  const { outcome, revision, at_ms, replayed } = answer;
  if (outcome.kind !== 'released') throw new Error(`a release was answered by ${outcome.kind}`);
  const { holds, seats } = outcome;
  const over = holds.filter((one) => one.outcome === 'not_active').length;
  if (over > 0 && !replayed) engine.telemetry.emit({ kind: 'release.repeated', holds: over });
  return { kind: 'released', holds, seats, revision, at_ms, replayed };
}

/** Whoever holds something has mostly been here before, so it is in memory. */
async function ownHold(
  engine: Engine,
  caller: Caller,
  user: string,
  holdId: string,
): Promise<HoldRow | null> {
  const known = engine.registry.loadedHold(caller.scope, holdId);
  if (!known) return storedHold(engine, caller, user, holdId);
  const { hold_id, user_id } = known.hold;
  return ifOwn(caller, user, { hold_id, user_id, event_id: known.eventId, status: 'active' });
}

async function storedHold(
  { postgres }: Engine,
  caller: Caller,
  user: string,
  holdId: string,
): Promise<HoldRow | null> {
  const { scope } = caller;
  const [row] = await postgres.ask(scope, findHold(scope.organizationId, holdId));
  return row ? ifOwn(caller, user, row) : null;
}

/** A guest's session is good for its own event alone. */
function ifOwn({ guestOf }: Caller, user: string, row: HoldRow): HoldRow | null {
  if (row.user_id !== user) return null;
  return guestOf !== undefined && row.event_id !== guestOf ? null : row;
}
