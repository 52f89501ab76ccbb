import { backoff, type Random } from '#kit';

/** Five seconds, doubling to four hours; each shortened at random by up to half. */
const PAUSE = { first_ms: 5_000, most_ms: 4 * 3_600_000 };
/** A weekend and a day: somebody has come to work in between. */
const GIVE_UP_MS = 72 * 3_600_000;
/** The answer of a receiver that does not want to hear from us again. */
const GONE = 410;

export type DisableReason = 'failing' | 'gone';

/** What becomes of a delivery that did not arrive, and of its endpoint. */
export type AfterFailure = Readonly<{
  /** When it is tried again; null: it is given up. */
  next_ms: number | null;
  disable: DisableReason | null;
}>;

export function afterFailure(
  failure: {
    /** Tries so far, this one included. */
    attempts: number;
    first_attempt_ms: number;
    failing_since_ms: number;
    now_ms: number;
    response_status: number | null;
  },
  random: Random,
): AfterFailure {
  const { now_ms } = failure;
  if (failure.response_status === GONE) return { next_ms: null, disable: 'gone' };
  const over = (since_ms: number) => now_ms - since_ms >= GIVE_UP_MS;
  const pause_ms = backoff(failure.attempts - 1, PAUSE, random);
  return {
    next_ms: over(failure.first_attempt_ms) ? null : now_ms + pause_ms,
    disable: over(failure.failing_since_ms) ? 'failing' : null,
  };
}
