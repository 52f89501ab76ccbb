import type { History } from './check-history.ts';
import { namedHolds, type Operation, type ReportedHold } from './operations.ts';
import { type Violation, violation } from './violation.ts';
import { mostOffset } from './wall-clock.ts';

/** From when to when somebody certainly owns something, by the machine's monotonic clock. */
type Owned = Readonly<{ hold: Owner; user: string; from_ms: number; to_ms: number }>;
/** A hold, or a ticket as if it were one. */
type Owner = Pick<ReportedHold, 'hold_id' | 'seat_id' | 'zone_id' | 'quantity'>;

/** Reading two clocks one after the other, and correcting the time of day, takes this long. */
const CLOCK_ERROR_MS = 5;

/**
 * I1: no seat has two owners at any instant, and no zone more than it has room for. A hold is
 * certainly owned from the moment its answer arrived until somebody sent its end or its time is
 * over, whichever comes first; a ticket from the moment that somebody was shown it until somebody
 * sent its end. A ticket belongs to whom the hold belonged that it was made of.
 */
export function checkOwners(history: History): Violation[] {
  const owned = [...ownedIntervals(history), ...ticketIntervals(history)];
  const bySeat = Map.groupBy(
    owned.filter(({ hold }) => hold.seat_id !== null),
    ({ hold }) => hold.seat_id,
  );
  return [
    ...[...bySeat.values()].flatMap(overlaps),
    ...history.state.zones
      .filter(({ has_seats }) => !has_seats)
      .flatMap(({ zone_id, capacity }) =>
        overfull(
          zone_id,
          capacity,
          owned.filter(({ hold }) => hold.zone_id === zone_id),
        ),
      ),
  ];
}

/** What takes a hold away from its holder. */
const ENDS: readonly string[] = ['release', 'override'];

function ticketIntervals({ operations, state }: History): Owned[] {
  const holdOf = new Map(state.tickets.map((one) => [one.ticket_id, one.hold_id]));
  const ended = new Map<string, number>();
  for (const { asked, invoked_ms } of operations) {
    if (asked.op !== 'void') continue;
    ended.set(asked.ticket_id, Math.min(ended.get(asked.ticket_id) ?? FOREVER, invoked_ms));
  }
  const shown = new Map<string, Owned>();
  for (const { told, user, returned_ms } of operations) {
    if (returned_ms === null) continue;
    for (const { ticket_id, seat_id, status } of told?.tickets ?? []) {
      if (status !== 'active' || (shown.get(ticket_id)?.from_ms ?? FOREVER) < returned_ms) continue;
      const hold_id = holdOf.get(ticket_id) ?? ticket_id;
      const hold = { hold_id, seat_id, zone_id: null, quantity: 1 };
      const to_ms = ended.get(ticket_id) ?? FOREVER;
      shown.set(ticket_id, { hold, user, from_ms: returned_ms, to_ms });
    }
  }
  return [...shown.values()].filter(({ from_ms, to_ms }) => to_ms > from_ms);
}

const FOREVER = Number.POSITIVE_INFINITY;

function ownedIntervals(history: History): Owned[] {
  const { operations, state } = history;
  const ahead_ms = mostOffset(history);
  const holdOf = new Map(state.tickets.map((one) => [one.ticket_id, one.hold_id]));
  const released = new Map<string, number>();
  for (const { asked, invoked_ms } of operations) {
    // Whoever ends a ticket ends what was left of the hold that it was made of.
    const sold = asked.op === 'void' ? [holdOf.get(asked.ticket_id) ?? ''] : [];
    for (const id of ENDS.includes(asked.op) ? namedHolds(asked) : sold) {
      released.set(id, Math.min(released.get(id) ?? FOREVER, invoked_ms));
    }
  }
  return [...reported(operations)].flatMap(([id, { hold, user, from_ms, until_ms }]) => {
    const over_ms = until_ms - ahead_ms - CLOCK_ERROR_MS;
    const to_ms = Math.min(over_ms, released.get(id) ?? FOREVER);
    return to_ms > from_ms ? [{ hold, user, from_ms, to_ms }] : [];
  });
}

const MAKES: readonly string[] = ['hold', 'extend'];

type Reported = { hold: ReportedHold; user: string; from_ms: number; until_ms: number };

/** Every hold that an answer named: since when, and until when at the latest. */
function reported(operations: readonly Operation[]): Map<string, Reported> {
  const known = new Map<string, Reported>();
  for (const { outcome, asked, holds, user, returned_ms } of operations) {
    if (outcome !== 'done' || !MAKES.includes(asked.op) || returned_ms === null) continue;
    for (const hold of holds) {
      const before = known.get(hold.hold_id);
      known.set(hold.hold_id, {
        hold,
        user,
        from_ms: Math.min(before?.from_ms ?? FOREVER, returned_ms),
        until_ms: Math.max(before?.until_ms ?? 0, hold.until_ms),
      });
    }
  }
  return known;
}

function overlaps(intervals: readonly Owned[]): Violation[] {
  const sorted = [...intervals].sort((one, other) => one.from_ms - other.from_ms);
  const found: Violation[] = [];
  let last: Owned | undefined;
  for (const next of sorted) {
    const isOther = last?.hold.hold_id !== next.hold.hold_id;
    if (last && isOther && next.from_ms < last.to_ms) {
      const both = `${last.hold.hold_id} of ${last.user} and ${next.hold.hold_id} of ${next.user}`;
      const shared_ms = (Math.min(last.to_ms, next.to_ms) - next.from_ms).toFixed(1);
      const message = `seat ${next.hold.seat_id} has two owners for ${shared_ms} ms: ${both}`;
      found.push(violation('I1', message));
    }
    if (!last || next.to_ms > last.to_ms) last = next;
  }
  return found;
}

function overfull(zoneId: string, capacity: number, intervals: readonly Owned[]): Violation[] {
  const steps = intervals.flatMap(({ from_ms, to_ms, hold }) => [
    { at_ms: from_ms, added: hold.quantity },
    { at_ms: to_ms, added: -hold.quantity },
  ]);
  // At one instant what ends makes room for what begins.
  steps.sort((one, other) => one.at_ms - other.at_ms || one.added - other.added);
  let held = 0;
  let most = 0;
  for (const { added } of steps) {
    held += added;
    most = Math.max(most, held);
  }
  if (most <= capacity) return [];
  return [violation('I1', `zone ${zoneId} has room for ${capacity} and ${most} owners`)];
}
