import { assert } from '#kit';
import { SEAT_CATEGORIES, type SeatCategory } from '#policies';
import { seatAccessibleParty } from './accessible-party.ts';
import { Effort } from './effort.ts';
import { growParty, looseSeats } from './grow-party.ts';
import { isNearlyFull, partsOf, piecesOf, sitsAsOne, strandedBy } from './orphans.ts';
import { MOST_SEATS } from './run-seats.ts';
import { type Score, scored, scoreOf } from './score.ts';
import { bestBlock, type MayTake, seatsOf } from './seat-blocks.ts';
import type { SeatingView } from './seating-view.ts';
import { type RowShare, rowSharesOf, sentenceOf } from './sentence.ts';
import { splitGroup } from './split-group.ts';

export type BestWish = Readonly<{
  quantity: number;
  /** Zones by number; empty: every zone that is open to the buyer. */
  zones: readonly number[];
  price_cents: number | null;
  /** Empty: everything but wheelchair spaces and companion seats. */
  categories: readonly SeatCategory[];
  /** How many wheelchair spaces are among them. */
  accessible: number;
  /** In one row and one piece or not at all; the policy may say so too. */
  strict: boolean;
  /** Places in a zone without seats will do. */
  ga: boolean;
  /** What the party holds in that cart already. */
  beside: readonly number[];
  /** Wheelchair spaces and companion seats that this party is not given. */
  closed?: ReadonlySet<number>;
  /** Has the buyer this wheelchair space, also by a ticket or in another cart? */
  has?: (space: number) => boolean;
}>;

export type SeatOffer = Readonly<{
  kind: 'seats';
  zone: number;
  seats: readonly number[];
  /** All in one piece, with what the party has. */
  adjacent: boolean;
  rows: readonly RowShare[];
  /** Seats that it strands, and why it may; null when there are none. */
  orphans: readonly number[];
  orphan_reason: 'accessible_party' | 'row_nearly_full' | 'no_other_choice' | null;
  score: Score;
  message: string;
}>;
export type PlacesOffer = Readonly<{
  kind: 'places';
  zone: number;
  quantity: number;
  score: Score;
  message: string;
}>;
export type Offer = SeatOffer | PlacesOffer;

export type NoOffer = Readonly<{
  kind: 'refused';
  code: 'no_adjacent_seats' | 'no_available_seats' | 'wheelchair_limit';
  message: string;
}>;

/** The most offers a preview may ask for: more than anybody compares. */
export const MOST_OFFERS = 10;

/** The best that the board has for a wish; the same board and wish give the same offer. */
export function bestAvailable(view: SeatingView, wish: BestWish): Offer | NoOffer {
  const offers = rankOffers(view, wish, 1);
  return Array.isArray(offers) ? (offers[0] as Offer) : (offers as NoOffer);
}

/** Up to `most` offers without a seat in common, the best first; never an empty list. */
export function rankOffers(
  view: SeatingView,
  wish: BestWish,
  most: number,
): readonly Offer[] | NoOffer {
  assert(wish.quantity >= 1 && wish.quantity <= MOST_SEATS, 'a wish is for 1 to 50 seats');
  assert(wish.accessible <= wish.quantity, 'wheelchair spaces are among the seats');
  const { policy } = view;
  const limit = policy.max_wheelchair_seats_per_booking;
  const spaces = wish.beside.filter((seat) => view.free.plan.isSpace(seat)).length;
  if (policy.enforce_accessibility_rules && wish.accessible > 0) {
    if (spaces + wish.accessible > limit) return wheelchairLimit(limit);
  }
  const given = new Set(wish.closed);
  const offers: Offer[] = [];
  const effort = new Effort();
  while (offers.length < Math.min(most, MOST_OFFERS)) {
    const offer = nextOffer(view, wish, given, effort);
    if (!offer) break;
    offers.push(offer);
    if (effort.isOver) break;
    // One offer of places is all: another zone's would be no better for anybody.
    if (offer.kind === 'places') break;
    for (const seat of offer.seats) given.add(seat);
  }
  return offers.length > 0 ? offers : refusal(view, wish);
}

/** The steps in their order: together, stranding, split; then in zones of the same price; GA. */
function nextOffer(
  view: SeatingView,
  wish: BestWish,
  given: ReadonlySet<number>,
  effort: Effort,
): Offer | undefined {
  const { asked, others } = zonesOf(view, wish);
  const search = { may: mayTake(view, wish, given), effort };
  return (
    inZones(view, wish, asked, { ...search, otherZone: false }) ??
    inZones(view, wish, others, { ...search, otherZone: true }) ??
    placesFor(view, wish, asked, others)
  );
}

