import type { LengthenWord } from '#board';
import { eventsOfKey } from '#idempotency';
import { isOperatingError } from '#kit';
import { holdSeconds } from '#policies';
import type { Caller, Engine, KeyReused } from './change.ts';
import { type HoldPlan, partsOfIds } from './staff-seats.ts';
import { wishFor } from './wish.ts';

/** What became of a hold that was to last longer; an error's code where its event failed. */
export type LengthenedHold = Readonly<{
  hold_id: string;
  outcome: string;
  until_ms: number | null;
}>;

export type Lengthened = Readonly<{
  kind: 'lengthened';
  holds: readonly LengthenedHold[];
  replayed: boolean;
}>;

/** More time for callers, event by event: each with its own outcome, none depends on another. */
export async function lengthenHolds(
  engine: Engine,
  caller: Caller,
  wish: { holdIds: readonly string[]; minutes: number },
): Promise<Lengthened | KeyReused> {
  const planned = await planOf(engine, caller, wish.holdIds);
  if (planned.kind === 'key_reused') return planned;
  const seconds = holdSeconds(wish.minutes);
  const holds: LengthenedHold[] = [];
  const all = (ids: readonly string[], outcome: string) =>
    holds.push(...ids.map((hold_id) => ({ hold_id, outcome, until_ms: null })));
  const errors: unknown[] = [];
  let [done, repeated] = [0, 0];
  for (const { eventId, known } of planned.parts) {
    const part = await lengthen(engine, caller, eventId, known, seconds)
      // What was done in one event stays done when another one is busy.
      .catch((error) => {
        if (!isOperatingError(error)) throw error;
        errors.push(error);
        all(known, error.code);
        return null;
      });
    if (part === null) continue;
    if (part.kind === 'key_reused') return part;
    if (part.kind === 'lengthened') {
      done++;
      if (part.replayed) repeated++;
      holds.push(...part.holds.map((hold) => withSold(hold, planned)));
    } else all(known, 'hold_not_found');
  }
  if (errors.length > 0 && done === 0) throw errors[0];
  all(planned.unknown, 'hold_not_found');
  return { kind: 'lengthened', holds, replayed: done > 0 && repeated === done };
}

function planOf(
  { postgres }: Engine,
  { scope, idempotency }: Caller,
  holdIds: readonly string[],
): Promise<HoldPlan | KeyReused> {
  return postgres.transaction(scope, { name: 'holds.find_many' }, async (transaction) => {
    const used = idempotency && (await eventsOfKey(transaction, scope, idempotency));
    if (used?.kind === 'reused') return { kind: 'key_reused' };
    return partsOfIds(transaction, scope, { userId: null, eventId: null }, holdIds);
  });
}

async function lengthen(
  engine: Engine,
  caller: Caller,
  eventId: string,
  hold_ids: readonly string[],
  seconds: number,
): Promise<Lengthened | KeyReused | { kind: 'not_on_sale' }> {
  const answer = await wishFor(engine, caller, eventId, { kind: 'lengthen', hold_ids, seconds });
  if (answer.kind !== 'done') return answer;
  const { outcome, replayed } = answer;
  if (outcome.kind !== 'lengthened') throw new Error(`more time was answered by ${outcome.kind}`);
  return { kind: 'lengthened', holds: outcome.holds, replayed };
}

/** A hold that is over because it was sold says so. */
function withSold(hold: LengthenedHold, { sold }: HoldPlan): LengthenedHold {
  const isSold = hold.outcome === ('not_active' satisfies LengthenWord) && sold?.has(hold.hold_id);
  return isSold ? { ...hold, outcome: 'ticket_already_paid' } : hold;
}
