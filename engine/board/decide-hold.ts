import { assert } from '#kit';
import { holdTimes } from '#policies';
import { accessTo } from './access-rules.ts';
import type { Hold } from './board-state.ts';
import type { HeldChange } from './changes.ts';
import { type Facts, type HoldCommand, type Outcome, refused } from './commands.ts';
import type { Draft } from './draft.ts';
import { placeOfHold } from './hold-place.ts';
import { judgeItems, refuseSale, type Wanted } from './hold-rules.ts';
import { refuseLimits } from './limit-rules.ts';

/** All of the wish or nothing. A seat the user has already stays what it is. */
export function decideHold(draft: Draft, command: HoldCommand, facts: Facts): Outcome {
  const { wanted, items } = judgeItems(draft, command, facts.now_ms);
  const own = ownHolds(wanted, items.length);
  if (own) return heldAlready(draft, own);
  const closed = refuseSale(draft, command, facts);
  if (closed) return closed;
  const [first] = items;
  if (first) return refused(first.code, items);
  const denied = judgeAccess(draft, command, facts, wanted);
  if (denied) return denied;
  const added = wanted.filter((one) => one.kind === 'places' || !one.own);
  const cart_token = command.cart_token ?? cartOf(draft, command.user_id) ?? facts.newId();
  const seats = added.reduce((sum, one) => sum + (one.kind === 'places' ? one.quantity : 1), 0);
  const limited = refuseLimits(draft, command, cart_token, seats);
  if (limited) return limited;
  const made = makeHolds(draft, command, facts, cart_token, wanted);
  const places = made.map((hold) => placeOfHold(draft, hold));
  return { kind: 'held', holds: made, places, existing: false, cart_token };
}

/** A repeat: what somebody has is theirs, also when the sale has closed meanwhile. */
function ownHolds(wanted: readonly Wanted[], refusals: number): Hold[] | null {
  if (refusals > 0) return null;
  const own = wanted.flatMap((one) => (one.kind === 'seat' && one.own) || []);
  return own.length === wanted.length ? own : null;
}

function heldAlready(draft: Draft, holds: readonly Hold[]): Outcome {
  return {
    kind: 'held',
    holds,
    places: holds.map((hold) => placeOfHold(draft, hold)),
    existing: true,
    // Nothing moves between carts: what was there already names its own.
    cart_token: holds[0]?.cart_token ?? '',
  };
}

/** Without a word about carts, a buyer's next seat goes into the cart with the last one. */
function cartOf(draft: Draft, userId: string): string | undefined {
  const own = draft.holdsOfUser(userId);
  const last = own.reduce<Hold | undefined>(
    (youngest, hold) => (youngest && isYounger(youngest, hold) ? youngest : hold),
    undefined,
  );
  return last?.cart_token;
}

/** The same on every node, whatever order a board keeps its holds in. */
function isYounger(one: Hold, other: Hold): boolean {
  if (one.created_ms !== other.created_ms) return one.created_ms > other.created_ms;
  return one.hold_id > other.hold_id;
}

function judgeAccess(
  draft: Draft,
  command: HoldCommand,
  facts: Facts,
  wanted: readonly Wanted[],
): Outcome | null {
  const zones = new Set(
    wanted.map((one) => (one.kind === 'places' ? one.zone : draft.plan.zoneOf(one.ordinal))),
  );
  for (const number of zones) {
    const zone = draft.config.zones[number];
    assert(zone, 'a seat has a zone');
    const access = accessTo(zone, command, facts);
    if (access === 'needs_membership') {
      return { kind: 'needs_membership', user_id: command.user_id };
    }
    if (access === 'denied') {
      return refused('zone_access_denied', [{ zone_id: zone.zone_id, code: 'zone_access_denied' }]);
    }
  }
  return null;
}

function makeHolds(
  draft: Draft,
  command: HoldCommand,
  facts: Facts,
  cart_token: string,
  wanted: readonly Wanted[],
): Hold[] {
  const seats: [string, number][] = [];
  const places: [string, number, number][] = [];
  const ids = wanted.map((one) => {
    if (one.kind === 'seat' && one.own) return one.own.hold_id;
    const hold_id = facts.newId();
    if (one.kind === 'seat') seats.push([hold_id, one.ordinal]);
    else places.push([hold_id, one.zone, one.quantity]);
    return hold_id;
  });
  if (seats.length + places.length > 0) {
    const until_ms = facts.now_ms + holdMilliseconds(draft, command, facts);
    draft.record(heldChange(command, cart_token, until_ms, seats, places));
  }
  return ids.map((id) => {
    const hold = draft.holdOf(id);
    assert(hold, 'what was held is there');
    return hold;
  });
}

function holdMilliseconds(draft: Draft, command: HoldCommand, facts: Facts): number {
  const { hold_seconds } = holdTimes(draft.config.policy, facts.demoHoldSeconds ?? undefined);
  return (command.hold_seconds ?? hold_seconds) * 1_000;
}

function heldChange(
  { user_id, source, ip, made_by, notes }: HoldCommand,
  cart_token: string,
  until_ms: number,
  seats: HeldChange['seats'] & object,
  places: HeldChange['places'] & object,
): HeldChange {
  return {
    kind: 'held',
    user_id,
    cart_token,
    until_ms,
    source,
    ...(ip === null ? {} : { ip }),
    ...(made_by === null ? {} : { made_by }),
    ...(notes === null ? {} : { notes }),
    ...(seats.length > 0 ? { seats } : {}),
    ...(places.length > 0 ? { places } : {}),
  };
}