/** Zones in which there may be something for a wish, those that were asked for first. */
export function zonesFor(view: SeatingView, wish: BestWish): number[] {
  const { asked, others } = zonesOf(view, wish);
  return [...asked, ...others];
}

/** Which zones were asked for, and which others have the same price. */
function zonesOf({ zones }: SeatingView, wish: BestWish) {
  const priceOf = (zone: number) => zones[zone]?.price_cents ?? null;
  const all = [...zones.keys()].filter((zone) => {
    const isPrice = wish.price_cents === null || priceOf(zone) === wish.price_cents;
    return isPrice && zones[zone]?.open;
  });
  const asked = wish.zones.length === 0 ? all : all.filter((zone) => wish.zones.includes(zone));
  const prices = new Set(wish.zones.map(priceOf));
  const others = all.filter((zone) => {
    const price = priceOf(zone);
    return !asked.includes(zone) && price !== null && prices.has(price);
  });
  return { asked, others };
}

/** Undefined: every seat of the pool. */
function mayTake(
  { free }: SeatingView,
  { categories }: BestWish,
  given: ReadonlySet<number>,
): MayTake | undefined {
  if (categories.length === 0 && given.size === 0) return undefined;
  const { categories: categoryOf } = free.plan.columns;
  // A bit for each, because every seat of a stadium may be asked about.
  const wanted = categories.reduce((bits, one) => bits | (1 << SEAT_CATEGORIES.indexOf(one)), 0);
  const any = categories.length === 0;
  return (seat) => (any || ((wanted >> (categoryOf[seat] ?? 0)) & 1) === 1) && !given.has(seat);
}

type Search = Readonly<{ may: MayTake | undefined; effort: Effort }>;

type Choice = Readonly<{ zone: number; seats: readonly number[]; score: Score }>;

function inZones(
  view: SeatingView,
  wish: BestWish,
  zones: readonly number[],
  search: Search & { otherZone: boolean },
): SeatOffer | undefined {
  const { otherZone, effort } = search;
  for (const step of stepsFor(view, wish, search)) {
    let best: Choice | undefined;
    for (const zone of zones) {
      // What has been found will do when the search has taken long.
      if (best && effort.isOver) break;
      const seats = step(zone);
      if (!seats) continue;
      const score = scoreOf(view.free, seats, { beside: wish.beside, otherZone });
      if (!best || score.total < best.score.total) best = { zone, seats, score };
    }
    if (best) return offerOf(view, wish, best);
  }
  return undefined;
}

type Step = (zone: number) => number[] | null;

function stepsFor({ free, policy }: SeatingView, wish: BestWish, { may, effort }: Search): Step[] {
  const { quantity: size, accessible, beside, has = () => false } = wish;
  const strict = wish.strict || policy.group_adjacency_strict;
  const how = { size, strict, rows: policy.max_group_split, may, effort };
  // A companion seat by itself is with its wheelchair space: newcomers sit beside the others.
  const anchors = strict ? partsOf(free, beside, has).flat() : beside;
  const home = free.plan.zoneOf(anchors[0] ?? 0);
  const isAway = (zone: number) => anchors.length > 0 && zone !== home;
  if (accessible > 0) {
    const party = { ...how, accessible, beside: strict ? beside : [], has };
    return [(zone) => seatAccessibleParty(free, zone, party)];
  }
  if (anchors.length === 0) return groupSteps(free, how);
  const isOne = (seats: readonly number[]) => partsOf(free, [...beside, ...seats], has).length <= 1;
  const loose = strict ? looseSeats(free, beside, may) : [];
  const growth = { ...how, beside, anchors, loose, ...(strict ? { isOne } : {}) };
  const grow: Step = (zone) => (isAway(zone) ? null : growParty(free, growth));
  // In another zone nobody sits beside anybody, so the newcomers are a group of their own.
  return strict ? [grow] : [grow, ...groupSteps(free, how)];
}

