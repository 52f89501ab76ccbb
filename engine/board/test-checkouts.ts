import type { PaymentMessage } from '#checkouts';
import { assert } from '#kit';
import type { Command, Outcome } from './commands.ts';
import type { SaleCommand } from './sale-commands.ts';
import { aBoard, type BoardWish, hold, seat } from './test-boards.ts';
import { Stage } from './test-stage.ts';

/** Checkouts and what is said about them, for tests. */

export const ANN = 'ann';
export const BOB = 'bob';

export function start(
  user_id = ANN,
  wanted: Partial<SaleCommand & { kind: 'start_checkout' }> = {},
) {
  const who = { user_id, role: 'customer', guest: false } as const;
  const cart = { hold_ids: null, cart_token: null, allow_orphan: false };
  return { kind: 'start_checkout', ...who, ...cart, ...wanted } as const;
}

export const pay = (checkout_id: string, user_id = ANN): Command => {
  return { kind: 'begin_payment', user_id, checkout_id, provider: 'bank' };
};

export const cancel = (checkout_id: string, user_id = ANN): Command => {
  return { kind: 'cancel_checkout', user_id, checkout_id, note: null };
};

let messages = 0;
export function said(
  type: PaymentMessage['type'],
  begun: { checkout_id: string; attempt_id: string },
  wanted: Partial<PaymentMessage> = {},
): Command {
  const { checkout_id, attempt_id } = begun;
  const money = { amount_cents: 2_000, currency: 'ZAR' };
  const message_id = `message ${messages++}`;
  const message = { provider: 'bank', message_id, type, attempt_id, ...money, ...wanted };
  return { kind: 'payment_message', checkout_id, ...message };
}

export function as<Kind extends Outcome['kind']>(
  outcome: Outcome,
  kind: Kind,
): Outcome & { kind: Kind } {
  assert(outcome.kind === kind, `${kind} was expected: ${JSON.stringify(outcome)}`);
  return outcome as Outcome & { kind: Kind };
}

/** Ann with seats 0 and 1 in a checkout. */
export function aCheckout(wish: BoardWish = {}) {
  const stage = new Stage(aBoard(wish));
  const { holds } = as(stage.ask(hold(ANN, [seat(0), seat(1)])), 'held');
  const { checkout } = as(stage.ask(start()), 'checkout');
  const hold_ids = holds.map(({ hold_id }) => hold_id);
  return { stage, checkout_id: checkout.checkout_id, hold_ids, checkout };
}

export function paying(wish: BoardWish = {}) {
  const one = aCheckout(wish);
  const begun = as(one.stage.ask(pay(one.checkout_id)), 'payment_begun');
  return { ...one, begun };
}

export const code = (outcome: Outcome | undefined) =>
  outcome?.kind === 'refused' ? outcome.code : (outcome?.kind ?? 'again');
