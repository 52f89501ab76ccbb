import { assert } from '#kit';
import { accessTo, personMay } from './access-rules.ts';
import type { BoardZone } from './board-config.ts';
import type { BoardState, Hold } from './board-state.ts';
import {
  type Facts,
  type HoldCommand,
  type NeedsMembership,
  type Refused,
  refused,
} from './commands.ts';
import type { Wanted } from './hold-rules.ts';

/** So many places of one zone, and for whom besides the buyer. */
export type Party = Readonly<{ quantity: number; people: readonly string[] }>;

/** May everybody of a wish be where it puts them? Null: yes. */
export function judgeAccess(
  state: BoardState,
  command: HoldCommand,
  facts: Facts,
  wanted: readonly Wanted[],
): Refused | NeedsMembership | null {
  for (const [number, party] of partiesOf(state, wanted)) {
    const judged = judgeZone(state, command, facts, number, party);
    if (judged) return judged;
  }
  return null;
}

function partiesOf(state: BoardState, wanted: readonly Wanted[]): Map<number, Party> {
  const parties = new Map<number, Party>();
  for (const one of wanted) {
    const zone = one.kind === 'places' ? one.zone : state.plan.zoneOf(one.ordinal);
    const known = parties.get(zone) ?? { quantity: 0, people: [] };
    const added = one.kind === 'places' ? one.quantity : one.own ? 0 : 1;
    const quantity = known.quantity + added;
    parties.set(zone, { quantity, people: [...known.people, ...one.people] });
  }
  return parties;
}

/** May this buyer have so many places in a zone, for these people? */
export function judgeZone(
  state: BoardState,
  command: HoldCommand,
  facts: Facts,
  number: number,
  party: Party,
): Refused | NeedsMembership | null {
  const zone = state.config.zones[number];
  assert(zone, 'a seat has a zone');
  const access = accessTo(zone, command, facts);
  if (access === 'needs_membership') return { kind: 'needs_membership', user_id: command.user_id };
  if (access === 'denied') return denied(zone);
  if (!isForPeople(zone) || command.made_by !== null) return null;
  return judgePeople(state, command, facts, { zone, number, party });
}

/** Zones whose places are for the persons who were let in, each of them. */
function isForPeople({ access_mode }: BoardZone): boolean {
  return access_mode === 'membership_tier' || access_mode === 'whitelist';
}

/** One place is the buyer's own; every other one is for somebody who may enter too. */
function judgePeople(
  state: BoardState,
  { user_id }: HoldCommand,
  facts: Facts,
  { zone, number, party }: { zone: BoardZone; number: number; party: Party },
): Refused | NeedsMembership | null {
  if (!facts.owned.has(user_id)) return { kind: 'needs_membership', user_id };
  const named = newPeople(state, user_id, number, party.people, facts);
  const bought = ownOf(facts, user_id, zone);
  const before = unnamedOf(holdsIn(state, user_id, number)) + bought;
  const unnamed = party.quantity - named.length;
  if (unnamed > 0 && before + unnamed > 1) return unnamedPlaces(zone, before + unnamed, bought);
  const judged = named.map((person) => ({ person, access: personMay(zone, person, facts) }));
  const asked = judged.find(({ access }) => access === 'needs_membership');
  if (asked) return { kind: 'needs_membership', user_id: asked.person };
  const people = judged.filter(({ access }) => access === 'denied').map(({ person }) => person);
  if (people.length === 0) return null;
  const message = 'Not everybody whom you name may enter this zone.';
  return { ...denied(zone, { people }), message };
}

/** Of all these places one is the buyer's own. */
function unnamedPlaces(zone: BoardZone, places: number, bought: number): Refused {
  const ask = 'Each place in this zone is for somebody who may enter it: please say for whom.';
  const message = bought > 0 ? `${ask} You have a ticket of your own already.` : ask;
  return { ...denied(zone, { unnamed: places - 1, owned: bought }), message };
}

function unnamedOf(holds: readonly Hold[]): number {
  return holds.reduce((sum, hold) => sum + hold.quantity - (hold.people?.length ?? 0), 0);
}

/** Tickets that a user has bought in a zone and that are for nobody else. */
function ownOf({ owned }: Facts, userId: string, { zone_id }: BoardZone): number {
  return (owned.get(userId) ?? []).reduce((sum, { zone_id: where, person, places }) => {
    const isOwn = where === zone_id && (person === null || person === userId);
    return sum + (isOwn ? places : 0);
  }, 0);
}

/**
 * At the checkout: what was bought meanwhile counts too. What staff hold for a caller is theirs to
 * judge.
 */
export function judgeBought(
  state: BoardState,
  userId: string,
  facts: Facts,
  holds: readonly Hold[],
): Refused | NeedsMembership | null {
  for (const [number, zone] of state.config.zones.entries()) {
    if (!isForPeople(zone)) continue;
    const own = unnamedOf(holds.filter((hold) => hold.zone === number && hold.made_by === null));
    if (own === 0) continue;
    if (!facts.owned.has(userId)) return { kind: 'needs_membership', user_id: userId };
    const bought = ownOf(facts, userId, zone);
    if (own + bought > 1) return unnamedPlaces(zone, own + bought, bought);
  }
  return null;
}

/**
 * A person sits once: whoever is named again, has a ticket by the same buyer, or is the buyer,
 * stands for nobody new.
 */
function newPeople(
  state: BoardState,
  userId: string,
  zone: number,
  people: readonly string[],
  { owned }: Facts,
): string[] {
  if (people.length === 0) return [];
  const zone_id = state.config.zones[zone]?.zone_id;
  const bought = (owned.get(userId) ?? []).filter((one) => one.zone_id === zone_id);
  const known = new Set([
    ...holdsIn(state, userId, zone).flatMap((hold) => hold.people ?? []),
    ...bought.flatMap(({ person }) => person ?? []),
  ]);
  return [...new Set(people)].filter((one) => one !== userId && !known.has(one));
}

/** Whom a hold keeps as its people: those the zone asks for, and nobody else. */
export function peopleOf(
  state: BoardState,
  userId: string,
  zone: number,
  people: readonly string[],
  facts: Facts,
): string[] {
  const { [zone]: found } = state.config.zones;
  return found && isForPeople(found) ? newPeople(state, userId, zone, people, facts) : [];
}

function holdsIn(state: BoardState, userId: string, zone: number): readonly Hold[] {
  return state.holdsOfUser(userId).filter((hold) => hold.zone === zone);
}

function denied({ zone_id }: BoardZone, details?: Refused['details']): Refused {
  return refused('zone_access_denied', [{ zone_id, code: 'zone_access_denied' }], details);
}
