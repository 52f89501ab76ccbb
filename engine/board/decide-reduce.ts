import { type Facts, type Outcome, type ReduceCommand, refused } from './commands.ts';
import type { Draft } from './draft.ts';
import { placeOfHold } from './hold-place.ts';
import { isPaying } from './leave-checkout.ts';

/**
 * Fewer places of one hold, which keeps its id and its time. An open checkout that it is in has
 * fewer of them too, at the price that was agreed; while somebody is paying nothing changes.
 */
export function decideReduce(draft: Draft, command: ReduceCommand, facts: Facts): Outcome {
  const hold = draft.holdOf(command.hold_id);
  if (!hold || hold.user_id !== command.user_id) return refused('hold_not_found');
  if (hold.until_ms <= facts.now_ms) return refused('hold_expired');
  const { hold_id, quantity: before, checkout_id } = hold;
  const { quantity } = command;
  if (quantity > before) return refused('hold_cannot_grow', [], { quantity: before });
  if (quantity === before) {
    return { kind: 'reduced', hold, place: placeOfHold(draft, hold), released: 0 };
  }
  if (isPaying(draft, hold)) return refused('payment_in_progress');
  if ((hold.people?.length ?? 0) > quantity) {
    const message = 'These places are for people you have named: release them and name who stays.';
    return { ...refused('zone_access_denied', [], { people: hold.people }), message };
  }
  const released = before - quantity;
  draft.record({ kind: 'reduced', holds: [[hold_id, quantity, released]] });
  const checkout = checkout_id === null ? undefined : draft.checkoutOf(checkout_id);
  if (checkout) {
    const { user_id, currency, given_back } = checkout;
    const items = checkout.items.map((item) => [item.hold_id, item.price_cents] as const);
    const changed = { checkout_id: checkout.checkout_id, user_id, currency, items };
    // Places without seats change nothing about the seats that were judged.
    draft.record({ kind: 'checkout_started', ...changed, ...(given_back ? { given_back } : {}) });
  }
  const after = { ...hold, quantity };
  return { kind: 'reduced', hold: after, place: placeOfHold(draft, after), released };
}
