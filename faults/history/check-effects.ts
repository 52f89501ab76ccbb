import type { History } from './check-history.ts';
import { lostSales, unaskedSales } from './check-sales.ts';
import { type FinalState, type HoldRow, type HoldStory, SOLD, storiesOf } from './final-state.ts';
import {
  isDone,
  mayHaveWorked,
  namedHolds,
  type Operation,
  type ReportedHold,
} from './operations.ts';
import { type Violation, violation } from './violation.ts';

/**
 * I2: what was acknowledged is in Postgres, in its rows and in its log. I3: nothing is there that
 * nobody asked for, and nothing that was said to have failed.
 */
export function checkEffects({ operations, state }: History): Violation[] {
  const rows = new Map(state.holds.map((hold) => [hold.hold_id, hold]));
  const stories = storiesOf(state.log);
  const done = operations.filter(isDone);
  return [
    ...done.flatMap((operation) =>
      operation.holds.flatMap((hold) =>
        lost(operation, hold, rows.get(hold.hold_id), stories.get(hold.hold_id)),
      ),
    ),
    ...done.flatMap((operation) => beyondTheLog(operation, state)),
    ...unasked(operations, state, stories),
    ...lostSales(done, state),
    ...unaskedSales(operations, state),
  ];
}

function lost(
  { asked, user, revision, node, number }: Operation,
  hold: ReportedHold,
  row: HoldRow | undefined,
  story: HoldStory | undefined,
): Violation[] {
  const problem = (what: string) => [
    violation('I2', `${asked.op} ${node}/${number}, hold ${hold.hold_id}: ${what}`),
  ];
  if (!row || !story) return problem('acknowledged and not there');
  if (asked.op === 'override') {
    return row.end_reason === 'admin_override' ? [] : problem('its release by staff is not there');
  }
  const same =
    row.user_id === user &&
    row.seat_id === hold.seat_id &&
    row.zone_id === hold.zone_id &&
    row.quantity === hold.quantity;
  if (!same) return problem('acknowledged for somebody or something else');
  if (row.until_ms < hold.until_ms) return problem(`ends before the time that was promised`);
  if (asked.op === 'release') {
    const logged = story.ended.some((end) => end.revision === revision);
    if (row.end_reason !== 'user_cancelled' || !logged) return problem('its release is not there');
  }
  if (asked.op === 'extend') {
    const logged = story.extended.some(({ until_ms }) => until_ms === hold.until_ms);
    if (!logged) return problem('its extension is not in the log');
  }
  if (asked.op === 'hold' && !story.made.some((made) => made <= (revision ?? 0))) {
    return problem('made after it was acknowledged');
  }
  return [];
}

function beyondTheLog({ revision, node, number }: Operation, state: FinalState): Violation[] {
  if (revision === null || revision <= state.revision) return [];
  const where = `the log ends at ${state.revision}`;
  return [violation('I2', `${node}/${number} was told revision ${revision}, ${where}`)];
}

/** How a hold may end because of a wish that names it. */
const ENDED_BY: Readonly<Record<string, readonly string[]>> = {
  release: ['user_cancelled'],
  override: ['admin_override'],
  sell: [SOLD],
  checkout: [SOLD, 'payment_failed'],
  message: [SOLD, 'payment_failed'],
};

function unasked(
  operations: readonly Operation[],
  state: FinalState,
  stories: ReadonlyMap<string, HoldStory>,
): Violation[] {
  const possible = operations.filter(mayHaveWorked);
  const held = new Set<string>();
  const extended = new Set<string>();
  const ended = new Map<string, Set<string>>();
  for (const { asked, wish, user } of possible) {
    if (asked.op === 'hold') held.add(`${wish} ${user}`);
    for (const id of namedHolds(asked)) {
      if (asked.op === 'extend' || asked.op === 'checkout') extended.add(id);
      for (const reason of ENDED_BY[asked.op] ?? []) {
        ended.set(id, (ended.get(id) ?? new Set()).add(reason));
      }
    }
  }
  return state.holds.flatMap(({ hold_id, cart_token, user_id, end_reason }) => {
    const found: Violation[] = [];
    const nobody = (what: string) =>
      found.push(
        violation('I3', `hold ${hold_id} was ${what}, which nobody asked for or was told`),
      );
    if (!held.has(`${cart_token} ${user_id}`)) nobody('made');
    if ((stories.get(hold_id)?.extended.length ?? 0) > 0 && !extended.has(hold_id)) {
      nobody('extended');
    }
    const isAsked = end_reason === 'ttl_expired' || ended.get(hold_id)?.has(end_reason ?? '');
    if (end_reason !== null && !isAsked) nobody(`ended by ${end_reason}`);
    return found;
  });
}
