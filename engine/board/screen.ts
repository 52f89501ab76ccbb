import { nothingLeft } from '#allocation';
import type { BoardState } from './board-state.ts';
import type { BestRequest, Facts, HoldCommand, Refused } from './commands.ts';
import { refused } from './commands.ts';
import { judgeItems, refuseSale } from './hold-rules.ts';
import type { Board } from './live-board.ts';

/** A hold that ends this soon may be over by the time Postgres is asked. */
const SOON_MS = 50;
/** More than this many due holds at once: then Postgres is asked without looking further. */
const MOST_DUE = 200;

/**
 * What this board alone can refuse, without Postgres: no sale, sold, held by another with time
 * left, zone full. Null: it has to be decided. Whoever holds something here or was accepted with a
 * key may be repeating a wish, and always gets the exact answer.
 */
export function screen(
  board: Board,
  command: HoldCommand,
  facts: Pick<Facts, 'now_ms' | 'wall_ms' | 'organizationActive'>,
): Refused | null {
  if (board.hasKey(command.user_id) || board.holdsOfUser(command.user_id).length > 0) return null;
  const closed = refuseSale(board, command, facts);
  if (closed) return closed;
  if (command.best) return screenBest(board, command.best, facts.now_ms + SOON_MS);
  const { items } = judgeItems(board, command, facts.now_ms + SOON_MS);
  const [first] = items;
  if (!first || isStale(board, items, facts.now_ms + SOON_MS)) return null;
  return refused(first.code, items);
}

/** There are not that many free seats anywhere it was asked for, and none is about to be. */
function screenBest(board: Board, request: BestRequest, now_ms: number): Refused | null {
  const { quantity, zone_ids, general_admission } = request;
  if (general_admission || board.nextDue() <= now_ms) return null;
  const named = new Set(zone_ids.map((zone_id) => zone_id.toLowerCase()));
  const { zones } = board.config;
  const prices = new Set(
    zones.flatMap((zone) => (named.has(zone.zone_id) ? zone.price_cents : [])),
  );
  const open = zones.reduce((sum, zone, number) => {
    const asked = named.size === 0 || named.has(zone.zone_id) || prices.has(zone.price_cents);
    return asked ? sum + board.free.zone(number).open : sum;
  }, 0);
  if (open >= quantity || [...named].some((id) => !zones.some((zone) => zone.zone_id === id))) {
    return null;
  }
  return { ...refused('no_available_seats'), message: nothingLeft(request).message };
}

/** Something in the way is about to be over. */
function isStale(board: Board, items: Refused['items'], now_ms: number): boolean {
  if (board.nextDue() > now_ms) return false;
  const due = board.due(now_ms, MOST_DUE);
  if (due.length === MOST_DUE) return true;
  const seats = new Set(items.map(({ ordinal }) => ordinal));
  const zones = new Set(items.map(({ zone }) => zone));
  return due.some((id) => {
    const hold = (board as BoardState).holdOf(id);
    return hold && (hold.ordinal >= 0 ? seats.has(hold.ordinal) : zones.has(hold.zone));
  });
}
