import {
  type Board,
  extensionsOf,
  type HoldPlace,
  placeAt,
  type Refused,
  type SaleOutcome,
} from '#board';
import {
  type Checkout,
  type CheckoutRow,
  findCheckout,
  isOpen,
  lookupAttempt,
  type PaymentMessage,
  UNNAMED_PROVIDER,
} from '#checkouts';
import { type EventRef, findHold, findHolds } from '#registry';
import { scopeOf } from '#scope';
import type { Caller, Engine, KeyReused } from './change.ts';
import { buyerOf, type EventMissing, isRepeat } from './hold-seats.ts';
import { expired, extensionFailed, releaseFailed } from './own-holds.ts';
import { wishFor } from './wish.ts';

/** A checkout as its buyer sees it. */
export type CheckoutView = Readonly<{
  eventId: string;
  checkout: Checkout;
  /** Where each item is; null when the event has another plan by now. */
  places: readonly (HoldPlace | null)[];
  /** When the first of its holds ends; null when it is over. */
  until_ms: number | null;
  at_ms: number;
}>;

type CheckoutMissing = Readonly<{ kind: 'checkout_not_found' }>;
type SaleRefused = Readonly<{ kind: 'refused'; refusal: Refused; at_ms: number }>;

export type StartWish = Readonly<{
  eventId: string;
  holdIds: readonly string[] | null;
  cartToken: string | null;
  allowOrphan: boolean;
}>;

/** Holds on their way to tickets: pinned, priced and once extended. */
export async function startCheckout(
  engine: Engine,
  caller: Caller,
  { eventId, holdIds, cartToken, allowOrphan }: StartWish,
): Promise<
  | { kind: 'checkout'; view: CheckoutView; existing: boolean; replayed: boolean }
  | { kind: 'mixed_events' | 'hold_expired' }
  | SaleRefused
  | EventMissing
  | KeyReused
> {
  if (caller.guestOf !== undefined && caller.guestOf !== eventId.toLowerCase()) {
    return { kind: 'event_not_found' };
  }
  const user_id = await buyerOf(engine, caller);
  if (holdIds && (await isMixed(engine, caller, eventId, holdIds))) return { kind: 'mixed_events' };
  const answer = await wishFor(engine, caller, eventId, {
    kind: 'start_checkout',
    user_id,
    role: caller.role,
    guest: caller.guestOf !== undefined,
    hold_ids: holdIds,
    cart_token: cartToken,
    allow_orphan: allowOrphan,
  }).catch((error) => {
    const wanted = { user_id, holdIds, cartToken };
    if (isExtensionDue(engine, { scope: caller.scope, eventId }, wanted)) {
      extensionFailed(engine, caller, error, { event_id: eventId, user_id, hold_ids: holdIds });
    }
    throw error;
  });
  if (answer.kind === 'key_reused') return answer;
  if (answer.kind === 'not_on_sale') return { kind: 'event_not_found' };
  const { outcome, at_ms, replayed } = answer;
  if (outcome.kind === 'refused') {
    const over = await isTooLate(engine, caller, eventId, { user_id, cartToken, refusal: outcome });
    if (over) expired(engine);
    return over ? { kind: 'hold_expired' } : { kind: 'refused', refusal: outcome, at_ms };
  }
  const { checkout, places, until_ms, existing } = expected(outcome, 'checkout');
  const view = { eventId, checkout, places, until_ms, at_ms };
  return { kind: 'checkout', view, existing, replayed };
}

/** Would its start make holds longer, as far as memory knows? It does so once for each checkout. */
function isExtensionDue(
  { registry }: Engine,
  event: EventRef,
  { user_id, holdIds, cartToken }: Pick<StartWish, 'holdIds' | 'cartToken'> & { user_id: string },
): boolean {
  const board = registry.loadedBoard(event);
  if (!board) return true;
  const own = board.holdsOfUser(user_id);
  if (own.some(({ checkout_id }) => checkout_id !== null)) return false;
  const ids = holdIds?.map((id) => id.toLowerCase());
  const wanted = own.filter(({ hold_id, cart_token }) => {
    return ids ? ids.includes(hold_id) : cartToken === null || cart_token === cartToken;
  });
  return extensionsOf(board.config, wanted).length > 0;
}

/** A repeat by its key, or an open checkout of the buyer's, as far as memory knows. */
export async function isNoNewCheckout(
  engine: Engine,
  caller: Caller,
  eventId: string,
): Promise<boolean> {
  const board = await engine.registry.board({ scope: caller.scope, eventId });
  const own = board?.holdsOfUser(await buyerOf(engine, caller)) ?? [];
  const isOpen = own.some(({ checkout_id }) => checkout_id !== null);
  return isOpen || isRepeat(engine, caller, eventId);
}

