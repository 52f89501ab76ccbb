import type { ZoneFact } from './facts.sql.ts';
import type { Message } from './messages.ts';

/** A zone that is fuller than this wants somebody's attention, in percent. */
const MARKS = [100, 90];

/** The highest mark that each zone has passed; zones below all of them are left out. */
export type Levels = Readonly<Record<string, number>>;

/** Zones that have passed a mark since they were last looked at. */
export function capacityMessages(
  before: Levels,
  zones: readonly ZoneFact[],
): { levels: Levels; messages: Message[] } {
  const levels: Record<string, number> = {};
  const messages: Message[] = [];
  for (const { zone_id, name, capacity, taken } of zones) {
    const percent = capacity === 0 ? 0 : Math.floor((taken / capacity) * 1_000) / 10;
    const mark = MARKS.find((one) => percent >= one) ?? 0;
    if (mark > 0) levels[zone_id] = mark;
    if (mark <= (before[zone_id] ?? 0)) continue;
    const data = { zone_id, zone_name: name, percent, mark, capacity, available: capacity - taken };
    messages.push({ kind: 'capacity_critical', part: `capacity.${zone_id}.${mark}`, data });
  }
  return { levels, messages };
}
