import type { FreeSeats } from './free-seats.ts';

/** How a board does, as numbers; ratios are parts of 1 and 0 where there is nothing to divide. */
export type SeatingNumbers = Readonly<{
  orphans: number;
  /** Of all seats. */
  orphan_ratio: number;
  /** Places in VIP zones that are held or sold, of those not blocked. */
  vip_utilisation: number;
  /** Wheelchair spaces among all seats that are held or sold. */
  accessibility_utilisation: number;
  alerts: readonly SeatingAlert[];
}>;

export type SeatingAlert =
  | 'orphan_ratio_high'
  | 'vip_utilisation_low'
  | 'vip_utilisation_high'
  | 'accessibility_utilisation_high'
  | 'accessibility_unused';

/** One zone of the board. */
export type ZoneNumbers = Readonly<{
  vip: boolean;
  has_seats: boolean;
  capacity: number;
  held: number;
  sold: number;
  blocked: number;
}>;

/** From the specification's table of metrics. */
const ALERT = { orphans: 0.1, vip: { low: 0.4, high: 0.95 }, accessible: 0.05 } as const;

/** What the numbers are made of; those of several boards can be added up. */
export type SeatingCounts = Readonly<{
  seats: number;
  orphans: number;
  taken: number;
  vipPlaces: number;
  vipTaken: number;
  spaces: number;
  spacesTaken: number;
}>;

/** `spacesTaken`: wheelchair spaces that are held or sold. */
export function seatingCounts(
  free: FreeSeats,
  zones: readonly ZoneNumbers[],
  spacesTaken: number,
): SeatingCounts {
  const vip = zones.filter((zone) => zone.vip);
  const seated = zones.filter((zone) => zone.has_seats);
  const takenOf = (some: readonly ZoneNumbers[]) =>
    some.reduce((sum, { held, sold }) => sum + held + sold, 0);
  return {
    seats: free.plan.seatCount,
    orphans: zones.reduce((sum, _, zone) => sum + free.zone(zone).orphans, 0),
    taken: takenOf(seated),
    vipPlaces: vip.reduce((sum, { capacity, blocked }) => sum + capacity - blocked, 0),
    vipTaken: takenOf(vip),
    spaces: free.plan.spaces.reduce((sum, zone) => sum + zone.length, 0),
    spacesTaken,
  };
}

/** The numbers of one board, or of several together. */
export function seatingNumbers(boards: readonly SeatingCounts[]): SeatingNumbers {
  const sum = (name: keyof SeatingCounts) => boards.reduce((total, one) => total + one[name], 0);
  const orphans = sum('orphans');
  const taken = sum('taken');
  const numbers = {
    orphans,
    orphan_ratio: ratio(orphans, sum('seats')),
    vip_utilisation: ratio(sum('vipTaken'), sum('vipPlaces')),
    accessibility_utilisation: ratio(sum('spacesTaken'), taken),
  };
  const about = { vip: sum('vipPlaces') > 0, accessible: sum('spaces') > 0 && taken > 0 };
  return { ...numbers, alerts: alertsOf(numbers, about) };
}

function alertsOf(
  numbers: Omit<SeatingNumbers, 'alerts'>,
  about: { vip: boolean; accessible: boolean },
): SeatingAlert[] {
  const { orphan_ratio, vip_utilisation: vip, accessibility_utilisation: accessible } = numbers;
  const alerts: [boolean, SeatingAlert][] = [
    [orphan_ratio > ALERT.orphans, 'orphan_ratio_high'],
    [about.vip && vip < ALERT.vip.low, 'vip_utilisation_low'],
    [about.vip && vip > ALERT.vip.high, 'vip_utilisation_high'],
    [about.accessible && accessible > ALERT.accessible, 'accessibility_utilisation_high'],
    [about.accessible && accessible === 0, 'accessibility_unused'],
  ];
  return alerts.filter(([raised]) => raised).map(([, alert]) => alert);
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
