import type { Hold } from './board-state.ts';
import { settleCompanions } from './companion-release.ts';
import { blockNow } from './decide-block.ts';
import type { Draft } from './draft.ts';
import type { Board } from './live-board.ts';
import { sizeOf, TASK_PIECE } from './tasks.ts';

/** Holds that one flush ends before anything else; more of them take more flushes. */
export const MOST_ENDED = 1_000;

/**
 * What every flush does first, so that the rules see only live holds: ends what is due, and all
 * holds of a cancelled event. True: that was not all, and nothing else may be decided yet.
 */
export function endDue(board: Board, draft: Draft, now_ms: number): boolean {
  const more = endHolds(board, draft, now_ms);
  settleCompanions(draft);
  return more;
}

function endHolds(board: Board, draft: Draft, now_ms: number): boolean {
  if (isCalledOff(board)) {
    return endAll(draft, board.holds(), 'event_cancelled');
  }
  const due = board.due(now_ms, MOST_ENDED);
  if (due.length > 0) draft.record({ kind: 'ended', reason: 'ttl_expired', holds: due });
  return due.length === MOST_ENDED;
}

/** A cancelled event may be archived before all its holds have ended. */
function isCalledOff({ config }: Board): boolean {
  return config.event.status === 'cancelled' || config.event.status === 'archived';
}

function endAll(draft: Draft, holds: Iterable<Hold>, reason: 'event_cancelled'): boolean {
  const ids: string[] = [];
  for (const { hold_id } of holds) {
    if (ids.length === MOST_ENDED) break;
    ids.push(hold_id);
  }
  if (ids.length > 0) draft.record({ kind: 'ended', reason, holds: ids });
  return ids.length === MOST_ENDED;
}

/** The next piece of the first task. */
export function workTask(draft: Draft): void {
  const [task] = draft.tasks;
  if (!task) return;
  const count = Math.min(sizeOf(task), TASK_PIECE);
  if (task.what === 'release') {
    const holds = task.holds.slice(0, count).filter((id) => draft.holdOf(id) !== undefined);
    const note = task.reason === null ? {} : { note: task.reason };
    if (holds.length > 0) draft.record({ kind: 'ended', reason: task.end_reason, ...note, holds });
  } else blockNow(draft, task.what, task.ordinals.slice(0, count), task.reason);
  draft.record({ kind: 'task_worked', count });
  settleCompanions(draft);
}

/** Is there anything to do that nobody has asked for? */
export function hasWork(board: Board, now_ms: number): boolean {
  if (board.tasks.length > 0) return true;
  if (isCalledOff(board)) return board.holdCount > 0;
  return board.nextDue() <= now_ms;
}
