import type { Work } from '#desk';

/**
 * Closes a dialog when its work is done, also when that was begun in one that was closed meanwhile.
 * A dialog that is gone closes nothing: another one may be open in its place.
 */
export function closeWhenDone(workOf: () => Work<unknown>, onclose: () => void): void {
  $effect(() => {
    const { status, result } = workOf();
    const isStopped = (result as { isStopped?: boolean } | null)?.isStopped ?? false;
    if (status === 'done' && !isStopped) onclose();
  });
}
