import {
  judgeSelection,
  refuseAccessible,
  sentenceOf,
  strandedBy,
  withoutHolds,
} from '#allocation';
import { BoardSeating } from './board-seating.ts';
import { type BoardState, type Hold, SEAT } from './board-state.ts';
import { bookingOf, seatsOf, tooManySpaces } from './booking-rules.ts';
import {
  type Facts,
  type HeldOutcome,
  type HoldCommand,
  type Refused,
  refused,
} from './commands.ts';

/**
 * Seats that are chosen beside those that the same user has in the cart. `left`: held by them as
 * well and not to be bought now, so that they will be free again.
 */
export type Choice = Readonly<{
  seats: readonly number[];
  held: readonly number[];
  left?: readonly number[];
}>;

type Judged = Refused | Readonly<{ kind: 'legal'; orphans: HeldOutcome['orphans'] }>;

const FINE = { kind: 'legal', orphans: undefined } as const;

export function seatsOfCart(state: BoardState, userId: string, cart_token: string): number[] {
  return seatsOf(state.holdsOfUser(userId).filter((hold) => hold.cart_token === cart_token));
}

/** What a choice of seats means for others: companions of wheelchair users, and seats left over. */
export function judgeChoice(
  state: BoardState,
  command: HoldCommand,
  choice: Choice,
  facts: Facts,
): Judged {
  if (choice.seats.length === 0) return FINE;
  const refusal = command.made_by === null ? refuseForOthers(state, command, choice) : null;
  if (refusal) return refusal;
  // An orphan is a nuisance; a rule that fails must not cost a sale.
  try {
    return judgeOrphans(state, choice, command.made_by === null ? command.orphans : 'tell');
  } catch (error) {
    facts.trouble?.('orphans', error);
    return FINE;
  }
}

function refuseForOthers(
  state: BoardState,
  { user_id }: HoldCommand,
  { seats }: Choice,
): Refused | null {
  const held = seatsOf(bookingOf(state, user_id));
  const refusal = refuseAccessible(new BoardSeating(state), { user: user_id, seats, held });
  if (!refusal) return null;
  if (refusal.code === 'wheelchair_limit') {
    const added = refusal.spaces.filter((space) => !held.includes(space)).length;
    return tooManySpaces(refusal.most, refusal.spaces.length - added, added);
  }
  return companionsKept(state, refusal.seats);
}

function companionsKept({ plan }: BoardState, seats: readonly number[]): Refused {
  const items = seats.map((ordinal) => ({
    seat_id: plan.seatIdOf(ordinal),
    label: plan.labelOf(ordinal),
    code: 'companion_reserved' as const,
    ordinal,
  }));
  return refused('companion_reserved', items);
}

function judgeOrphans(
  state: BoardState,
  { seats, held, left = [] }: Choice,
  wanted: HoldCommand['orphans'],
): Judged {
  const anew = left.length > 0 ? withoutHolds(state.free, left) : undefined;
  const stranded = strandedBy(anew ?? new BoardSeating(state), [...held, ...seats]);
  if (stranded.length === 0) return FINE;
  if (wanted === 'tell') return told(state, stranded, 'told');
  const { policy } = state.config;
  // Without the index, which only the rule needs.
  if (!policy.orphan_avoidance_strict) return told(state, stranded, 'policy');
  const view = { free: anew ?? state.free, zones: [], policy };
  const allow_orphan = wanted === 'allow';
  const judgement = judgeSelection(view, { seats, held, allow_orphan });
  if (judgement.kind === 'legal') {
    return told(state, judgement.orphans, judgement.reason ?? 'none');
  }
  return orphanRefusal(state, judgement.orphans, judgement.alternatives);
}

function told(state: BoardState, orphans: readonly number[], reason: string): Judged {
  if (orphans.length === 0) return FINE;
  return { kind: 'legal', orphans: { labels: labelsOf(state, orphans), reason } };
}

const ASK_ANEW = 'Please give these seats back and ask for the best available.';

/** Names what would be left over, and what could be chosen instead. */
export function orphanRefusal(
  state: BoardState,
  orphans: readonly number[],
  alternatives: readonly (readonly number[])[],
): Refused {
  const { plan } = state;
  const labels = labelsOf(state, orphans);
  const one = labels.length === 1;
  const alone = `This choice would leave ${one ? 'seat' : 'seats'} ${labels.join(', ')} alone.`;
  // Where seats cannot be named, no other choice of them is one.
  const isForEngine = state.config.policy.prefer_clustering_over_selection;
  const message = isForEngine ? `${alone} ${ASK_ANEW}` : alone;
  const named = isForEngine ? [] : alternatives;
  const choices = named.map((seats) => ({
    seats: seats.map((ordinal) => ({
      seat_id: plan.seatIdOf(ordinal),
      label: plan.labelOf(ordinal),
    })),
    message: sentenceOf(state.free, seats),
  }));
  return { ...refused('orphan_rule', [], { orphans: labels, alternatives: choices }), message };
}

export function labelsOf({ plan }: BoardState, ordinals: readonly number[]): string[] {
  return ordinals.map((ordinal) => plan.labelOf(ordinal));
}

/**
 * A whole cart when its checkout begins: no companion seat without its wheelchair space, unless
 * staff hold it for a caller, and no seat left alone that another choice of the same size would
 * spare. Null: it may go on.
 */
export function judgeCart(
  state: BoardState,
  holds: readonly Hold[],
  { orphans, trouble }: { orphans: HoldCommand['orphans']; trouble?: Facts['trouble'] },
): Refused | null {
  const held = seatsOf(holds);
  const chosen = seatsOf(holds.filter(({ made_by }) => made_by === null));
  const lonely = chosen.filter((seat) => isLonelyCompanion(state, seat, held));
  if (lonely.length > 0) return companionsKept(state, lonely);
  try {
    const left = seatsLeftBy(state, holds);
    const judged = judgeOrphans(state, { seats: [], held, left }, orphans);
    return judged.kind === 'refused' ? judged : null;
  } catch (error) {
    trouble?.('orphans', error);
    return null;
  }
}

/** What the same buyer holds beside a checkout, and may give back or let go. */
function seatsLeftBy(state: BoardState, holds: readonly Hold[]): number[] {
  const ids = new Set(holds.map(({ hold_id }) => hold_id));
  const own = bookingOf(state, holds[0]?.user_id ?? '');
  return seatsOf(own.filter(({ hold_id }) => !ids.has(hold_id)));
}

/** Its wheelchair space was given back, and the seat is not for everybody yet. */
function isLonelyCompanion(state: BoardState, seat: number, cart: readonly number[]): boolean {
  const { plan, policy } = new BoardSeating(state);
  const space = plan.spaceOf(seat);
  if (space === undefined || !policy.enforce_accessibility_rules) return false;
  if (state.isReleased(plan.zoneOf(seat)) || cart.includes(space)) return false;
  // A sold space was theirs when they took the seat beside it, or they could not have; blocked
  // since or not.
  const code = state.codeOf(space);
  if (code === SEAT.sold || code === SEAT.blockedSold) return false;
  return state.holdOfSeat(space)?.user_id !== state.holdOfSeat(seat)?.user_id;
}
