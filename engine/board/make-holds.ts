import { assert } from '#kit';
import { holdTimes } from '#policies';
import type { Hold } from './board-state.ts';
import type { HeldChange } from './changes.ts';
import type { Facts, HoldCommand } from './commands.ts';
import type { Draft } from './draft.ts';
import type { Wanted } from './hold-rules.ts';
import { peopleOf } from './person-rules.ts';

/** Without a word about carts, a buyer's next seat goes into the cart with the last one. */
export function cartOf(draft: Draft, userId: string): string | undefined {
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

/**
 * One change for all of it; what the user has already is among the holds. `settled`: so many seats
 * the cart has then, and its checkout does not judge them again.
 */
export function makeHolds(
  draft: Draft,
  command: HoldCommand,
  facts: Facts,
  { cart_token, settled }: Readonly<{ cart_token: string; settled: number | null }>,
  wanted: readonly Wanted[],
): Hold[] {
  const seats: [string, number][] = [];
  const places: [string, number, number][] = [];
  const people: [string, string[]][] = [];
  const ids = wanted.map((one) => {
    if (one.kind === 'seat' && one.own) return one.own.hold_id;
    const hold_id = facts.newId();
    if (one.kind === 'seat') seats.push([hold_id, one.ordinal]);
    else places.push([hold_id, one.zone, one.quantity]);
    const zone = one.kind === 'seat' ? draft.plan.zoneOf(one.ordinal) : one.zone;
    const named = peopleOf(draft, command.user_id, zone, one.people, facts);
    if (named.length > 0) people.push([hold_id, named]);
    return hold_id;
  });
  if (seats.length + places.length > 0) {
    const until_ms = facts.now_ms + holdMilliseconds(draft, command, facts);
    const made = heldChange(command, { cart_token, until_ms, seats, places, people });
    draft.record(settled === null ? made : { ...made, settled });
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
  { user_id, source, ip, made_by, notes, orphans }: HoldCommand,
  made: Required<Pick<HeldChange, 'cart_token' | 'until_ms' | 'seats' | 'places' | 'people'>>,
): HeldChange {
  const { cart_token, until_ms, seats, places, people } = made;
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
    ...(people.length > 0 ? { people } : {}),
    ...(orphans === 'tell' && made_by === null ? { unjudged: true } : {}),
  };
}
