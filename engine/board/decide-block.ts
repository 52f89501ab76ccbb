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
import { type BoardTask, TASK_PIECE } from './tasks.ts';

type BlockCommand = Command & { kind: 'block' | 'unblock' };

/**
 * Takes seats out of the sale, or puts them back. A held seat is taken from its holder; a sold one
 * keeps its ticket, which then waits for another seat. Seats of a closed zone stay closed.
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
    } else ordinals.add(ordinal);
  }
  const [first] = items;
  if (first) return refused(first.code, items);
  const pending = pendingIn(draft.tasks);
  const wanted = [...ordinals].filter((ordinal) => {
    const before = pending.get(ordinal);
    return before ? before !== kind : changes(draft, kind, ordinal);
  });
  // A seat that an earlier task has yet to reach waits for it, so that the later wish stands.
  const free = wanted.filter((ordinal) => !pending.has(ordinal));
  const now = free.slice(0, TASK_PIECE);
  if (now.length > 0) blockNow(draft, kind, now, reason);
  if (wanted.length > now.length) {
    const done = new Set(now);
    const rest = wanted.filter((ordinal) => !done.has(ordinal));
    const task_id = facts.newId();
    draft.record({ kind: 'task', task: { task_id, what: kind, ordinals: rest, reason, actor } });
  }
  return {
    kind: kind === 'block' ? 'blocked' : 'unblocked',
    seats: wanted.length,
    unchanged: ordinals.size - wanted.length,
  };
}

/** What unfinished tasks will have made of their seats in the end. */
function pendingIn(tasks: readonly BoardTask[]): ReadonlyMap<number, 'block' | 'unblock'> {
  const pending = new Map<number, 'block' | 'unblock'>();
  for (const task of tasks) {
    if (task.what === 'release') continue;
    for (const ordinal of task.ordinals) pending.set(ordinal, task.what);
  }
  return pending;
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
  if (holds.length > 0) draft.record({ kind: 'ended', reason: 'admin_override', holds });
  draft.record({ kind: 'blocked', ordinals, reason });
}

function changes(state: BoardState, what: 'block' | 'unblock', ordinal: number): boolean {
  const blocked = (state.codeOf(ordinal) & 3) === SEAT.blocked;
  return what === 'block' ? !blocked : blocked;
}

function isClosed(state: BoardState, ordinal: number): boolean {
  return state.config.zones[state.plan.zoneOf(ordinal)]?.disabled ?? true;
}
