import type { FreeSeats } from './free-seats.ts';
import { type Judgement, judgeSelection } from './judge-selection.ts';
import { type BestWish, describeChoice, type NoOffer, type Offer, rankOffers } from './offers.ts';
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
    const fits = added.every(
      (seat) => categories.length === 0 || categories.includes(view.free.plan.categoryOf(seat)),
    );
    return keeps && fits ? [describeChoice(view, wish, added)] : [];
  });
}
