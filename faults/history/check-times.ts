import type { History } from './check-history.ts';
import type { HoldRow } from './final-state.ts';
import type { Operation } from './operations.ts';
import { type Violation, violation } from './violation.ts';
import { leastOffset } from './wall-clock.ts';

/** A seat can be taken this soon after its hold is over, and is shown free this soon. */
const CLAIMABLE_MS = 1_000;
const SHOWN_MS = 2_000;
/** What another node has ended is known by then; expiry everybody knows by themselves. */
const HEARD_MS = 2_000;
/** After a fault everything may take this long. */
const AFTER_FAULT_MS = 5_000;
/** Two clocks are read one after the other, and requests are under way. */
const CLOCK_ERROR_MS = 50;
/** A clock that is set is noticed within this time, on a busy machine. */
const LOOK_MS = 500;

/**
 * I5: nobody is refused a seat, and nobody is shown one as held, because of a hold that has been
 * over for too long. Judged are wishes for one seat and looks at one seat; while Postgres is away
 * nobody can know what is over.
 */
export function checkTimes(history: History): Violation[] {
  const { operations, state, faults = [] } = history;
  const deadlines = new Map<string, number>();
  for (const { checkout_id, deadline_ms } of state.attempts) {
    deadlines.set(checkout_id, Math.max(deadlines.get(checkout_id) ?? 0, deadline_ms));
  }
  const bySeat = Map.groupBy(state.holds, ({ seat_id }) => seat_id);
  const over = (row: HoldRow) => {
    const paying = deadlines.get(row.checkout_id ?? '') ?? 0;
    const expires = row.end_reason === null || row.end_reason === 'ttl_expired';
    return expires ? Math.max(row.until_ms, paying) : (row.ended_ms ?? 0) + HEARD_MS;
  };
  return operations.flatMap((operation) => {
    const judged = seatJudged(operation);
    if (!judged || operation.returned_ms === null) return [];
    const { invoked_ms } = operation;
    const near = faults.filter(
      ({ from_ms, to_ms }) =>
        operation.returned_ms !== null &&
        operation.returned_ms > from_ms &&
        invoked_ms < to_ms + AFTER_FAULT_MS,
    );
    if (near.some(({ postgres }) => postgres)) return [];
    const late_ms = near.length > 0 ? AFTER_FAULT_MS : judged.within_ms;
    const rows = bySeat.get(judged.seat_id) ?? [];
    const asked_ms = invoked_ms + leastOffset(history, invoked_ms - LOOK_MS, invoked_ms + LOOK_MS);
    const had = rows.some((row) => over(row) + late_ms + CLOCK_ERROR_MS > asked_ms);
    if (had) return [];
    const ended_ms = Math.max(0, ...rows.map(over));
    const since = ended_ms > 0 ? `over for ${(asked_ms - ended_ms).toFixed(0)} ms` : 'never there';
    const what = `${judged.what} because of a hold that was ${since}`;
    return [
      violation('I5', `${operation.node}/${operation.number}: seat ${judged.seat_id} ${what}`),
    ];
  });
}

type Judged = Readonly<{ seat_id: string; what: string; within_ms: number }>;

function seatJudged({ asked, outcome, code, told }: Operation): Judged | null {
  if (asked.op === 'read') {
    if (told?.status !== 'held') return null;
    return { seat_id: asked.seat_id, what: 'was shown as held', within_ms: SHOWN_MS };
  }
  if (asked.op !== 'hold' || outcome !== 'refused') return null;
  const [only, ...others] = asked.items;
  if (code !== 'seat_held_by_another_user' || !only || others.length > 0) return null;
  if (!('seat_id' in only)) return null;
  return { seat_id: only.seat_id, what: 'was refused', within_ms: CLAIMABLE_MS };
}
