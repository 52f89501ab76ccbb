import { type Board, publicStateOf } from '#board';
import { bitmapOf, recordOf } from './event-record.ts';
import type { EventState } from './event-state.ts';
import { heldValue, keptUntil_ms, unixOf } from './seat-value.ts';

/** What is written in one call. */
export type Portion = Readonly<{
  /** By ordinal: what must be there; '*' is anything, '' is nothing. */
  seats: ReadonlyMap<number, string>;
  holds: readonly string[];
  /** Write the bitmap whole. */
  whole: boolean;
  /** What is stored belongs to another history: it does not count. */
  force: boolean;
  publish: boolean;
}>;

type Word = string | number | Buffer;

/** More seats than this are not listed in a message: whoever hears it looks for themselves. */
const MOST_LISTED = 1_000;

/** Keys and words of the script that writes, from the board as it is now. */
export function wordsOf(
  state: EventState,
  portion: Portion,
  now_ms: number,
): { keys: string[]; words: Word[] } {
  const { board, keys: names, stored } = state;
  const touched = portion.whole || stored === null ? null : state.touchedSince(stored);
  const bitmap = bitmapOf(board);
  const whole = touched === null ? bitmap : '';
  const bits = [...(touched ?? [])].map((ordinal) => [ordinal, publicStateOf(board, ordinal)]);
  const message = portion.publish ? messageOf(board, bits, touched === null) : '';
  const keys = [names.revision, names.bitmap, names.occupancy, names.seatHolds];
  const words: Word[] = [
    board.revision,
    // Without seats there is no bitmap that could be incomplete.
    board.plan.seatCount === 0 ? -1 : (stored ?? board.revision),
    whole,
    recordOf(board, bitmap, names, now_ms),
    names.changes,
    message,
    portion.force ? 'force' : '',
    bits.length,
    portion.seats.size,
    portion.holds.length,
  ];
  // Pushed one by one: lists of lists for every hold took longer than the rest.
  for (const [ordinal = 0, bit = 0] of bits) words.push(offsetOf(ordinal), bit);
  for (const [ordinal, expected] of portion.seats) {
    keys.push(names.seatHold(board.plan.seatIdOf(ordinal)));
    pushSeat(words, board, ordinal, expected);
  }
  for (const id of portion.holds) {
    keys.push(names.holdMeta(id));
    pushHold(words, board, id);
  }
  return { keys, words };
}

/** In the API a seat's bits begin at the lowest, in Redis a byte begins at its highest. */
function offsetOf(ordinal: number): number {
  return (ordinal >> 2) * 8 + 6 - (ordinal & 3) * 2;
}

/** For everybody: seats and their state, never who. */
function messageOf({ revision }: Board, bits: number[][], isWhole: boolean): string {
  if (isWhole || bits.length > MOST_LISTED) return JSON.stringify({ revision });
  return JSON.stringify({ revision, seats: bits });
}

function pushSeat(words: Word[], board: Board, ordinal: number, expected: string): void {
  const hold = board.holdOfSeat(ordinal);
  if (hold) words.push(heldValue(board, hold), keptUntil_ms(hold), expected);
  else words.push('', 0, expected);
}

function pushHold(words: Word[], board: Board, holdId: string): void {
  const hold = board.holdOf(holdId);
  if (!hold) {
    words.push(holdId, '', 0, '', '', '', '', '', '', '');
    return;
  }
  const { ordinal, zone, quantity, user_id, created_ms, source } = hold;
  const seatId = ordinal >= 0 ? board.plan.seatIdOf(ordinal) : '';
  const zoneId = board.config.zones[zone]?.zone_id ?? '';
  words.push(holdId, unixOf(hold.until_ms), keptUntil_ms(hold), seatId, zoneId, ordinal, quantity);
  words.push(user_id, unixOf(created_ms), source);
}
