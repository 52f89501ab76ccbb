import { encode, type Shown } from './frames.ts';

/** A zone that is fuller than this wants somebody's attention, in percent. */
const CRITICAL = [90, 100];

/** Zones that have passed a mark on the way from one state to the next. */
export function capacityFrames(before: Shown, after: Shown): Buffer[] {
  const known = new Map(before.zones.map((zone) => [zone.zone_id, percentOf(zone)]));
  return after.zones.flatMap((zone) => {
    const percent = percentOf(zone);
    const was = known.get(zone.zone_id) ?? 0;
    if (!CRITICAL.some((mark) => was < mark && percent >= mark)) return [];
    const { zone_id } = zone;
    return [encode('capacity_critical', { zone_id, percent, revision: after.revision })];
  });
}

function percentOf({ available, capacity }: Shown['zones'][number]): number {
  return capacity === 0 ? 0 : Math.floor(((capacity - available) / capacity) * 1_000) / 10;
}
