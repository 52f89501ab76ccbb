import { holdsPerIp, holdsPerNetwork, holdsPerShare } from '#policies';
import { countedOf } from './addresses.ts';
import type { BoardState } from './board-state.ts';
import { bookingOf, quantityOf, tooManySeats } from './booking-rules.ts';
import { type HoldCommand, type Refused, refused } from './commands.ts';

/** Does it fit into what one booking, one user, one address and one network may hold? */
export function refuseLimits(
  state: BoardState,
  command: HoldCommand,
  added: number,
): Refused | null {
  if (command.made_by !== null || added === 0) return null;
  const { policy } = state.config;
  const inBooking = quantityOf(bookingOf(state, command.user_id));
  const most = policy.max_seats_per_booking;
  if (inBooking + added > most) return tooManySeats(most, inBooking, added);
  const own = quantityOf(state.holdsOfUser(command.user_id));
  const exceeded = (limit: Limit, most: number | null, has: number) =>
    most !== null && has + added > most ? tooMany(limit, most, has, added) : null;
  return (
    exceeded('max_holds_per_user', policy.max_holds_per_user, own) ??
    (command.ip === null ? null : refuseNetworks(state, command, command.ip, exceeded))
  );
}

type Exceeded = (limit: Limit, most: number | null, has: number) => Refused | null;

/**
 * The address, then what is around it: a home with IPv6 has 256 addresses of this kind, and a
 * rented server 65,536.
 */
function refuseNetworks(
  state: BoardState,
  command: HoldCommand,
  ip: string,
  exceeded: Exceeded,
): Refused | null {
  const { policy, zones } = state.config;
  const { address, site, network } = countedOf(ip);
  const perIp = holdsPerIp(policy, command);
  const alone = exceeded('max_holds_per_ip', perIp, state.heldByIp(address));
  if (alone || network === null) return alone;
  if (site !== null) {
    const wider =
      exceeded('max_holds_per_ip', perIp, state.heldByIp(site)) ??
      exceeded('max_holds_per_ip', holdsPerNetwork(perIp), state.heldByIp(network));
    if (wider) return wider;
  }
  const capacity = () => zones.reduce((sum, one) => sum + (one.disabled ? 0 : one.capacity), 0);
  const share = holdsPerShare(policy, capacity);
  return exceeded('max_network_share_percent', share, state.heldByIp(network));
}

/** Who has as many as they may, and how that is said. */
const HOLDERS = {
  max_holds_per_user: ['You', 'you hold'],
  max_holds_per_ip: ['Buyers at your internet address', 'they hold'],
  max_network_share_percent: ['Buyers in your network', 'they hold'],
} as const;
type Limit = keyof typeof HOLDERS;

function tooMany(limit: Limit, most: number, held: number, added: number): Refused {
  const [who, hold] = HOLDERS[limit];
  const seats = most === 1 ? '1 seat' : `${most} seats`;
  const may = `${who} may hold ${seats} of this event at a time`;
  const message = `${may}: ${hold} ${held}, and you asked for ${added} more.`;
  return { ...refused('hold_limit_reached', [], { limit, most, held }), message };
}
