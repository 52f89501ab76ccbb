import { stateOf, type Transaction } from '#postgres';
import type { Scope } from '#scope';
import type { Engine } from './change.ts';
import { limitTime } from './in-time.sql.ts';

/** Carries the end of the time out of its transaction. */
class TooLate extends Error {}

const CANCELED = '57014';

/**
 * Questions in a transaction, whose statements have so long together; true: the time was over, and
 * what was answered until then is what there is.
 */
export async function inTime(
  { postgres, clock }: Pick<Engine, 'postgres' | 'clock'>,
  scope: Scope,
  { name, ms }: Readonly<{ name: string; ms: number }>,
  work: (query: Transaction['query']) => Promise<void>,
): Promise<boolean> {
  let until_ms: number | null = null;
  try {
    await postgres.transaction(scope, { name }, (transaction) => {
      // It goes on when the work runs again. Waiting for a connection has a limit of its own.
      const end_ms = until_ms ?? clock.monotonic() + ms;
      until_ms = end_ms;
      return work(async (statement) => {
        const left_ms = Math.floor(end_ms - clock.monotonic());
        if (left_ms < 1) throw new TooLate();
        await transaction.query(limitTime(String(left_ms)));
        return unlessLate(() => transaction.query(statement));
      });
    });
    return false;
  } catch (error) {
    if (error instanceof TooLate) return true;
    throw error;
  }
}

async function unlessLate<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (stateOf(error) === CANCELED) throw new TooLate();
    throw error;
  }
}
