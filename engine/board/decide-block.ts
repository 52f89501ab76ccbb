import { type BoardState, SEAT } from './board-state.ts';
import {
  type BlockedOutcome,
  type Command,
  type Facts,
  type Refused,
  type RefusedItem,
  refused,
} from './commands.ts';
import type { Draft } from './draft.ts';
import { endHolds, isPaying } from './leave-checkout.ts';
import { promisedSeats, TASK_PIECE } from './tasks.ts';

type BlockCommand = Command & { kind: 'block' | 'unblock' };

/**
 * Takes seats out of the sale, or puts them back. A held seat is taken from its holder; a sold one
 * keeps its ticket, which then waits for another seat. Seats of a closed zone stay closed, and so
 * do those of a zone that is used without its seats.
 */
export function decideBlock(
  draft: Draft,
  command: BlockCommand,
  facts: Facts,
): BlockedOutcome | Refused {
  const { kind, reason, actor } = command;
  const ordinals = new Set<number>();
  const items: RefusedItem[] = [];
  for (const seat_id of command.seat_ids) {
    const ordinal = draft.plan.ordinalOf(seat_id);
    if (ordinal === undefined) items.push({ seat_id, code: 'seat_not_found' });
    else if (kind === 'unblock' && isClosed(draft, ordinal)) {
      items.push({ seat_id, code: 'seat_not_available', label: draft.plan.labelOf(ordinal) });
    } else if (kind === 'block' && isBeingPaid(draft, ordinal)) {
      items.push({ seat_id, code: 'payment_in_progress', label: draft.plan.labelOf(ordinal) });
    } else ordinals.add(ordinal);
  }
  const [first] = items;
  if (first) return refused(first.code, items);
  const promised = promisedSeats(draft.tasks);
  const wanted = [...ordinals].filter((ordinal) => {
    const promise = promised.get(ordinal);
    return promise ? promise !== kind : changes(draft, kind, ordinal);
  });
  // A seat that a task has yet to reach waits behind it, or the task would undo this.
  const free = wanted.filter((ordinal) => !promised.has(ordinal));
  const now = free.slice(0, TASK_PIECE);
  if (now.length > 0) blockNow(draft, kind, now, reason);
  if (wanted.length > now.length) {
    const waiting = wanted.filter((ordinal) => promised.has(ordinal));
    const rest = [...free.slice(now.length), ...waiting];
    const task_id = facts.newId();
    draft.record({ kind: 'task', task: { task_id, what: kind, ordinals: rest, reason, actor } });
  }
  return {
    kind: kind === 'block' ? 'blocked' : 'unblocked',
    seats: wanted.length,
    unchanged: ordinals.size - wanted.length,
  };
}

/** Carries out a block or its end for seats that may have changed since it was decided. */
export function blockNow(
  draft: Draft,
  what: 'block' | 'unblock',
  wanted: readonly number[],
  reason: string | null,
): void {
  const ordinals = wanted.filter((ordinal) => changes(draft, what, ordinal));
  if (ordinals.length === 0) return;
  if (what === 'unblock') return draft.record({ kind: 'unblocked', ordinals, reason });
  const holds = ordinals.flatMap((ordinal) => draft.holdOfSeat(ordinal)?.hold_id ?? []);
  endHolds(draft, holds, 'admin_override');
  draft.record({ kind: 'blocked', ordinals, reason });
}

function changes(state: BoardState, what: 'block' | 'unblock', ordinal: number): boolean {
  const blocked = (state.codeOf(ordinal) & 3) === SEAT.blocked;
  return what === 'block' ? !blocked : blocked;
}

/** Whoever wants it all the same releases it by force first. */
function isBeingPaid(state: BoardState, ordinal: number): boolean {
  const hold = state.holdOfSeat(ordinal);
  return hold !== undefined && isPaying(state, hold);
}

function isClosed(state: BoardState, ordinal: number): boolean {
  const zone = state.config.zones[state.plan.zoneOf(ordinal)];
  return !zone || zone.disabled || !zone.has_seats;
}
