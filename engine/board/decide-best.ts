import {
  type BestWish,
  legalChoices,
  legalOffers,
  type Offer,
  type ZoneView,
  zonesFor,
} from '#allocation';
import { freeFor } from './board-seating.ts';
import { bookingOf, refuseSpaces, seatsOf } from './booking-rules.ts';
import { hasSpace, refuseApart } from './choice-rules.ts';
import {
  type BestRequest,
  type Facts,
  type HoldCommand,
  type NeedsMembership,
  type OfferView,
  type Outcome,
  type PreviewOutcome,
  type Refused,
  refused,
} from './commands.ts';
import type { Draft } from './draft.ts';
import {
  choicesIn,
  groupsForOthers,
  type Opened,
  openGroups,
  refuseBroken,
  sentenceForOthers,
  shutGroups,
} from './group-rules.ts';
import { placeOfHold } from './hold-place.ts';
import { refuseSale, roomIn, type Wanted } from './hold-rules.ts';
import { refuseLimits } from './limit-rules.ts';
import { cartOf, makeHolds } from './make-holds.ts';
import { judgeZone } from './person-rules.ts';
import { labelsOf, orphanRefusal, seatsOfCart } from './seat-choice.ts';
import { isSettled } from './settled.ts';

/** The best that there is at this moment, and it is the buyer's. */
export function decideBest(
  draft: Draft,
  command: HoldCommand,
  request: BestRequest,
  facts: Facts,
): Outcome {
  const cart_token = command.cart_token ?? cartOf(draft, command.user_id) ?? facts.newId();
  const found = search(draft, command, request, facts, { cart_token, most: 1 });
  if (!Array.isArray(found)) return found as Refused | NeedsMembership;
  const [offer] = found as Offer[];
  if (!offer) return refused('no_available_seats');
  const settled = offer.kind === 'seats' ? settledBy(draft, command, cart_token, offer) : null;
  const cart = { cart_token, settled };
  const holds = makeHolds(draft, command, facts, cart, wantedOf(offer, request));
  const places = holds.map((hold) => placeOfHold(draft, hold));
  const view = viewOf(draft, offer);
  const stranded =
    offer.kind === 'seats' && offer.orphan_reason
      ? { orphans: { labels: view.orphans, reason: offer.orphan_reason } }
      : {};
  return { kind: 'held', holds, places, existing: false, cart_token, ...stranded, offer: view };
}

/** Null: the cart is judged at its checkout, because not all of it was chosen as it is. */
function settledBy(
  draft: Draft,
  { user_id }: HoldCommand,
  cart_token: string,
  { seats }: Offer & { kind: 'seats' },
): number | null {
  const before = draft.holdsOfUser(user_id).filter((hold) => hold.cart_token === cart_token);
  const cart = [...seatsOf(before), ...seats];
  const breaks = refuseApart(draft, user_id, cart) ?? refuseBroken(draft, user_id, cart);
  return isSettled(before) && !breaks ? cart.length : null;
}

/** What a wish would get, the best first; nothing is held. */
export function previewBest(
  draft: Draft,
  command: HoldCommand,
  facts: Facts,
  most: number,
): PreviewOutcome | Refused | NeedsMembership {
  const { best } = command;
  if (!best) return { kind: 'offers', offers: [] };
  const cart_token = command.cart_token ?? cartOf(draft, command.user_id) ?? '';
  const found = search(draft, command, best, facts, { cart_token, most });
  if (!Array.isArray(found)) return found as Refused | NeedsMembership;
  return { kind: 'offers', offers: (found as Offer[]).map((offer) => viewOf(draft, offer)) };
}

function search(
  draft: Draft,
  command: HoldCommand,
  request: BestRequest,
  facts: Facts,
  { cart_token, most }: { cart_token: string; most: number },
): readonly Offer[] | Refused | NeedsMembership {
  const closed = refuseSale(draft, command, facts);
  if (closed) return closed;
  const zones = zonesOf(draft, request);
  if (!Array.isArray(zones)) return zones as Refused;
  const limited = refuseLimits(draft, command, request.quantity) ?? refuseWheels(draft, command);
  if (limited) return limited;
  const views = zoneViews(draft, command, request, facts, zones);
  if (!Array.isArray(views)) return views as Refused | NeedsMembership;
  const beside = seatsOfCart(draft, command.user_id, cart_token);
  const view = { free: draft.free, zones: views, policy: draft.config.policy };
  const allow_orphan = command.orphans !== undefined;
  const own = freeFor(draft, command.user_id, beside);
  const wish = { ...wishOf(request, zones, beside), has: hasSpace(draft, command.user_id) };
  const { user_id: user } = command;
  const terms = { most, allow_orphan };
  const lookIn = ({ free, closed }: Opened) =>
    legalOffers(view, { ...wish, closed }, { ...terms, own: free });
  const { quantity, accessible } = request;
  const reach = new Set(zonesFor(view, wish));
  const asked = { user, beside, quantity, accessible, zones: reach };
  const opened = openGroups(draft, own, asked);
  const found = lookIn(opened);
  const [first] = 'kind' in found ? [] : found;
  const isFine = (offer: Offer) => isWhole(draft, user, beside, offer);
  if (!('kind' in found) && first && isFine(first)) return found.filter(isFine);
  // The best place of all may be half a table: then each group by itself, then all the others.
  const choices = opened.groups.flatMap((group) => choicesIn(draft, group, asked));
  const inGroups = legalChoices(view, wish, choices, { ...terms, own });
  if (inGroups.length === most) return inGroups;
  const offers = opened.groups.length === 0 ? found : lookIn(shutGroups(draft, own, asked));
  if (inGroups.length > 0) return [...inGroups, ...('kind' in offers ? [] : offers)].slice(0, most);
  if (!('kind' in offers)) return offers;
  if (offers.code === 'orphan_rule') {
    return orphanRefusal(draft, offers.orphans, offers.alternatives);
  }
  const others = groupsForOthers(draft, asked);
  if (others) {
    const message = sentenceForOthers(quantity, others);
    return { ...refused(offers.code, [], { ...others }), message };
  }
  const limit = 'max_wheelchair_seats_per_booking';
  const wheels = offers.code === 'wheelchair_limit';
  const details = wheels ? { limit, most: draft.config.policy[limit] } : undefined;
  return { ...refused(offers.code, [], details), message: offers.message };
}

