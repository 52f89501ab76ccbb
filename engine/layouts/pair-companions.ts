import type { GroupConfig, SeatConfig } from './layout-config.ts';

/** What pairing needs to know of a seat. Seats stand in physical order, run after run. */
export type PairingSeat = Readonly<{ config: SeatConfig; seat_id: string; run_index: number }>;

/** Companion seats by wheelchair space, as ordinals. */
export type Pairs = ReadonlyMap<number, readonly number[]>;

/**
 * Which companion belongs to which wheelchair space: as a group or the seat itself says, else the
 * neighbour in the run. A companion without any wheelchair space beside it stays an ordinary seat.
 */
export function pairCompanions(
  seats: readonly PairingSeat[],
  groups: readonly GroupConfig[],
): Pairs {
  const owner = new Map<number, number>();
  const companions = seats.flatMap(({ config }, ordinal) =>
    config.category === 'companion' ? ordinal : [],
  );
  if (companions.length === 0) return bySpace(owner);
  const ordinals = new Map(seats.map((seat, ordinal) => [seat.config.label, ordinal]));
  pairByGroup(seats, groups, ordinals, owner);
  const served = new Set(owner.values());
  for (const ordinal of companions) {
    if (owner.has(ordinal)) continue;
    const stated = ordinals.get(seats[ordinal]?.config.companion_of ?? '');
    const space = stated ?? besideSpace(seats, ordinal, served);
    if (space === undefined) continue;
    owner.set(ordinal, space);
    served.add(space);
  }
  return bySpace(owner);
}

function pairByGroup(
  seats: readonly PairingSeat[],
  groups: readonly GroupConfig[],
  ordinals: ReadonlyMap<string, number>,
  owner: Map<number, number>,
): void {
  for (const group of groups) {
    if (group.group_type !== 'wheelchair_pair') continue;
    const members = group.seat_labels.flatMap((label) => ordinals.get(label) ?? []);
    const space = members.find((member) => isSpace(seats[member]));
    if (space === undefined) continue;
    for (const member of members) if (member !== space) owner.set(member, space);
  }
}

/** The wheelchair space next to a companion; of two, the one that has no companion yet. */
function besideSpace(
  seats: readonly PairingSeat[],
  ordinal: number,
  served: ReadonlySet<number>,
): number | undefined {
  const run = seats[ordinal]?.run_index;
  const beside = [ordinal - 1, ordinal + 1].filter(
    (other) => seats[other]?.run_index === run && isSpace(seats[other]),
  );
  return beside.find((space) => !served.has(space)) ?? beside[0];
}

function isSpace(seat: PairingSeat | undefined): boolean {
  return seat?.config.category === 'wheelchair';
}

function bySpace(owner: ReadonlyMap<number, number>): Pairs {
  const pairs = new Map<number, number[]>();
  for (const [companion, space] of [...owner].sort(([one], [other]) => one - other)) {
    const companions = pairs.get(space);
    if (companions) companions.push(companion);
    else pairs.set(space, [companion]);
  }
  return pairs;
}
