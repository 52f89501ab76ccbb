import type { TakenSeat, TakenZone } from './migration.sql.ts';

/** What a new plan would mean for those who already have a place. */
export type MigrationReport = Readonly<{
  /** Nobody loses a place: only then it is done. */
  possible: boolean;
  held: number;
  sold: number;
  /** People who keep their seat, and people who get another. */
  kept: number;
  moved: readonly { from: string; to: string; label: string; status: string }[];
  lost: readonly { seat_id: string; label: string; status: string; why: string }[];
  zones_lost: readonly { zone_id: string; name: string; why: string }[];
}>;

type NewZone = Readonly<{ capacity: number; disabled: boolean; has_seats: boolean }>;

/** A list longer than this is for a file, not for an answer. */
const MOST_LISTED = 1_000;

/**
 * Finds everybody's place in the new plan: where the mapping says, else the same seat. A seat that
 * is not there, is not for sale or is wanted twice is a place lost.
 */
export function planMigration(
  taken: { seats: readonly TakenSeat[]; zones: readonly TakenZone[] },
  plan: {
    /** Seats of the new plan that are for sale. */
    offers(seatId: string): boolean;
    zones: ReadonlyMap<string, NewZone>;
  },
  mapping: Readonly<Record<string, string>>,
): MigrationReport {
  const targets = new Set<string>();
  const moved: MigrationReport['moved'][number][] = [];
  const lost: MigrationReport['lost'][number][] = [];
  let kept = 0;
  for (const { seat_id, label, status } of taken.seats) {
    const to = mapping[seat_id] ?? seat_id;
    const why = !plan.offers(to)
      ? 'the new plan has no such seat for sale'
      : targets.has(to)
        ? 'somebody else was given that seat'
        : null;
    if (why) {
      lost.push({ seat_id, label, status, why });
      continue;
    }
    targets.add(to);
    if (to === seat_id) kept++;
    else moved.push({ from: seat_id, to, label, status });
  }
  const zones_lost = taken.zones.flatMap((zone) => lostZone(zone, plan.zones));
  const count = (wanted: string) => taken.seats.filter(({ status }) => status === wanted).length;
  const sum = (pick: (zone: TakenZone) => number) =>
    taken.zones.reduce((total, zone) => total + pick(zone), 0);
  return {
    possible: lost.length === 0 && zones_lost.length === 0,
    held: count('held') + sum(({ held }) => held),
    sold: count('sold') + sum(({ sold }) => sold),
    kept,
    moved: moved.slice(0, MOST_LISTED),
    lost: lost.slice(0, MOST_LISTED),
    zones_lost,
  };
}

function lostZone(
  { zone_id, name, held, sold }: TakenZone,
  zones: ReadonlyMap<string, NewZone>,
): MigrationReport['zones_lost'][number][] {
  const zone = zones.get(zone_id);
  if (!zone || zone.disabled) return [{ zone_id, name, why: 'the new plan has no such zone' }];
  if (zone.has_seats)
    return [{ zone_id, name, why: 'it has seats now, and nobody has chosen one' }];
  if (zone.capacity >= held + sold) return [];
  return [{ zone_id, name, why: `${held + sold} places are taken, but it has ${zone.capacity}` }];
}
