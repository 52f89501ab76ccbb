import type { Checkout } from '#checkouts';
import type { BoardState, Hold } from './board-state.ts';
import type { EndReason } from './changes.ts';
import type { Draft } from './draft.ts';

/** Somebody is paying for it: the sweep and everybody but forceful staff leave it alone. */
export function isPaying(state: BoardState, { checkout_id }: Pick<Hold, 'checkout_id'>): boolean {
  return checkout_id !== null && state.checkoutOf(checkout_id)?.status === 'paying';
}

/**
 * Holds that are about to end leave their checkouts first. One that was chosen to go is taken off
 * the list; one whose time is over, or that is being paid for, takes the checkout with it: nobody
 * pays for less than was agreed. The other holds of it stay until their own time is over.
 */
export function leaveCheckouts(draft: Draft, holdIds: readonly string[], reason: EndReason): void {
  const leaving = new Map<string, Set<string>>();
  for (const hold_id of holdIds) {
    const checkout_id = draft.holdOf(hold_id)?.checkout_id;
    if (!checkout_id) continue;
    const ids = leaving.get(checkout_id) ?? new Set();
    leaving.set(checkout_id, ids.add(hold_id));
  }
  for (const [checkout_id, ids] of leaving) {
    const checkout = draft.checkoutOf(checkout_id);
    if (checkout) leave(draft, checkout, ids, reason);
  }
}

function leave(
  draft: Draft,
  checkout: Checkout,
  ids: ReadonlySet<string>,
  reason: EndReason,
): void {
  const { checkout_id, user_id, currency, status } = checkout;
  const rest = checkout.items.filter(({ hold_id }) => !ids.has(hold_id));
  const chosen = reason === 'user_cancelled' || reason === 'admin_override';
  if (chosen && status === 'started' && rest.length > 0) {
    const items = rest.map(({ hold_id, price_cents }) => [hold_id, price_cents] as const);
    const left = { checkout_id, user_id, currency, items };
    // What staff take out of a checkout is not its buyer's doing.
    const given_back = checkout.given_back || (reason === 'user_cancelled' && hasSeat(draft, ids));
    draft.record({ kind: 'checkout_started', ...left, ...(given_back ? { given_back } : {}) });
    return;
  }
  draft.record({
    kind: 'checkout_closed',
    checkout_id,
    status: closedAs(checkout, reason),
    reason,
  });
}

/** Places without seats change nothing about the seats that were judged. */
function hasSeat(draft: Draft, holdIds: ReadonlySet<string>): boolean {
  return [...holdIds].some((id) => (draft.holdOf(id)?.ordinal ?? -1) >= 0);
}

function closedAs({ declined }: Checkout, reason: EndReason) {
  if (reason === 'payment_failed') return 'failed';
  if (reason !== 'ttl_expired') return 'cancelled';
  return declined ? 'failed' : 'abandoned';
}

/** Ends holds for one reason, after they have left their checkouts. */
export function endHolds(
  draft: Draft,
  holds: readonly string[],
  reason: EndReason,
  note: string | null = null,
): void {
  if (holds.length === 0) return;
  leaveCheckouts(draft, holds, reason);
  draft.record({ kind: 'ended', reason, ...(note === null ? {} : { note }), holds });
}
