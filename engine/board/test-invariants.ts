import { holdTimes } from '#policies';
import type { BoardContent } from './board-content.ts';
import { BoardSeating } from './board-seating.ts';
import { type BoardState, type Hold, SEAT } from './board-state.ts';
import type { HoldCommand, Outcome } from './commands.ts';
import type { Board } from './live-board.ts';
import { boardFrom } from './test-boards.ts';

/** Places without seats by zone that were sold since the first board. */
type PlacesSold = ReadonlyMap<number, number>;

/** What must be true of every board after every row; each broken promise is a sentence. */
export function stateComplaints(
  board: Board,
  first: BoardContent | undefined,
  { now_ms, more, sold }: Readonly<{ now_ms: number; more: boolean; sold?: PlacesSold }>,
): string[] {
  const content = board.content();
  return [
    ...ownerComplaints(board, content),
    ...countComplaints(board, content, first, sold),
    ...indexComplaints(board, content.holds),
    ...timeComplaints(board, content.holds, more ? 0 : now_ms),
    ...(boardFrom(board.plan, content).digest === board.digest ? [] : ['the digest is not kept']),
    ...freeComplaints(board),
  ];
}

/** The index that was kept row by row is the one that would be made now. */
function freeComplaints(board: Board): string[] {
  const kept = board.free;
  const anew = new BoardSeating(board).index();
  const differs = Array.from({ length: board.plan.seatCount }, (_, ordinal) => ordinal).some(
    (ordinal) => kept.standingOf(ordinal) !== anew.standingOf(ordinal),
  );
  return differs ? ['the index of free seats is not kept'] : [];
}

function ownerComplaints(board: Board, { codes, holds }: BoardContent): string[] {
  const complaints: string[] = [];
  const owners = new Map<number, Hold>();
  for (const hold of holds) {
    if (hold.ordinal < 0) continue;
    if (owners.has(hold.ordinal)) complaints.push(`seat ${hold.ordinal} has two owners`);
    owners.set(hold.ordinal, hold);
  }
  for (let ordinal = 0; ordinal < board.plan.seatCount; ordinal++) {
    const held = codes[ordinal] === SEAT.held;
    const owner = owners.get(ordinal);
    if (held !== (owner !== undefined)) complaints.push(`seat ${ordinal} is held by nobody or not`);
    if (board.holdOfSeat(ordinal) !== owner) complaints.push(`seat ${ordinal} has another holder`);
  }
  return complaints;
}

function countComplaints(
  board: Board,
  { codes, holds }: BoardContent,
  first: BoardContent | undefined,
  more: PlacesSold = new Map(),
): string[] {
  return board.config.zones.flatMap(({ has_seats, capacity }, zone) => {
    const seats = [...codes].filter((_, ordinal) => board.plan.zoneOf(ordinal) === zone);
    const { sold = 0, blocked = 0 } = (has_seats ? undefined : first?.counts[zone]) ?? {};
    const counted = {
      held: holds.reduce((sum, hold) => sum + (hold.zone === zone ? hold.quantity : 0), 0),
      sold: has_seats
        ? seats.filter((code) => code === SEAT.sold).length
        : sold + (more.get(zone) ?? 0),
      blocked: has_seats ? seats.filter((code) => (code & 3) === SEAT.blocked).length : blocked,
    };
    const kept = board.countsOf(zone);
    const right = JSON.stringify(kept) === JSON.stringify(counted);
    const full = kept.held + kept.sold + kept.blocked > capacity;
    return [
      ...(right ? [] : [`zone ${zone} counts ${JSON.stringify(kept)}`]),
      ...(full ? [`zone ${zone} is over its capacity`] : []),
    ];
  });
}

/** The ways to find holds agree with the holds. */
function indexComplaints(board: Board, holds: readonly Hold[]): string[] {
  const users = new Set(holds.map(({ user_id }) => user_id));
  // Of an address and of each network around it.
  const ips = new Set(holds.flatMap(({ ip }) => ip?.split('.') ?? []));
  const wrongUsers = [...users].filter((user) => {
    const own = holds.filter(({ user_id }) => user_id === user);
    return idsOf(board.holdsOfUser(user)) !== idsOf(own);
  });
  const wrongIps = [...ips].filter((ip) => {
    const own = holds.filter((hold) => hold.ip?.split('.').includes(ip));
    const seats = own.reduce((sum, { quantity }) => sum + quantity, 0);
    return board.heldByIp(ip) !== seats;
  });
  return [...wrongUsers, ...wrongIps].map((who) => `the holds of ${who} are not found`);
}

