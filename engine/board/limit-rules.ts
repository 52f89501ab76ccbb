import { holdsPerIp } from '#policies';
import type { BoardState, Hold } from './board-state.ts';
import { type HoldCommand, type Refused, refused } from './commands.ts';

/** Does the wish fit into what one booking, one user and one address may hold? */
export function refuseLimits(
  state: BoardState,
  command: HoldCommand,
  cart_token: string,
  added: number,
): Refused | null {
  if (command.made_by !== null || added === 0) return null;
  const { policy } = state.config;
  const own = state.holdsOfUser(command.user_id);
  const inCart = own.filter((hold) => hold.cart_token === cart_token);
  const exceeded = (limit: string, most: number | null, has: number) =>
    most !== null && has + added > most ? tooMany(limit, most, has) : null;
  const perIp = holdsPerIp(policy, command);
  return (
    exceeded('max_seats_per_booking', policy.max_seats_per_booking, seatsOf(inCart)) ??
    exceeded('max_holds_per_user', policy.max_holds_per_user, seatsOf(own)) ??
    (command.ip === null ? null : exceeded('max_holds_per_ip', perIp, state.heldByIp(command.ip)))
  );
}

function tooMany(limit: string, most: number, held: number): Refused {
  return refused('hold_limit_reached', [], { limit, most, held });
}

function seatsOf(holds: readonly Hold[]): number {
  return holds.reduce((sum, hold) => sum + hold.quantity, 0);
}
