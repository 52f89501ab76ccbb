import { isCalledOff } from './board-config.ts';
import { settleCompanions } from './companion-release.ts';
import { blockNow } from './decide-block.ts';
import type { Draft } from './draft.ts';
import { endHolds, isPaying } from './leave-checkout.ts';
import type { Board } from './live-board.ts';
import { sizeOf, TASK_PIECE } from './tasks.ts';

/** Holds that one flush ends before anything else; more of them take more flushes. */
export const MOST_ENDED = 1_000;

/**
 * What every flush does first, so that the rules see only live holds: ends what is due, and all
 * holds of a cancelled event. True: that was not all, and nothing else may be decided yet.
 */
export function endDue(board: Board, draft: Draft, now_ms: number): boolean {
  const more = endWhatIsDue(board, draft, now_ms);
  settleCompanions(draft);
  return more;
}

function endWhatIsDue(board: Board, draft: Draft, now_ms: number): boolean {
  const due = board.due(now_ms, MOST_ENDED);
  if (isCalledOff(board.config)) {
    const rest = MOST_ENDED - due.length;
    const others = unpaid(board, new Set(due), rest);
    endHolds(draft, [...due, ...others], 'event_cancelled');
    return others.length === rest;
  }
  // Whose card was declined and who has not tried another is not simply out of time.
  const declined = due.filter((id) => isDeclined(board, id));
  const expired = declined.length === 0 ? due : due.filter((id) => !isDeclined(board, id));
  endHolds(draft, expired, 'ttl_expired');
  endHolds(draft, declined, 'payment_failed');
  return due.length === MOST_ENDED;
}

function isDeclined(board: Board, holdId: string): boolean {
  const checkout_id = board.holdOf(holdId)?.checkout_id;
  return checkout_id ? (board.checkoutOf(checkout_id)?.declined ?? false) : false;
}

/** Somebody may be paying at this moment: that waits for the provider's word, or its deadline. */
function unpaid(board: Board, due: ReadonlySet<string>, most: number): string[] {
  const ids: string[] = [];
  for (const hold of board.holds()) {
    if (ids.length === most) break;
    if (!due.has(hold.hold_id) && !isPaying(board, hold)) ids.push(hold.hold_id);
  }
  return ids;
}

/** The next piece of the first task. */
export function workTask(draft: Draft): void {
  const [task] = draft.tasks;
  if (!task) return;
  const count = Math.min(sizeOf(task), TASK_PIECE);
  if (task.what === 'release') {
    const holds = task.holds.slice(0, count).filter((id) => {
      const hold = draft.holdOf(id);
      return hold && (task.force || !isPaying(draft, hold));
    });
    endHolds(draft, holds, task.end_reason, task.reason);
  } else blockNow(draft, task.what, task.ordinals.slice(0, count), task.reason);
  draft.record({ kind: 'task_worked', count });
  settleCompanions(draft);
}

/** Is there anything to do that nobody has asked for? */
export function hasWork(board: Board, now_ms: number): boolean {
  if (board.tasks.length > 0) return true;
  if (isCalledOff(board.config) && board.holdCount > board.payingCount) return true;
  return board.nextDue() <= now_ms;
}
