import type { Work } from '#desk';

/** Work that was stopped, or that left something as it was, is not done. */
type Unfinished = Readonly<{ isStopped?: boolean; kept?: number }>;

/**
 * Closes a dialog when its work is done, also when that was begun in one that was closed meanwhile.
 * A dialog that is gone closes nothing: another one may be open in its place.
 */
export function closeWhenDone(workOf: () => Work<unknown>, onclose: () => void): void {
  $effect(() => {
    const { status, result } = workOf();
    const { isStopped = false, kept = 0 } = (result ?? {}) as Unfinished;
    if (status === 'done' && !isStopped && kept === 0) onclose();
  });
}
