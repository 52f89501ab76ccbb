import { announce, type EventShop, type Seat } from '#shop';
import { money, t } from '#words';

export type SeatState = 'free' | 'held' | 'sold' | 'closed' | 'mine' | 'pending';

/** What a visitor sees and may do with a seat, the same on the map and in the list. */
export class SeatView {
  /** Prices in cents that are looked for; none: all. */
  prices = $state.raw<ReadonlySet<number>>(new Set());
  accessibleOnly = $state(false);
  readonly #shop: EventShop;

  constructor(shop: EventShop) {
    this.#shop = shop;
  }

  stateOf(seat: Seat): SeatState {
    const { cart } = this.#shop;
    if (cart.has(seat.seat_id)) return 'mine';
    if (cart.pending.has(seat.seat_id)) return 'pending';
    const state = this.#shop.stateOf(seat);
    if (state === 3 && this.isKeptForMe(seat)) return 'free';
    return (['free', 'held', 'sold', 'closed'] as const)[state] ?? 'closed';
  }

  /** Where the engine chooses, a free seat is not taken by pressing it. */
  isForEngine(seat: Seat): boolean {
    const { engineChooses, cart } = this.#shop;
    const isNamed = seat.companion_of !== undefined || cart.has(seat.seat_id);
    return engineChooses && !isNamed;
  }

  /** A companion seat beside a wheelchair space that the visitor holds or has bought. */
  isKeptForMe(seat: Seat): boolean {
    return this.#shop.cart.keeps(seat);
  }

  wordsFor(state: SeatState): string {
    const { stateFree, stateHeld, stateSold, stateClosed, stateYours, statePending } = t();
    const words = { free: stateFree, held: stateHeld, sold: stateSold, closed: stateClosed };
    return { ...words, mine: stateYours, pending: statePending }[state];
  }

  notesFor(seat: Seat): string[] {
    const { noteWheelchair, noteCompanion, noteRestricted, noteAisle } = t();
    const notes: Record<string, string> = {
      wheelchair: noteWheelchair,
      companion: noteCompanion,
      restricted_view: noteRestricted,
      aisle: noteAisle,
    };
    const isForMembers = this.#shop.zoneOf(seat.zone_id)?.access_mode !== 'public';
    const chosen = this.isForEngine(seat) ? t().ruleChosen : '';
    const members = isForMembers ? t().membersOnly : '';
    return [notes[seat.category] ?? '', members, chosen].filter(Boolean);
  }

  priceOf(seat: Seat): string {
    return money(this.#shop.priceOf(seat.zone_id), this.#shop.event?.currency ?? 'ZAR');
  }

  /** All that can be said about a seat, for those who do not see it. */
  sentenceFor(seat: Seat): string {
    const place = t().rowSeat(seat.row, String(seat.number));
    const state = this.wordsFor(this.stateOf(seat));
    return [place, this.priceOf(seat), state, ...this.notesFor(seat)].join(', ');
  }

  isWanted(seat: Seat): boolean {
    const isKind = seat.category === 'wheelchair' || seat.category === 'companion';
    if (this.accessibleOnly && !isKind) return false;
    return this.prices.size === 0 || this.prices.has(this.#shop.priceOf(seat.zone_id));
  }

  /** A press on a seat: take it, give it back, or nothing when somebody else has it. */
  press(seat: Seat): void {
    const state = this.stateOf(seat);
    if (state === 'free' && this.isForEngine(seat)) announce(this.sentenceFor(seat));
    else if (state === 'free' || state === 'mine') void this.#shop.cart.toggle(seat);
  }
}
