import type { Hold } from './board-state.ts';
import { refuseApart, refuseNaming } from './choice-rules.ts';
import { type Facts, type HoldCommand, type Outcome, type Refused, refused } from './commands.ts';
import { decideBest } from './decide-best.ts';
import type { Draft } from './draft.ts';
import { refuseBroken } from './group-rules.ts';
import { placeOfHold } from './hold-place.ts';
import { judgeItems, refuseSale, type Wanted } from './hold-rules.ts';
import { refuseLimits } from './limit-rules.ts';
import { cartOf, makeHolds } from './make-holds.ts';
import { judgeAccess } from './person-rules.ts';
import { judgeChoice, seatsOfCart } from './seat-choice.ts';

/** All of the wish or nothing. A seat the user has already stays what it is. */
export function decideHold(draft: Draft, command: HoldCommand, facts: Facts): Outcome {
  if (command.best) return decideBest(draft, command, command.best, facts);
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
  const limited = refuseLimits(draft, command, seats);
  if (limited) return limited;
  const chosen = added.flatMap((one) => (one.kind === 'seat' ? [one.ordinal] : []));
  const held = seatsOfCart(draft, command.user_id, cart_token);
  const ruled = refuseChoice(draft, command, chosen, held);
  if (ruled) return ruled;
  const choice = judgeChoice(draft, command, { seats: chosen, held }, facts);
  if (choice.kind === 'refused') return choice;
  const settled = choice.orphans?.reason === 'asked' ? held.length + chosen.length : null;
  const made = makeHolds(draft, command, facts, { cart_token, settled }, wanted);
  const places = made.map((hold) => placeOfHold(draft, hold));
  const stranded = choice.orphans ? { orphans: choice.orphans } : {};
  return { kind: 'held', holds: made, places, existing: false, cart_token, ...stranded };
}

/** What a buyer may not choose here. Seat by seat a group is judged at its checkout. */
function refuseChoice(
  draft: Draft,
  { user_id, made_by, orphans }: HoldCommand,
  chosen: readonly number[],
  held: readonly number[],
): Refused | null {
  if (made_by !== null || chosen.length === 0) return null;
  const named = refuseNaming(draft, chosen);
  if (named || orphans === 'tell') return named;
  const cart = [...held, ...chosen];
  return refuseApart(draft, user_id, cart) ?? refuseBroken(draft, user_id, cart);
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
