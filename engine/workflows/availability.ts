import { seatingNumbers } from '#allocation';
import {
  type Availability,
  availabilityOf,
  type Board,
  boardCounts,
  Draft,
  endDue,
  isKept,
  wordOf,
} from '#board';
import type { Scope } from '#scope';
import type { Engine } from './change.ts';

export type BoardView = Readonly<{ board: Board; availability: Availability; at_ms: number }>;

/** Made once for everybody who asks while nothing changes. */
const views = new WeakMap<Board, Availability>();

/** What is left of an event, as of now; null when it is not on sale. */
export async function eventAvailability(
  engine: Engine,
  scope: Scope,
  eventId: string,
): Promise<BoardView | null> {
  const board = await engine.registry.board({ scope, eventId });
  if (!board) return null;
  const at_ms = engine.registry.now(board);
  const known = views.get(board);
  if (known && known.revision === board.revision && at_ms < known.until_ms) {
    return { board, availability: known, at_ms };
  }
  const availability = availabilityOf(board, at_ms);
  views.set(board, availability);
  return { board, availability, at_ms };
}

/** How well the event is filled, as of now; null when it is not on sale. */
export async function eventNumbers(engine: Engine, scope: Scope, eventId: string) {
  const view = await eventAvailability(engine, scope, eventId);
  if (!view) return null;
  const draft = new Draft(view.board, view.at_ms);
  endDue(view.board, draft, view.at_ms);
  return { ...view, numbers: seatingNumbers([boardCounts(draft)]) };
}

export type SeatStatus = Readonly<{
  seat_id: string;
  label: string;
  status: string;
  /** Of a held seat: when it will be free again, at the latest extension of now. */
  expires_in_seconds?: number;
  mine: boolean;
}>;

/** One seat: what it is, and whether it is the caller's. */
export async function seatStatus(
  engine: Engine,
  scope: Scope,
  seat: { eventId: string; seatId: string; userId: string | null },
): Promise<SeatStatus | { kind: 'event_not_found' } | { kind: 'seat_not_found' }> {
  const board = await engine.registry.board({ scope, eventId: seat.eventId });
  if (!board) return { kind: 'event_not_found' };
  const ordinal = board.plan.ordinalOf(seat.seatId);
  if (ordinal === undefined) return { kind: 'seat_not_found' };
  const at_ms = engine.registry.now(board);
  const about = { seat_id: board.plan.seatIdOf(ordinal), label: board.plan.labelOf(ordinal) };
  const hold = board.holdOfSeat(ordinal);
  const live = hold && hold.until_ms > at_ms ? hold : undefined;
  const mine = live !== undefined && live.user_id === seat.userId;
  if (live) {
    const expires_in_seconds = Math.ceil((live.until_ms - at_ms) / 1_000);
    return { ...about, status: 'held', expires_in_seconds, mine };
  }
  const kept = isKept(board, ordinal, { now_ms: at_ms, userId: seat.userId });
  const closed = board.isClosing(ordinal) || kept;
  const status = closed ? 'blocked' : hold ? 'available' : wordOf(board.codeOf(ordinal));
  return { ...about, status, mine };
}
