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
  /** Zones without seats whose places are in another zone of the new plan. */
  zones_moved: readonly { from: string; to: string; name: string }[];
  zones_lost: readonly { zone_id: string; name: string; why: string }[];
}>;

/** A zone as the new plan has it, as far as those who have a place there are concerned. */
export type NewZone = Readonly<{
  name: string;
  capacity: number;
  disabled: boolean;
  has_seats: boolean;
  /** Not everybody who may enter now may enter then. */
  closes: boolean;
}>;

/** A seat of the new plan. */
export type NewSeat = Readonly<{ zone_id: string; blocked: boolean }>;

/** Who has a place. */
export type Taken = Readonly<{
  seats: readonly TakenSeat[];
  zones: readonly TakenZone[];
  /** Blocked by the new plan as by the old one: people who have them keep them. */
  blocked: ReadonlySet<string>;
  /** Seats without a ticket that staff have blocked: they stay so, where the mapping says. */
  broken: readonly string[];
}>;

export type NewPlan = Readonly<{
  seats: ReadonlyMap<string, NewSeat>;
  zones: ReadonlyMap<string, NewZone>;
}>;

/** Where people go: old id to new id. What is not named keeps its id. */
export type Moves = Readonly<{
  seats: Readonly<Record<string, string>>;
  zones: Readonly<Record<string, string>>;
}>;

/** A list longer than this is for a file, not for an answer. */
const MOST_LISTED = 1_000;
const BROKEN = 'staff have blocked that seat: unblock it first, or choose another';
const CLOSES = 'somebody holds it, and not everybody may enter the zone any more';

/**
 * Finds everybody's place in the new plan: where the mapping says, else the same one. A seat that
 * is not there, is not for sale, is blocked or is wanted twice is a place lost, and so is a place
 * in a zone that has no room for it.
 */
export function planMigration(taken: Taken, plan: NewPlan, moves: Moves): MigrationReport {
  const targets = new Set<string>();
  const broken = new Set(taken.broken.map((seat_id) => moves.seats[seat_id] ?? seat_id));
  const moved: MigrationReport['moved'][number][] = [];
  const lost: MigrationReport['lost'][number][] = [];
  let kept = 0;
  for (const seat of taken.seats) {
    const { seat_id, label, status } = seat;
    const to = moves.seats[seat_id] ?? seat_id;
    const why = targets.has(to)
      ? 'somebody else was given that seat'
      : (whySeatIsLost(seat, to, plan, taken.blocked) ?? (broken.has(to) ? BROKEN : null));
    if (why) {
      lost.push({ seat_id, label, status, why });
      continue;
    }
    targets.add(to);
    if (to === seat_id) kept++;
    else moved.push({ from: seat_id, to, label, status });
  }
  const zones_lost = lostZones(taken.zones, plan.zones, moves.zones);
  const zones_moved = taken.zones.flatMap(({ zone_id: from, name }) => {
    const to = moves.zones[from] ?? from;
    return to === from ? [] : [{ from, to, name }];
  });
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
    zones_moved,
    zones_lost,
  };
}

/** Null: whoever has the seat gets it. A seat that staff sold in spite of a block stays sold. */
function whySeatIsLost(
  { seat_id, status }: TakenSeat,
  to: string,
  plan: NewPlan,
  blocked: ReadonlySet<string>,
): string | null {
  const seat = plan.seats.get(to);
  const zone = plan.zones.get(seat?.zone_id ?? '');
  const inSpite = to === seat_id && blocked.has(seat_id);
  if (!seat || !zone?.has_seats || zone.disabled || (seat.blocked && !inSpite)) {
    return 'the new plan has no such seat for sale';
  }
  return zone.closes && status === 'held' ? CLOSES : null;
}

function lostZones(
  taken: readonly TakenZone[],
  zones: ReadonlyMap<string, NewZone>,
  moves: Readonly<Record<string, string>>,
): MigrationReport['zones_lost'][number][] {
  const needed = new Map<string, number>();
  for (const { zone_id, held, sold } of taken) {
    const to = moves[zone_id] ?? zone_id;
    needed.set(to, (needed.get(to) ?? 0) + held + sold);
  }
  return taken.flatMap(({ zone_id, name, held }) => {
    const to = moves[zone_id] ?? zone_id;
    const why = whyZoneIsLost(zones.get(to), needed.get(to) ?? 0, held > 0);
    return why ? [{ zone_id, name, why }] : [];
  });
}

function whyZoneIsLost(zone: NewZone | undefined, needed: number, isHeld: boolean): string | null {
  if (!zone || zone.disabled) return 'the new plan has no such zone';
  if (zone.has_seats) return 'it has seats now, and nobody has chosen one';
  if (zone.capacity < needed) return `${needed} places are taken, but it has ${zone.capacity}`;
  return zone.closes && isHeld ? CLOSES : null;
}
