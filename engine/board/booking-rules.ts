import type { BoardState, Hold } from './board-state.ts';
import { type Refused, refused } from './commands.ts';
import { isPaying } from './leave-checkout.ts';

/**
 * What a buyer is about to buy in one checkout: a checkout without names takes every cart, and an
 * open one takes more. What is being paid for is a booking of its own, and what staff hold for a
 * caller is theirs to judge.
 */
export function bookingOf(state: BoardState, userId: string): Hold[] {
  return state
    .holdsOfUser(userId)
    .filter((hold) => hold.made_by === null && !isPaying(state, hold));
}

export function quantityOf(holds: readonly Hold[]): number {
  return holds.reduce((sum, hold) => sum + hold.quantity, 0);
}

export function seatsOf(holds: readonly Hold[]): number[] {
  return holds.flatMap(({ ordinal }) => (ordinal >= 0 ? [ordinal] : []));
}

/** The limits of a booking for all of a checkout, whatever carts its holds came by. */
export function refuseBooking(state: BoardState, holds: readonly Hold[]): Refused | null {
  const own = holds.filter(({ made_by }) => made_by === null);
  const { max_seats_per_booking: most } = state.config.policy;
  const held = quantityOf(own);
  return held > most ? tooManySeats(most, held, 0) : refuseSpaces(state, seatsOf(own), 0);
}

/** `added`: not held yet. */
export function tooManySeats(most: number, held: number, added: number): Refused {
  const limit = 'max_seats_per_booking';
  const seats = most === 1 ? 'seat' : 'seats';
  const message = `A booking may have ${most} ${seats}: ${has(held, added)}.`;
  return { ...refused('hold_limit_reached', [], { limit, most, held }), message };
}

/** `added`: wheelchair spaces that the engine is to choose. */
export function refuseSpaces(
  state: BoardState,
  seats: readonly number[],
  added: number,
): Refused | null {
  const { enforce_accessibility_rules, max_wheelchair_seats_per_booking: most } =
    state.config.policy;
  if (!enforce_accessibility_rules) return null;
  const held = seats.filter((seat) => state.plan.seating.isSpace(seat)).length;
  return held + added > most ? tooManySpaces(most, held, added) : null;
}

export function tooManySpaces(most: number, held: number, added: number): Refused {
  const limit = 'max_wheelchair_seats_per_booking';
  const spaces = most === 1 ? 'wheelchair space' : 'wheelchair spaces';
  const message = `A booking may have ${most} ${spaces}: ${has(held, added)}.`;
  return { ...refused('wheelchair_limit', [], { limit, most, held }), message };
}

function has(held: number, added: number): string {
  if (added === 0) return `this one has ${held}`;
  return held === 0 ? `you asked for ${added}` : `you have ${held} and asked for ${added} more`;
}
