import type { FreeSeats } from './free-seats.ts';
import { type Judgement, judgeSelection } from './judge-selection.ts';
import {
  type BestWish,
  describeChoice,
  type NoOffer,
  type Offer,
  rankOffers,
  type SeatOffer,
  zonesFor,
} from './offers.ts';
import { partsOf } from './orphans.ts';
import type { SeatingView } from './seating-view.ts';

export type OrphanRefusal = Judgement & { kind: 'refused' };

export type Terms = Readonly<{
  most: number;
  allow_orphan: boolean;
  /** With seats that are kept for this buyer and gone for all others. */
  own?: FreeSeats;
}>;

/**
 * Offers that the buyer may have: what a party adds to its seats is judged with them, as its whole
 * cart will be. When none of the best may be had, what the rule itself proposes is offered, as far
 * as it fulfils the wish and the party keeps its seats.
 */
export function legalOffers(
  view: SeatingView,
  wish: BestWish,
  { most, allow_orphan, own = view.free }: Terms,
): readonly Offer[] | NoOffer | OrphanRefusal {
  const ranked = rankOffers({ ...view, free: own }, wish, most);
  if (!isList(ranked)) return ranked;
  const refusals: OrphanRefusal[] = [];
  const legal = ranked.filter((offer) => {
    if (offer.kind === 'places') return true;
    const selection = { seats: offer.seats, held: wish.beside, allow_orphan };
    const judgement = judgeSelection(view, selection);
    if (judgement.kind === 'refused') refusals.push(judgement);
    return judgement.kind === 'legal';
  });
  const [refusal] = refusals;
  if (legal.length > 0 || !refusal) return legal;
  const proposed = proposals(view, wish, refusal);
  return proposed.length > 0 ? proposed.slice(0, most) : refusal;
}

/** So many choices are judged: a refusal names others, and that takes a search. */
const MOST_JUDGED = 32;

/**
 * Of choices that were put together elsewhere those that fulfil the wish, the best first and
 * without a seat in common.
 */
export function legalChoices(
  view: SeatingView,
  wish: BestWish,
  choices: readonly (readonly number[])[],
  { most, allow_orphan, own = view.free }: Terms,
): SeatOffer[] {
  const zones = zonesFor(view, wish);
  const seen = { ...view, free: own };
  const offers = choices
    .filter((seats) => fulfils(view, wish, zones, seats))
    .map((seats) => describeChoice(seen, wish, seats))
    .sort((one, other) => one.score.total - other.score.total);
  const given = new Set<number>();
  const legal: SeatOffer[] = [];
  for (const offer of offers.slice(0, MOST_JUDGED)) {
    if (legal.length === most) break;
    if (offer.seats.some((seat) => given.has(seat))) continue;
    const selection = { seats: offer.seats, held: wish.beside, allow_orphan };
    if (judgeSelection(view, selection).kind === 'refused') continue;
    legal.push(offer);
    for (const seat of offer.seats) given.add(seat);
  }
  return legal;
}

function fulfils(
  view: SeatingView,
  { quantity, accessible, categories, beside, strict, has = () => false }: BestWish,
  zones: readonly number[],
  seats: readonly number[],
): boolean {
  const { plan } = view.free;
  const zone = plan.zoneOf(seats[0] ?? 0);
  if (seats.length !== quantity || !zones.includes(zone)) return false;
  if (seats.some((seat) => plan.zoneOf(seat) !== zone)) return false;
  if (seats.filter((seat) => plan.isSpace(seat)).length !== accessible) return false;
  if (!isOfCategories(view, categories, seats)) return false;
  if (!strict && !view.policy.group_adjacency_strict) return true;
  return partsOf(view.free, [...beside, ...seats], has).length <= 1;
}

function isOfCategories(
  { free }: SeatingView,
  categories: BestWish['categories'],
  seats: readonly number[],
): boolean {
  if (categories.length === 0) return true;
  return seats.every((seat) => categories.includes(free.plan.categoryOf(seat)));
}

function isList(ranked: readonly Offer[] | NoOffer): ranked is readonly Offer[] {
  return Array.isArray(ranked);
}

function proposals(view: SeatingView, wish: BestWish, { alternatives }: OrphanRefusal): Offer[] {
  const { beside, categories, quantity } = wish;
  // A wheelchair space or one row cannot be had by changing seats that are not in the proposal.
  if (wish.accessible > 0 || wish.strict || view.policy.group_adjacency_strict) return [];
  return alternatives.flatMap((seats) => {
    const added = seats.filter((seat) => !beside.includes(seat));
    const keeps = added.length === quantity && seats.length === quantity + beside.length;
    return keeps && isOfCategories(view, categories, added)
      ? [describeChoice(view, wish, added)]
      : [];
  });
}
