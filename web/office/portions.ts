import type { WorkTools } from '#desk';

/** As much as one flush of the server takes: then there is progress to be seen. */
export const PORTION = 1_000;

export type PortionsDone = Readonly<{ done: number; total: number; isStopped: boolean }>;

/**
 * Does something to many things, a portion after the other. Each portion has its own key, the same
 * at every try: after a failure all of it is asked for again, and what was done is only answered
 * again. Between portions it can be stopped.
 */
export async function inPortions<Item>(
  items: readonly Item[],
  { key, progress, signal }: WorkTools,
  step: (portion: readonly Item[], key: string) => Promise<unknown>,
  size = PORTION,
): Promise<PortionsDone> {
  const total = items.length;
  progress(0, total);
  for (let from = 0; from < total; from += size) {
    if (signal.aborted) return { done: from, total, isStopped: true };
    await step(items.slice(from, from + size), key(from / size + 1));
    progress(Math.min(from + size, total), total);
  }
  return { done: total, total, isStopped: false };
}
