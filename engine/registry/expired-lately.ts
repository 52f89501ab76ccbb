import type { Board, ChangeRow } from '#board';
import { forgetOldest } from '#kit';

/** A buyer who comes later than this does not ask any more where the hold is. */
const LATELY_MS = 15 * 60_000;
/** Carts of one event, of 200 bytes each. */
const MOST_CARTS = 4_000;

type Cart = Readonly<{ user_id: string; cart_token: string; at_ms: number }>;

/**
 * Whose holds of an event ended by time a while ago: the board forgets a hold when it ends.
 * Asking the table costs a read for each checkout of an empty cart, which every buyer may
 * repeat. A node that loads the board later does not know.
 */
export class ExpiredLately {
  /** The oldest first. */
  readonly #carts = new Map<string, Cart>();

  /** Before the board takes the row: it still has the holds that end. */
  note(
    board: Pick<Board, 'holdOf'>,
    { changes, at_ms }: Pick<ChangeRow, 'changes' | 'at_ms'>,
  ): void {
    for (const change of changes) {
      const isHeld = change.kind === 'held' && this.#carts.size > 0;
      if (isHeld) this.#carts.delete(nameOf(change.user_id, change.cart_token));
      if (change.kind !== 'ended' || change.reason !== 'ttl_expired') continue;
      for (const id of change.holds) {
        const hold = board.holdOf(id);
        if (hold) this.#add({ user_id: hold.user_id, cart_token: hold.cart_token, at_ms });
      }
    }
  }

  /** Carts that are remembered. */
  get size(): number {
    return this.#carts.size;
  }

  /** A cart of this user, or this one, was emptied by time and has not been filled again. */
  has(user_id: string, cart_token: string | null, now_ms: number): boolean {
    const isLate = ({ at_ms }: Cart) => now_ms - at_ms <= LATELY_MS;
    if (cart_token !== null) {
      const cart = this.#carts.get(nameOf(user_id, cart_token));
      return cart !== undefined && isLate(cart);
    }
    return [...this.#carts.values()].some((cart) => cart.user_id === user_id && isLate(cart));
  }

  #add(cart: Cart): void {
    const name = nameOf(cart.user_id, cart.cart_token);
    this.#carts.delete(name);
    this.#carts.set(name, cart);
    for (const [older, { at_ms }] of this.#carts) {
      if (cart.at_ms - at_ms <= LATELY_MS) break;
      this.#carts.delete(older);
    }
    forgetOldest(this.#carts, MOST_CARTS);
  }
}

function nameOf(user_id: string, cart_token: string): string {
  return `${user_id} ${cart_token}`;
}