function groupSteps(
  free: SeatingView['free'],
  { size, strict, rows, may, effort }: Search & { size: number; strict: boolean; rows: number },
): Step[] {
  const block =
    (tidy: boolean): Step =>
    (zone) => {
      const found = bestBlock(free, zone, { size, tidy, may, effort });
      return found && seatsOf(free.plan, found);
    };
  const split: Step = (zone) => splitGroup(free, zone, { size, rows, may, effort });
  return strict || size === 1 ? [block(true), block(false)] : [block(true), block(false), split];
}

/** Seats that were found some other way, as an offer. */
export function describeChoice(
  view: SeatingView,
  wish: BestWish,
  seats: readonly number[],
): SeatOffer {
  const zone = view.free.plan.zoneOf(seats[0] ?? 0);
  const otherZone = wish.zones.length > 0 && !wish.zones.includes(zone);
  const score = scoreOf(view.free, seats, { beside: wish.beside, otherZone });
  return offerOf(view, wish, { zone, seats, score });
}

function offerOf({ free }: SeatingView, wish: BestWish, { zone, seats, score }: Choice): SeatOffer {
  const party = [...wish.beside, ...seats];
  const orphans = strandedBy(free, party);
  return {
    kind: 'seats',
    zone,
    seats,
    adjacent: piecesOf(free, party).length === 1,
    rows: rowSharesOf(free, seats),
    orphans,
    orphan_reason: orphans.length === 0 ? null : reasonFor(free, party, orphans),
    score,
    // Of everybody, so that a party that grows reads where the newcomers are.
    message: sentenceOf(free, party),
  };
}

function reasonFor(
  free: SeatingView['free'],
  party: readonly number[],
  orphans: readonly number[],
): SeatOffer['orphan_reason'] {
  if (sitsAsOne(free, party)) return 'accessible_party';
  return orphans.every((seat) => isNearlyFull(free, seat)) ? 'row_nearly_full' : 'no_other_choice';
}

function placesFor(
  view: SeatingView,
  { ga, quantity, accessible }: BestWish,
  asked: readonly number[],
  others: readonly number[],
): PlacesOffer | undefined {
  if (!ga || accessible > 0) return undefined;
  const roomy = (zone: number) => {
    const { has_seats = true, room = 0 } = view.zones[zone] ?? {};
    return !has_seats && room >= quantity;
  };
  const zone = asked.find(roomy) ?? others.find(roomy);
  if (zone === undefined) return undefined;
  const other_zone = asked.includes(zone) ? 0 : 1;
  const none = { distance: 0, spread: 0, orphans: 0, breaks: 0, alone: 0 };
  const score = scored({ ...none, other_zone, without_seat: 1 });
  const places = quantity === 1 ? '1 place' : `${quantity} places`;
  const message = `${places} without a seat in ${view.zones[zone]?.name ?? ''}`;
  return { kind: 'places', zone, quantity, score, message };
}

function refusal(view: SeatingView, wish: BestWish): NoOffer {
  const zones = zonesFor(view, wish);
  const { free } = view;
  const pool = zones.reduce((sum, zone) => sum + free.zone(zone).pool, 0);
  const spaces = zones.flatMap((zone) => free.plan.spaces[zone] ?? []);
  const open = spaces.filter((seat) => free.isOpen(seat) && !wish.closed?.has(seat)).length;
  if (wish.accessible > open || wish.quantity > pool + open) return nothingLeft(wish);
  return { kind: 'refused', code: 'no_adjacent_seats', message: noneTogether(view, wish) };
}

function noneTogether({ policy }: SeatingView, wish: BestWish): string {
  const { quantity, accessible, beside, strict } = wish;
  const isPair = quantity === 2 && accessible === 0;
  if (beside.length === 0 || !(strict || policy.group_adjacency_strict)) {
    return isPair
      ? 'No suitable seat pairs available.'
      : `No ${quantity} seats together available.`;
  }
  const what = quantity === 1 ? 'seat' : `${quantity} seats`;
  return `No ${what} together with yours available.`;
}

/** What is said when there are not that many seats. */
export function nothingLeft({
  quantity,
  accessible,
}: Pick<BestWish, 'quantity' | 'accessible'>): NoOffer {
  const what =
    accessible > 0 ? 'wheelchair spaces' : quantity === 1 ? 'seats' : 'seats for so many';
  return { kind: 'refused', code: 'no_available_seats', message: `No ${what} available.` };
}

function wheelchairLimit(most: number): NoOffer {
  const message = `A booking may have ${most} wheelchair ${most === 1 ? 'space' : 'spaces'}.`;
  return { kind: 'refused', code: 'wheelchair_limit', message };
}