/** Holds of another event cannot be in the same checkout. */
async function isMixed(
  { postgres, registry }: Engine,
  { scope }: Caller,
  eventId: string,
  holdIds: readonly string[],
): Promise<boolean> {
  const board = registry.loadedBoard({ scope, eventId });
  if (board && holdIds.every((id) => board.holdOf(id) !== undefined)) return false;
  const rows = await postgres.ask(scope, findHolds(scope.organizationId, holdIds));
  return rows.some(({ event_id }) => event_id !== eventId.toLowerCase());
}

/** Was there something to check out until its time was over? */
async function isTooLate(
  engine: Engine,
  caller: Caller,
  eventId: string,
  { user_id, cartToken, refusal }: { user_id: string; cartToken: string | null; refusal: Refused },
): Promise<boolean> {
  const { code, details } = refusal;
  const { scope } = caller;
  if (code === 'no_active_holds') {
    return engine.registry.hasExpiredLately({ scope, eventId }, user_id, cartToken);
  }
  const holdId = details?.hold_id;
  return typeof holdId === 'string' && hasExpired(engine, caller, user_id, holdId);
}

async function hasExpired(
  { postgres }: Engine,
  { scope }: Caller,
  userId: string,
  holdId: string,
): Promise<boolean> {
  const [row] = await postgres.ask(scope, findHold(scope.organizationId, holdId));
  return row?.user_id === userId && row.status === 'expired';
}

export async function readCheckout(
  engine: Engine,
  caller: Caller,
  checkoutId: string,
): Promise<CheckoutView | null> {
  const found = await ownCheckout(engine, caller, checkoutId);
  if (!found) return null;
  const board = await engine.registry.board({ scope: caller.scope, eventId: found.row.event_id });
  return board ? viewOf(engine, board, found.row) : null;
}

function viewOf({ registry }: Engine, board: Board, row: CheckoutRow): CheckoutView {
  // What is open is on the board, with the latest times.
  const checkout = board.checkoutOf(row.checkout.checkout_id) ?? row.checkout;
  const holds = checkout.items.flatMap(({ hold_id }) => board.holdOf(hold_id) ?? []);
  const open = isOpen(checkout) && holds.length > 0;
  return {
    eventId: row.event_id,
    checkout,
    places: checkout.items.map((item) => placeOfItem(board, item)),
    until_ms: open ? Math.min(...holds.map(({ until_ms }) => until_ms)) : null,
    at_ms: registry.now(board),
  };
}

function placeOfItem(board: Board, item: Checkout['items'][number]): HoldPlace | null {
  const ordinal = item.seat_id === null ? -1 : board.plan.ordinalOf(item.seat_id);
  if (ordinal === undefined) return null;
  const named = board.config.zones.findIndex(({ zone_id }) => zone_id === item.zone_id);
  return placeAt(board, ordinal, ordinal < 0 ? named : board.plan.zoneOf(ordinal));
}

export type BegunPayment = Readonly<{
  kind: 'payment_begun';
  eventId: string;
  payment: SaleOutcome & { kind: 'payment_begun' };
  at_ms: number;
  replayed: boolean;
}>;

/** From now on the seats wait for the provider's word, until a deadline. */
export async function payCheckout(
  engine: Engine,
  caller: Caller,
  checkoutId: string,
  provider: string,
): Promise<
  | BegunPayment
  | { kind: 'completed'; checkout_id: string; currency: string; replayed: boolean }
  | SaleRefused
  | CheckoutMissing
  | KeyReused
> {
  const found = await ownCheckout(engine, caller, checkoutId);
  if (!found) return { kind: 'checkout_not_found' };
  const { row, user_id } = found;
  const { checkout_id } = row.checkout;
  const command = { kind: 'begin_payment', user_id, checkout_id, provider } as const;
  const answer = await wishFor(engine, caller, row.event_id, command);
  if (answer.kind === 'key_reused') return answer;
  if (answer.kind === 'not_on_sale') return { kind: 'checkout_not_found' };
  const { outcome, at_ms, replayed } = answer;
  if (outcome.kind === 'refused') return { kind: 'refused', refusal: outcome, at_ms };
  if (outcome.kind === 'sold') {
    return { kind: 'completed', checkout_id, currency: outcome.currency, replayed };
  }
  const payment = expected(outcome, 'payment_begun');
  return { kind: 'payment_begun', eventId: row.event_id, payment, at_ms, replayed };
}

