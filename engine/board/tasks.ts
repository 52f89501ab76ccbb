import type { EndReason } from './changes.ts';

/**
 * Work on more seats than one flush may change. It is part of the board: the commit that accepts it
 * closes all its seats at once, every flush then does a piece, and any node can go on with it.
 */
export type BoardTask = Readonly<{
  task_id: string;
  reason: string | null;
  actor: TaskActor;
}> &
  (
    | Readonly<{ what: 'block' | 'unblock'; ordinals: readonly number[] }>
    | Readonly<{
        what: 'release';
        end_reason: EndReason;
        holds: readonly string[];
        /** Also what somebody is paying for. */
        force: boolean;
      }>
  );

/** What one commit does of it: a flush changes at most 1,000 seats, and others wait meanwhile. */
export const TASK_PIECE = 500;

/** On whose behalf the trail says it is done. */
export type TaskActor = Readonly<{
  kind: 'user' | 'key' | 'platform' | 'system';
  id: string | null;
  role: string | null;
}>;

export function sizeOf(task: BoardTask): number {
  return task.what === 'release' ? task.holds.length : task.ordinals.length;
}

/** The task without its first `count` pieces; null when nothing is left. */
export function without(task: BoardTask, count: number): BoardTask | null {
  if (sizeOf(task) <= count) return null;
  return task.what === 'release'
    ? { ...task, holds: task.holds.slice(count) }
    : { ...task, ordinals: task.ordinals.slice(count) };
}

/** Seats that a block has closed and not yet reached. */
export function closingSeats(tasks: readonly BoardTask[]): ReadonlySet<number> {
  return new Set(tasks.flatMap((task) => (task.what === 'block' ? task.ordinals : [])));
}

/** The last word about each seat that is still to be blocked or unblocked. */
export function promisedSeats(
  tasks: readonly BoardTask[],
): ReadonlyMap<number, 'block' | 'unblock'> {
  const promised = new Map<number, 'block' | 'unblock'>();
  for (const task of tasks) {
    if (task.what === 'release') continue;
    for (const ordinal of task.ordinals) promised.set(ordinal, task.what);
  }
  return promised;
}