/** Does it leave no table and no family block in parts? */
function isWhole(draft: Draft, user: string, beside: readonly number[], offer: Offer): boolean {
  return offer.kind === 'places' || !refuseBroken(draft, user, [...beside, ...offer.seats]);
}

/** Also those of other carts, which the search does not see. */
function refuseWheels(draft: Draft, { user_id, made_by, best }: HoldCommand): Refused | null {
  const accessible = best?.accessible ?? 0;
  if (made_by !== null || accessible === 0) return null;
  return refuseSpaces(draft, seatsOf(bookingOf(draft, user_id)), accessible);
}

/** The zones that were named, by their numbers. */
function zonesOf({ config }: Draft, { zone_ids }: BestRequest): number[] | Refused {
  const numbers = zone_ids.map((zone_id) =>
    config.zones.findIndex((zone) => zone.zone_id === zone_id.toLowerCase()),
  );
  const unknown = zone_ids.filter((_, index) => numbers[index] === -1);
  if (unknown.length === 0) return numbers;
  const items = unknown.map((zone_id) => ({ zone_id, code: 'zone_not_found' as const }));
  return refused('zone_not_found', items);
}

/** Every zone as this buyer finds it. A zone that was named and is closed to them is said so. */
function zoneViews(
  draft: Draft,
  command: HoldCommand,
  { quantity, people }: BestRequest,
  facts: Facts,
  named: readonly number[],
): ZoneView[] | Refused | NeedsMembership {
  const views: ZoneView[] = [];
  for (const [number, zone] of draft.config.zones.entries()) {
    const judged = judgeZone(draft, command, facts, number, { quantity, people });
    if (judged?.kind === 'needs_membership') return judged;
    if (judged && named.includes(number)) return judged;
    const { has_seats, price_cents, name, disabled } = zone;
    const room = has_seats ? 0 : roomIn(draft, number);
    views.push({ has_seats, price_cents, name, room, open: !disabled && !judged });
  }
  return views;
}

function wishOf(
  request: BestRequest,
  zones: readonly number[],
  beside: readonly number[],
): BestWish {
  return {
    quantity: request.quantity,
    zones,
    price_cents: request.price_cents,
    categories: request.categories,
    accessible: request.accessible,
    strict: request.together,
    ga: request.general_admission,
    beside,
  };
}

/** The first place is the buyer's own, so names go to the last ones. */
function wantedOf(offer: Offer, { people }: BestRequest): Wanted[] {
  if (offer.kind === 'places') {
    return [{ kind: 'places', zone: offer.zone, quantity: offer.quantity, people }];
  }
  const own = offer.seats.length - people.length;
  return offer.seats.map((ordinal, index) => {
    const person = index < own ? undefined : people[index - own];
    return { kind: 'seat', ordinal, own: undefined, people: person === undefined ? [] : [person] };
  });
}

function viewOf(draft: Draft, offer: Offer): OfferView {
  const { zone_id = '', name: zone_name = '' } = draft.config.zones[offer.zone] ?? {};
  const { score, message } = offer;
  const about = { zone_id, zone_name, score, message };
  if (offer.kind === 'places') {
    const { quantity } = offer;
    return { ...about, quantity, seats: [], adjacent: false, rows: [], orphans: [] };
  }
  const { plan } = draft;
  return {
    ...about,
    quantity: offer.seats.length,
    seats: offer.seats.map((ordinal) => ({
      seat_id: plan.seatIdOf(ordinal),
      label: plan.labelOf(ordinal),
    })),
    adjacent: offer.adjacent,
    rows: offer.rows.map(({ row, seats }) => ({ ...plan.seating.row(row).label, seats })),
    orphans: labelsOf(draft, offer.orphans),
  };
}
