/**
 * Eventually: waiting for something to become true, with a bound. Tests never sleep a fixed time
 * and hope; they ask again until the answer is right or the time is over, and then say what they
 * last saw.
 */
import { systemClock } from '@voelgoed/engine/kit';

export async function eventually<Result>(
  look: () => Result | Promise<Result>,
  options: { within_ms?: number; every_ms?: number } = {},
): Promise<NonNullable<Result>> {
  const { within_ms = 15_000, every_ms = 10 } = options;
  const deadline = systemClock.monotonic() + within_ms;
  let last: unknown = 'nothing';
  for (;;) {
    try {
      const seen = await look();
      if (seen) return seen;
      last = seen;
    } catch (error) {
      last = error;
    }
    if (systemClock.monotonic() > deadline) {
      throw new Error(`not within ${within_ms} ms; last seen: ${String(last)}`, { cause: last });
    }
    await systemClock.sleep(every_ms);
  }
}
