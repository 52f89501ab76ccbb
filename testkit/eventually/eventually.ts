/**
 * Eventually: waiting for something to become true, with a bound. Tests never sleep a fixed time
 * and hope; they look again until the answer is right or the time is over, and then say what they
 * last saw.
 *
 * The bound is time in which this process could work. On a busy machine a nap of 10 ms takes 50:
 * only a part of that counts (`patience`), because whatever the test waits for is as late as the
 * test itself. On a quiet machine the bound is what the clock says.
 */
import { type Clock, systemClock, type Timers } from '@voelgoed/engine/kit';

type Options = {
  within_ms?: number;
  every_ms?: number;
  clock?: Pick<Clock, 'monotonic'> & Pick<Timers, 'sleep'>;
};

export async function eventually<Result>(
  look: () => Result | Promise<Result>,
  options: Options = {},
): Promise<NonNullable<Result>> {
  const { within_ms = 30_000, every_ms = 10, clock = systemClock } = options;
  let spent_ms = 0;
  let last: unknown = 'nothing';
  for (;;) {
    const started = clock.monotonic();
    try {
      const seen = await look();
      if (seen) return seen;
      last = seen;
    } catch (error) {
      last = error;
    }
    if (spent_ms > within_ms) {
      throw new Error(`not within ${within_ms} ms; last seen: ${String(last)}`, { cause: last });
    }
    const looked_ms = clock.monotonic() - started;
    await clock.sleep(every_ms);
    spent_ms += patience(looked_ms, clock.monotonic() - started - looked_ms, every_ms);
  }
}

/** A nap that takes longer than this many times its length was kept from ending by other work. */
const LATE_FACTOR = 2;

/**
 * How much of the bound one round has used up. The nap says how busy the machine is; the look (a
 * request, a query) is slowed down as much.
 */
export function patience(looked_ms: number, napped_ms: number, every_ms: number): number {
  const fair_ms = Math.min(napped_ms, LATE_FACTOR * every_ms);
  const pace = napped_ms > 0 ? fair_ms / napped_ms : 1;
  return fair_ms + looked_ms * pace;
}
