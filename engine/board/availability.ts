import { isCompanionKept } from '#allocation';
import { BoardSeating } from './board-seating.ts';
import { type Hold, SEAT, type ZoneCounts } from './board-state.ts';
import { freeCompanions } from './companion-release.ts';
import type { Board } from './live-board.ts';

/** What the world sees of a board at one moment; never who. */
export type Availability = Readonly<{
  revision: number;
  /** Two bits per seat, four seats to a byte, lowest bits first. */
  seats: Uint8Array;
  /** In the order of the zones; what is over does not count. */
  counts: readonly ZoneCounts[];
  /** It is right until this moment, unless the board changes. */
  until_ms: number;
}>;

/**
 * The public state at `now_ms`: a hold whose time is over is free at once, also before anybody has
 * swept it away; a seat that is about to be blocked is blocked.
 */
export function availabilityOf(board: Board, now_ms: number): Availability {
  const seats = board.packedStates();
  const set = (ordinal: number, state: number) => {
    const shift = (ordinal & 3) * 2;
    const byte = seats[ordinal >> 2] ?? 0;
    seats[ordinal >> 2] = (byte & ~(3 << shift)) | (state << shift);
  };
  for (const task of board.tasks) {
    if (task.what === 'block') for (const ordinal of task.ordinals) set(ordinal, SEAT.blocked);
  }
  for (const ordinal of keptCompanions(board)) set(ordinal, SEAT.blocked);
  const counts = board.config.zones.map((_, zone) => ({ ...publicCountsOf(board, zone) }));
  let until_ms = Number.POSITIVE_INFINITY;
  if (board.nextDue() <= now_ms) {
    for (const id of board.due(now_ms, Number.POSITIVE_INFINITY)) {
      const hold = board.holdOf(id);
      if (!hold) continue;
      const kept = isKept(board, hold.ordinal, { now_ms, userId: null });
      if (hold.ordinal >= 0 && !board.isClosing(hold.ordinal)) {
        set(hold.ordinal, kept ? SEAT.blocked : SEAT.available);
      }
      const zone = counts[hold.zone];
      if (zone) zone.held -= hold.quantity;
      if (zone && kept) zone.blocked++;
    }
    // Holds that are not due yet are somewhere below those that are: look again soon.
    until_ms = now_ms + LOOK_AGAIN_MS;
  } else until_ms = board.nextDue();
  return { revision: board.revision, seats, counts, until_ms };
}

const LOOK_AGAIN_MS = 100;

type Kept = Readonly<{ availability: Availability; from_ms: number }>;

const kept = new WeakMap<Board, Kept>();

/** The public state at `now_ms`, worked out again only when it may have changed. */
export function currentAvailability(board: Board, now_ms: number): Availability {
  const known = kept.get(board);
  // A node's event time goes back where it came from a clock that had been set: what was over by
  // then has time left again.
  const isOfNow = known && known.from_ms <= now_ms && now_ms < known.availability.until_ms;
  if (isOfNow && known.availability.revision === board.revision) return known.availability;
  const availability = availabilityOf(board, now_ms);
  kept.set(board, { availability, from_ms: now_ms });
  return availability;
}

/** Companion seats that are kept, no matter for whom. */
function* keptCompanions(board: Board): Iterable<number> {
  for (const zone of keepingZones(board)) {
    yield* freeCompanions(board, zone);
  }
}

function keepingZones(board: Board): readonly number[] {
  if (!board.config.policy.enforce_accessibility_rules) return [];
  return board.plan.seating.companionZones.filter((zone) => !board.isReleased(zone));
}

/** What the public may count on: a companion seat that is kept is not available to it. */
export function publicCountsOf(board: Board, zone: number): ZoneCounts {
  const { held, sold, blocked } = board.countsOf(zone);
  const kept = keepingZones(board).includes(zone) ? freeCompanions(board, zone).length : 0;
  return { held, sold, blocked: blocked + kept };
}

/**
 * Is a free seat kept for somebody else, the companion of a wheelchair user? Without a user: is it
 * out of the sale for the public?
 */
export function isKept(
  board: Board,
  ordinal: number,
  { now_ms, userId }: { now_ms: number; userId: string | null },
): boolean {
  const seating = new BoardSeating(board);
  if (!isCompanionKept(seating, ordinal) || board.isClosing(ordinal)) return false;
  const isLive = (hold: Hold | undefined) => hold !== undefined && hold.until_ms > now_ms;
  const own = board.holdOfSeat(ordinal);
  const isFree = own ? !isLive(own) : board.codeOf(ordinal) === SEAT.available;
  if (!isFree || userId === null) return isFree;
  const space = seating.plan.spaceOf(ordinal) ?? -1;
  const hold = board.holdOfSeat(space);
  return (hold && !isLive(hold)) || seating.holderOf(space) !== userId;
}

/** Free companion seats that are kept for a user who holds or owns their wheelchair space. */
export function companionsFor(board: Board, userId: string, now_ms: number): number[] {
  return keepingZones(board)
    .flatMap((zone) => board.plan.seating.companionSeats[zone] ?? [])
    .filter((ordinal) => {
      return (
        isKept(board, ordinal, { now_ms, userId: null }) &&
        !isKept(board, ordinal, { now_ms, userId })
      );
    });
}

/** The public state of one seat as the board has it, whether or not a hold is over. */
export function publicStateOf(board: Board, ordinal: number): number {
  const always = { now_ms: Number.NEGATIVE_INFINITY, userId: null };
  if (board.isClosing(ordinal) || isKept(board, ordinal, always)) return SEAT.blocked;
  return board.codeOf(ordinal) & 3;
}
