import type { History } from './check-history.ts';
import { type HoldRow, SOLD, storiesOf, type ZoneRow } from './final-state.ts';
import { type Violation, violation } from './violation.ts';

const TERMINAL = ['seat_hold_expired', 'seat_released', SOLD];

/** I7: every hold begins once and ends once, in the trail and in the log, and stays ended. */
export function checkTrail({ state }: History): Violation[] {
  const byHold = Map.groupBy(state.trail, ({ hold_id }) => hold_id);
  const stories = storiesOf(state.log);
  const found = state.holds.flatMap(({ hold_id, status }) => {
    const actions = (byHold.get(hold_id) ?? []).map(({ action }) => action);
    const begun = actions.filter((action) => action === 'seat_reserved').length;
    const ended = actions.filter((action) => TERMINAL.includes(action)).length;
    const expected = status === 'active' ? 0 : 1;
    if (begun === 1 && ended === expected) return [];
    const what = `begins ${begun} times and ends ${ended} times in the trail`;
    return [violation('I7', `hold ${hold_id} is ${status}, ${what}`)];
  });
  for (const [holdId, { made, extended, ended }] of stories) {
    const over = ended[0]?.revision ?? Number.POSITIVE_INFINITY;
    const after = [...made, ...extended.map(({ revision }) => revision)].some((at) => at > over);
    if (made.length !== 1 || ended.length > 1 || after) {
      const what = `made ${made.length} times, ended ${ended.length} times`;
      found.push(violation('I7', `hold ${holdId} does not stay ended in the log: ${what}`));
    }
  }
  return state.trailProblem === null ? found : [...found, violation('I7', state.trailProblem)];
}

/** I8: what is counted equals a recount, and seats and holds name each other. */
export function checkCounters({ state }: History): Violation[] {
  const live = state.holds.filter(({ status }) => status === 'active');
  const zoneOfSeat = new Map(state.seats.map(({ seat_id, zone_id }) => [seat_id, zone_id]));
  const zoneOf = ({ seat_id, zone_id }: HoldRow) => zone_id ?? zoneOfSeat.get(seat_id ?? '');
  const found = state.zones.flatMap((zone) => {
    const { zone_id } = zone;
    const holds = live.filter((hold) => zoneOf(hold) === zone_id);
    const held = holds.reduce((sum, { quantity }) => sum + quantity, 0);
    const seats = state.seats.filter((seat) => seat.zone_id === zone_id);
    const count = (status: string) => seats.filter((seat) => seat.status === status).length;
    return recount(zone, { held, sold: count('sold'), blocked: count('blocked') });
  });
  const bySeat = Map.groupBy(live, ({ seat_id }) => seat_id);
  for (const { seat_id, status, seat_hold_id, until_ms } of state.seats) {
    const holds = bySeat.get(seat_id) ?? [];
    const [hold] = holds;
    const right =
      holds.length <= 1 &&
      (status === 'held') === (hold !== undefined) &&
      seat_hold_id === (hold?.hold_id ?? null) &&
      (hold === undefined || until_ms === hold.until_ms);
    if (!right) {
      const message = `seat ${seat_id} is ${status} and has ${holds.length} live holds`;
      found.push(violation('I8', message));
    }
  }
  return found;
}

function recount(zone: ZoneRow, counted: Pick<ZoneRow, 'held' | 'sold' | 'blocked'>): Violation[] {
  const words = ['held', 'sold', 'blocked'] as const;
  // In a zone without seats nothing but the counter knows what is sold.
  const compared = zone.has_seats ? words : (['held'] as const);
  return compared
    .filter((word) => zone[word] !== counted[word])
    .map((word) =>
      violation('I8', `zone ${zone.zone_id}: ${word} is ${zone[word]}, counted ${counted[word]}`),
    );
}

/** I9: revisions without a gap, ending at the head; replaying the log gives what is there. */
export function checkLog({ state }: History): Violation[] {
  const found: Violation[] = [];
  state.log.forEach(({ revision }, index) => {
    if (revision !== index + 1) {
      found.push(violation('I9', `revision ${revision} stands at place ${index + 1} of the log`));
    }
  });
  const last = state.log.at(-1);
  if (last?.revision !== state.revision || last.hash !== state.head) {
    const message = `the board is at ${state.revision}, the log at ${last?.revision ?? 0}`;
    found.push(violation('I9', message));
  }
  if (state.replayed !== state.loaded) {
    found.push(violation('I9', `the log replays to ${state.replayed}, there is ${state.loaded}`));
  }
  return found;
}

/** I10: every node has the board that Postgres has. */
export function checkBoards({ state, boards }: History): Violation[] {
  return boards.flatMap(({ node, revision, digest }) => {
    if (revision === state.revision && digest === state.loadedDigest) return [];
    const there = `${state.revision} ${state.loadedDigest}`;
    return [violation('I10', `node ${node} has ${revision} ${digest}, Postgres ${there}`)];
  });
}
