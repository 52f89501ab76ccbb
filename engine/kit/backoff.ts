import type { Random } from './random.ts';

/**
 * How long to wait before try number `attempt` (0 is the first retry): doubling from `first_ms` to
 * `most_ms`, shortened at random by up to half so that many waiters do not come back together.
 */
export function backoff(
  attempt: number,
  limits: { first_ms: number; most_ms: number },
  random: Random,
): number {
  const full = Math.min(limits.first_ms * 2 ** attempt, limits.most_ms);
  return full * (1 - random.next() / 2);
}
