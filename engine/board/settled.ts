import type { Hold } from './board-state.ts';

/**
 * Carts whose every seat was chosen by the engine or insisted on, and nothing of them was given
 * back or left out; or what staff hold for a caller.
 */
export function isSettled(holds: readonly Hold[]): boolean {
  const carts = new Map<string, Hold[]>();
  for (const hold of holds.filter(({ ordinal }) => ordinal >= 0)) {
    const cart = carts.get(hold.cart_token) ?? [];
    cart.push(hold);
    carts.set(hold.cart_token, cart);
  }
  return [...carts.values()].every(isCartSettled);
}

function isCartSettled(seats: readonly Hold[]): boolean {
  if (seats.every(({ made_by }) => made_by !== null)) return true;
  const whole = Math.max(...seats.map(({ settled = 0 }) => settled));
  return seats.every(({ settled }) => settled) && seats.length === whole;
}
