import { seededRandom, uuidv7 } from '@voelgoed/engine/kit';
import {
  type Layout,
  type LayoutConfig,
  normaliseLayout,
  type SeatConfig,
  validateLayout,
} from '@voelgoed/engine/layouts';
import { changePolicy, DEFAULT_POLICY, type SeatingPolicy } from '@voelgoed/engine/policies';

/** The default policy with some fields changed; VIP zones are allowed unless said otherwise. */
export function policyFor(changes: Partial<SeatingPolicy> = {}): SeatingPolicy {
  const outcome = changePolicy(DEFAULT_POLICY, { allow_vip_zones: true, ...changes }, 'platform');
  if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.problems));
  return outcome.policy;
}

/** Ids that are the same in every run. */
function countingIds(seed = 1): () => string {
  const random = seededRandom(seed);
  let time = 0;
  return () => uuidv7({ clock: { now: () => time++, monotonic: () => 0 }, random });
}

/** A row of seats 10 apart, numbered from the left. */
export function seatRow(
  row: string,
  y: number,
  count: number,
  change: (place: number) => Partial<SeatConfig> = () => ({}),
): SeatConfig[] {
  return Array.from({ length: count }, (_, place) => ({
    label: `${row}-${place + 1}`,
    row,
    number: place + 1,
    coordinates: { x: place * 10, y },
    ...change(place),
  }));
}

/** A hall with every feature a config can have. */
export function hall(): LayoutConfig {
  const accessible = ['wheelchair', 'companion'] as const;
  return {
    seat_size: 10,
    focal_point: { x: 20, y: -50 },
    zones: [
      {
        name: 'Stalls',
        zone_type: 'reserved_seating',
        capacity: 10,
        access_mode: 'public',
        metadata: { numbering: { from: 'left' }, rows: 2 },
        seats: [
          ...seatRow('A', 0, 5),
          ...seatRow('B', 20, 5, (place) => ({
            category: accessible[place] ?? 'standard',
            ...(place === 1 ? { companion_of: 'B-1' } : {}),
          })),
        ],
      },
      {
        name: 'Lounge',
        zone_type: 'vip_reserved',
        access_mode: 'membership_tier',
        membership_tier: 'gold',
        focal_point: { x: 120, y: -20 },
        rows: [
          {
            row: 'T1',
            seats: [1, 2, 3].map((number) => ({
              label: `T1-${number}`,
              number,
              coordinates: { x: 100 + 10 * number, y: 0 },
            })),
          },
        ],
      },
      {
        name: 'Floor',
        zone_type: 'ga_standing',
        capacity: 300,
        access_mode: 'role_based',
        allowed_roles: ['staff'],
        outline: [
          { x: 0, y: -40 },
          { x: 40, y: -40 },
          { x: 40, y: -10 },
        ],
      },
    ],
    groups: [
      { group_type: 'vip_table', zone: 'Lounge', seat_labels: ['T1-1', 'T1-2', 'T1-3'] },
      { group_type: 'family_block', seat_labels: ['A-4', 'A-5'], metadata: { name: 'Family' } },
    ],
  };
}

/** Normalises a config after making sure that it is valid. */
export function layoutOf(config: unknown, previous: Layout | null = null, seed = 1): Layout {
  const check = validateLayout(config, policyFor());
  if (check.kind === 'invalid') throw new Error(JSON.stringify(check.problems.slice(0, 5)));
  const ids = { previous: previous ? [previous] : [], newId: countingIds(seed) };
  return normaliseLayout(check.config, ids);
}

/** One zone of reserved seats. */
export function zoneOf(seats: readonly SeatConfig[], seat_size = 1): LayoutConfig {
  return { seat_size, zones: [{ name: 'Hall', zone_type: 'reserved_seating', seats }] };
}
