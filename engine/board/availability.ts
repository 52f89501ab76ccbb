import { softReservedFor } from '#allocation';
import { BoardSeating } from './board-seating.ts';
import { SEAT, type ZoneCounts } from './board-state.ts';
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
  for (const ordinal of keptCompanions(board, now_ms)) set(ordinal, SEAT.blocked);
  const counts = board.config.zones.map((_, zone) => ({ ...board.countsOf(zone) }));
  let until_ms = Number.POSITIVE_INFINITY;
  if (board.nextDue() <= now_ms) {
    for (const id of board.due(now_ms, Number.POSITIVE_INFINITY)) {
      const hold = board.holdOf(id);
      if (!hold) continue;
      if (hold.ordinal >= 0 && !board.isClosing(hold.ordinal)) set(hold.ordinal, SEAT.available);
      const zone = counts[hold.zone];
      if (zone) zone.held -= hold.quantity;
    }
    // Holds that are not due yet are somewhere below those that are: look again soon.
    until_ms = now_ms + LOOK_AGAIN_MS;
  } else until_ms = board.nextDue();
  return { revision: board.revision, seats, counts, until_ms };
}

const LOOK_AGAIN_MS = 100;

/** Companion seats that are kept for whoever has their wheelchair space at this moment. */
function* keptCompanions(board: Board, now_ms: number): Iterable<number> {
  const seating = new BoardSeating(board);
  for (const [space, companions] of seating.plan.companions) {
    // Nobody has the space: there is nobody to keep seats for. Of most halls that is most of them.
    if (seating.holderOf(space) === undefined) continue;
    for (const ordinal of companions) {
      if (isKeptForOther(board, seating, { ordinal, space, now_ms, userId: null })) yield ordinal;
    }
  }
}

type Kept = { ordinal: number; space: number; now_ms: number; userId: string | null };

function isKeptForOther(
  board: Board,
  seating: BoardSeating,
  { ordinal, space, now_ms, userId }: Kept,
): boolean {
  const owner = softReservedFor(seating, ordinal);
  if (owner === undefined || owner === userId || !seating.isAvailable(ordinal)) return false;
  const hold = board.holdOfSeat(space);
  return hold === undefined || hold.until_ms > now_ms;
}

/** Is a free seat kept for somebody else, the companion of a wheelchair user? */
export function isKept(
  board: Board,
  ordinal: number,
  { now_ms, userId }: { now_ms: number; userId: string | null },
): boolean {
  const space = board.plan.seating.spaceOf(ordinal);
  if (space === undefined) return false;
  return isKeptForOther(board, new BoardSeating(board), { ordinal, space, now_ms, userId });
}

/** The public state of one seat as the board has it, whether or not a hold is over. */
export function publicStateOf(board: Board, ordinal: number): number {
  const always = { now_ms: Number.NEGATIVE_INFINITY, userId: null };
  if (board.isClosing(ordinal) || isKept(board, ordinal, always)) return SEAT.blocked;
  return board.codeOf(ordinal) & 3;
}
