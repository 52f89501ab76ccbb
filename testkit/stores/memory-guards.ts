import type { Flush } from '@voelgoed/engine/registry';
import type { Guard, GuardsOff } from './guards.ts';
import { type MemoryEvent, nameOf } from './memory-event.ts';

type Check = readonly [
  guard: Guard,
  says: string,
  holds: (event: MemoryEvent, flush: Flush) => boolean,
];

/** What the write's statement and the constraints behind it find, in their words. */
const CHECKS: readonly Check[] = [
  ['revision guard', 'revision', (event, { row }) => row.revision === event.revision + 1],
  ['change row key', 'seat_changes_pkey', (event, { row }) => row.revision > event.revision],
  [
    'version check',
    'seats',
    (event, { seats }) =>
      seats.every((one) => event.seats[one.ordinal]?.version === one.expected_version),
  ],
  [
    'seat_hold_id check',
    'seats',
    (event, { seats }) =>
      seats.every((one) => event.seats[one.ordinal]?.hold_id === one.expected_hold),
  ],
  ['hold status check', 'ended holds', (event, flush) => flush.endedHolds.every(isLive(event))],
  ['hold status check', 'changed holds', (event, flush) => flush.changedHolds.every(isLive(event))],
  ['sales checks', 'sales', (event, { sales }) => !sales || event.sales.agreesWith(sales)],
  ['unique index', 'seat_holds_one_active', areAlone],
  ['zone CHECK', 'event_zones_check', areWithinCapacity],
  [
    'key row',
    'idempotency keys',
    (event, { keys }) => keys.every((key) => !event.keys.has(nameOf(key))),
  ],
];

/** Where a flush contradicts what is there. */
export function contradictions(event: MemoryEvent, flush: Flush, off: GuardsOff): string[] {
  const found: string[] = [];
  for (const [guard, says, holds] of CHECKS) {
    if (!off.has(guard) && !holds(event, flush)) found.push(says);
  }
  return found;
}

function isLive(event: MemoryEvent) {
  return ({ hold_id }: { hold_id: string }) => event.holds.get(hold_id)?.status === 'active';
}

function areAlone(event: MemoryEvent, { newHolds, endedHolds }: Flush): boolean {
  return newHolds.every(({ hold, seat_id, end }) => {
    if (event.holds.has(hold.hold_id)) return false;
    const other = seat_id === null || end !== null ? undefined : event.live.get(seat_id);
    return other === undefined || endedHolds.some(({ hold_id }) => hold_id === other);
  });
}

function areWithinCapacity(event: MemoryEvent, flush: Flush): boolean {
  for (const [zone, { held, sold, blocked }] of event.countsAfter(flush)) {
    const capacity = event.config.zones[zone]?.capacity ?? 0;
    if (Math.min(held, sold, blocked) < 0 || held + sold + blocked > capacity) return false;
  }
  return true;
}
