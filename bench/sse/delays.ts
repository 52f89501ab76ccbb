import type { Told } from '#load';
import type { Heard } from './listeners.ts';

/** Longer ones are counted with the longest. */
const MOST_MS = 10_000;

/** Of all listeners and all commits: how long after the one the other had it. */
export type Delays = Readonly<{ p50_ms: number; p95_ms: number; p99_ms: number; pairs: number }>;

/**
 * `since` says from when on: a buyer's answer, or already their request. Millions of pairs are
 * counted by the millisecond instead of being kept.
 */
export function delaysOf(
  heard: readonly Heard[],
  commits: readonly Told[],
  since: 'sent' | 'told',
): Delays {
  // Several wishes may be one commit; the first who is told of it counts.
  const began = new Map<number, number>();
  for (const [revision, sent_ms, told_ms] of commits) {
    const at_ms = since === 'sent' ? sent_ms : told_ms;
    began.set(revision, Math.min(began.get(revision) ?? Number.POSITIVE_INFINITY, at_ms));
  }
  const counts = new Uint32Array(MOST_MS + 1);
  let pairs = 0;
  for (const { from, revision, times_ms } of heard) {
    for (let one = from + 1; one <= revision; one++) {
      const begun_ms = began.get(one);
      if (begun_ms === undefined) continue;
      for (const time_ms of times_ms) {
        // A frame may be faster than the answer.
        const delay = Math.min(MOST_MS, Math.max(0, Math.ceil(time_ms - begun_ms)));
        counts[delay] = (counts[delay] ?? 0) + 1;
        pairs++;
      }
    }
  }
  const at = (percent: number) => percentileOf(counts, (pairs * percent) / 100);
  return { p50_ms: at(50), p95_ms: at(95), p99_ms: at(99), pairs };
}

function percentileOf(counts: Uint32Array, wanted: number): number {
  let sum = 0;
  for (let value = 0; value < counts.length; value++) {
    sum += counts[value] ?? 0;
    if (sum >= wanted) return value;
  }
  return counts.length;
}
