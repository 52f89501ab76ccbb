import type { SeatsByLabel } from './check-names.ts';
import type { GroupDraft, LayoutDraft, SeatDraft } from './layout-draft.ts';
import type { LayoutProblems } from './layout-problems.ts';

/** The group that a seat is in already, by group type and label. */
type Taken = Map<string, GroupDraft>;

/** Groups join seats of one zone; a seat is in at most one group of each type. */
export function checkGroups(
  draft: LayoutDraft,
  seats: SeatsByLabel,
  problems: LayoutProblems,
): void {
  const zone_names = new Map(draft.zones.map((zone, index) => [zone.name, index]));
  const taken: Taken = new Map();
  for (const group of draft.groups) {
    if (problems.full) return;
    const members = readMembers(group, { seats, complete: draft.complete, taken }, problems);
    if (!members) continue;
    checkGroupZone(group, members, zone_names, problems);
    if (group.group_type === 'wheelchair_pair') checkPair(group, members, seats, problems);
    else checkGroupSize(group, members, problems);
  }
}

/** The seats of a group, or undefined when one of them cannot be told. */
function readMembers(
  group: GroupDraft,
  { seats, complete, taken }: { seats: SeatsByLabel; complete: boolean; taken: Taken },
  problems: LayoutProblems,
): SeatDraft[] | undefined {
  const members: SeatDraft[] = [];
  group.seat_labels.forEach((label, index) => {
    if (label === undefined) return;
    const path = `${group.path}.seat_labels[${index}]`;
    const seat = seats.get(label);
    if (!seat) {
      if (!complete) return;
      problems.add(path, 'unknown_seat', `There is no seat "${label}" in this layout.`);
      return;
    }
    members.push(seat);
    const key = `${group.group_type}\n${label}`;
    const earlier = taken.get(key);
    if (earlier) {
      const sentence = `"${label}" is already in the ${group.group_type} at ${earlier.path}.`;
      problems.add(path, 'seat_in_two_groups', sentence);
    } else taken.set(key, group);
  });
  return members.length === group.seat_labels.length ? members : undefined;
}

function checkGroupZone(
  group: GroupDraft,
  members: readonly SeatDraft[],
  zone_names: ReadonlyMap<string | undefined, number>,
  problems: LayoutProblems,
): void {
  const named = group.zone === undefined ? undefined : zone_names.get(group.zone);
  if (group.zone !== undefined && named === undefined) {
    const sentence = `There is no zone "${group.zone}" in this layout.`;
    problems.add(`${group.path}.zone`, 'unknown_zone', sentence);
    return;
  }
  const zone = named ?? members[0]?.zone;
  const stray = members.findIndex((seat) => seat.zone !== zone);
  if (stray < 0) return;
  const sentence = 'All seats of a group must be in the same zone.';
  problems.add(`${group.path}.seat_labels[${stray}]`, 'group_zone_mismatch', sentence);
}

function checkGroupSize(
  group: GroupDraft,
  members: readonly SeatDraft[],
  problems: LayoutProblems,
): void {
  if (members.length >= 2 || group.group_type === 'reserved_block' || !group.group_type) return;
  const sentence = `A ${group.group_type} needs at least two seats.`;
  problems.add(`${group.path}.seat_labels`, 'group_too_small', sentence);
}

/** One wheelchair space with its companions and nobody else: that is what is held together. */
function checkPair(
  group: GroupDraft,
  members: readonly SeatDraft[],
  seats: SeatsByLabel,
  problems: LayoutProblems,
): void {
  const spaces = members.filter((seat) => seat.category === 'wheelchair');
  const companions = members.filter((seat) => seat.category === 'companion');
  const others = members.length - spaces.length - companions.length;
  if (spaces.length !== 1 || companions.length === 0 || others > 0) {
    const sentence = 'A wheelchair_pair is one wheelchair seat with one or more companion seats.';
    problems.add(group.path, 'wheelchair_pair_invalid', sentence);
    return;
  }
  for (const seat of companions) {
    const other = seat.companion_of === undefined ? undefined : seats.get(seat.companion_of);
    if (!other || other === spaces[0]) continue;
    const sentence = `The group at ${group.path} pairs this seat with "${spaces[0]?.label}".`;
    problems.add(seat.path('companion_of'), 'companion_conflict', sentence);
  }
}