export type CancelledCheckout = Readonly<{
  kind: 'cancelled';
  checkout_id: string;
  released: (SaleOutcome & { kind: 'checkout_cancelled' })['released'];
  replayed: boolean;
}>;

/** All holds of a checkout at once. What was cancelled before stays so. */
export async function cancelCheckout(
  engine: Engine,
  caller: Caller,
  checkoutId: string,
  note: string | null,
): Promise<CancelledCheckout | SaleRefused | CheckoutMissing | KeyReused> {
  const found = await ownCheckout(engine, caller, checkoutId);
  if (!found) return { kind: 'checkout_not_found' };
  const { row, user_id } = found;
  const { checkout_id } = row.checkout;
  const command = { kind: 'cancel_checkout', user_id, checkout_id, note } as const;
  const { event_id } = row;
  const answer = await wishFor(engine, caller, event_id, command).catch((error) => {
    const ids = { organization_id: caller.scope.organizationId, event_id, checkout_id, user_id };
    if (!caller.signal?.aborted) releaseFailed(engine, 'user_cancelled', error, ids);
    throw error;
  });
  if (answer.kind === 'key_reused') return answer;
  if (answer.kind === 'not_on_sale') return { kind: 'checkout_not_found' };
  const { outcome, at_ms, replayed } = answer;
  if (outcome.kind === 'refused') return { kind: 'refused', refusal: outcome, at_ms };
  const { released } = expected(outcome, 'checkout_cancelled');
  return { kind: 'cancelled', checkout_id, released, replayed };
}

/** The provider is nobody's user: what it says is done by the system. */
const PROVIDER = { kind: 'system', id: null, role: null } as const;

export type HeardPayment = SaleOutcome & { kind: 'payment_message' };

/** A message whose signature is good. */
export async function receivePayment(
  engine: Engine,
  said: PaymentMessage,
  deadline_ms: number,
): Promise<
  HeardPayment | { kind: 'no_attempt' } | { kind: 'other_provider' } | { kind: 'message_reused' }
> {
  // Ids are compared as texts, and providers may write theirs in capitals.
  const message = { ...said, attempt_id: said.attempt_id.toLowerCase() };
  const [attempt] = await engine.postgres.ask(null, lookupAttempt(message.attempt_id));
  if (!attempt) return { kind: 'no_attempt' };
  const { organization_id, event_id, checkout_id, provider } = attempt;
  if (provider !== message.provider && provider !== UNNAMED_PROVIDER) {
    return { kind: 'other_provider' };
  }
  const event = { scope: scopeOf(organization_id), eventId: event_id };
  const answer = await engine.registry
    .submit(event, {
      command: { kind: 'payment_message', checkout_id, ...message },
      actor: PROVIDER,
      context: null,
      key: null,
      deadline_ms,
    })
    .catch((error) => {
      const ids = { organization_id, event_id, checkout_id, attempt_id: message.attempt_id };
      if (message.type === 'payment.failed') releaseFailed(engine, 'payment_failed', error, ids);
      throw error;
    });
  if (answer.kind !== 'done') return { kind: 'no_attempt' };
  if (answer.outcome.kind === 'refused') {
    const { code } = answer.outcome;
    return code === 'message_reused' ? { kind: code } : { kind: 'no_attempt' };
  }
  const heard = expected(answer.outcome, 'payment_message');
  const { type } = message;
  const { outcome, repeated } = heard;
  engine.telemetry.emit({ kind: 'payment.message', type, outcome, repeated });
  return heard;
}

/** A guest's session is good for its own event alone. */
async function ownCheckout(
  engine: Engine,
  caller: Caller,
  checkoutId: string,
): Promise<{ row: CheckoutRow; user_id: string } | null> {
  const { scope, guestOf } = caller;
  const user_id = await buyerOf(engine, caller);
  const [row] = await engine.postgres.ask(scope, findCheckout(scope.organizationId, checkoutId));
  if (!row || row.checkout.user_id !== user_id) return null;
  return guestOf !== undefined && row.event_id !== guestOf ? null : { row, user_id };
}

function expected<Kind extends SaleOutcome['kind']>(
  outcome: { kind: string },
  kind: Kind,
): SaleOutcome & { kind: Kind } {
  if (outcome.kind !== kind) throw new Error(`${kind} was wished and ${outcome.kind} answered`);
  return outcome as SaleOutcome & { kind: Kind };
}