function timeComplaints(board: Board, holds: readonly Hold[], now_ms: number): string[] {
  const earliest = Math.min(...holds.map(({ until_ms }) => until_ms));
  return [
    ...holds
      .filter(({ until_ms }) => until_ms <= now_ms)
      .map(({ hold_id }) => `hold ${hold_id} has outlived its time`),
    ...(board.nextDue() === earliest ? [] : ['the heap does not know what is due next']),
  ];
}

/** What must be true of an accepted wish, at the moment it is accepted. */
export function holdComplaints(
  before: BoardState,
  after: BoardState,
  command: HoldCommand,
  outcome: Outcome,
): string[] {
  if (outcome.kind !== 'held') return ['a wish was accepted without holds'];
  return [
    ...groupComplaints(before, after, command, outcome.holds),
    ...limitComplaints(before, after, command),
  ];
}

/** All of it is there, and what the user had already is what it was. */
function groupComplaints(
  before: BoardState,
  after: BoardState,
  { user_id, items, best }: HoldCommand,
  holds: readonly Hold[],
): string[] {
  const quantity = holds.reduce((sum, hold) => sum + hold.quantity, 0);
  const seats = new Set(items.flatMap((item) => ('seat_id' in item ? item.seat_id : [])));
  const zones = items.filter((item) => 'zone_id' in item);
  const complaints: string[] = [];
  const whole = best ? quantity === best.quantity : holds.length === seats.size + zones.length;
  if (!whole) complaints.push('a part of a group is missing');
  for (const hold of holds) {
    if (after.holdOf(hold.hold_id)?.user_id !== user_id) complaints.push('a hold of another');
    if (hold.ordinal < 0) continue;
    const owner = before.holdOfSeat(hold.ordinal);
    if (owner && owner !== hold) complaints.push(`seat ${hold.ordinal} was taken from its owner`);
    if (before.isClosing(hold.ordinal) && !owner) complaints.push('a closing seat was sold');
  }
  return complaints;
}

function limitComplaints(before: BoardState, after: BoardState, command: HoldCommand): string[] {
  const { policy } = after.config;
  const own = after.holdsOfUser(command.user_id);
  const fresh = own.filter(({ hold_id }) => before.holdOf(hold_id) === undefined);
  if (fresh.length === 0 || command.made_by !== null) return [];
  const booking = own.filter(({ made_by, checkout_id }) => {
    const paying = checkout_id !== null && after.checkoutOf(checkout_id)?.status === 'paying';
    return made_by === null && !paying;
  });
  const over = (holds: readonly Hold[], most: number | null) =>
    most !== null && holds.reduce((sum, { quantity }) => sum + quantity, 0) > most;
  const perIp = policy.max_holds_per_ip;
  const ipOver = command.ip !== null && perIp !== null && after.heldByIp(command.ip) > perIp;
  return [
    ...(over(booking, policy.max_seats_per_booking) ? ['a booking is over its limit'] : []),
    ...(over(own, policy.max_holds_per_user) ? ['a user is over the limit'] : []),
    ...(ipOver ? ['an address is over the limit'] : []),
  ];
}

/** An extension goes up to the cap and never back. */
export function extensionComplaints(before: Hold, after: Hold, board: BoardState): string[] {
  const { most_seconds } = holdTimes(board.config.policy);
  const cap_ms = before.created_ms + most_seconds * 1_000;
  return [
    ...(after.until_ms <= before.until_ms ? ['an extension does not prolong'] : []),
    ...(after.until_ms > cap_ms ? ['an extension goes beyond the cap'] : []),
  ];
}

function idsOf(holds: readonly Hold[]): string {
  return holds.map(({ hold_id }) => hold_id).join(' ');
}
