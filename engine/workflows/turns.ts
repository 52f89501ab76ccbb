import { OperatingError, Semaphore } from '#kit';

/**
 * Changes of one organization are in one order anyway, by its audit chain: one works, others
 * wait.
 */
const AT_ONCE = 1;
/** An activation of the largest layout takes seconds; nobody waits longer than their own time. */
const WAIT_MS = 30_000;
/** Longer than this the queue of one organization is not: refuse early instead. */
const QUEUE = 100;

const turns = new Map<string, Semaphore>();

/**
 * Takes turns before a connection is taken, not after: a hundred changes of one organization then
 * wait in memory, and every other organization still finds a connection.
 */
export async function inTurn<Result>(
  organizationId: string,
  left_ms: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const turn = turns.get(organizationId) ?? new Semaphore(AT_ONCE);
  turns.set(organizationId, turn);
  if (turn.waiting >= QUEUE || !(await turn.acquire(Math.min(WAIT_MS, Math.max(left_ms, 0))))) {
    const message = 'too many changes of one organization at once';
    throw new OperatingError('overloaded', message, { retryable: true });
  }
  try {
    return await work();
  } finally {
    turn.release();
    if (turn.taken === 0 && turn.waiting === 0) turns.delete(organizationId);
  }
}
