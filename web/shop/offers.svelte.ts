import type { BestOffers } from '@voelgoed/client/client';
import type { EventShop } from './event.svelte.ts';

export type Offer = BestOffers['offers'][number];

type Wish = Parameters<EventShop['cart']['takeBest']>[0];

const OFFERS = 3;

/** The engine looks for seats; the visitor sees what it found and why, and decides. */
export class OfferSearch {
  quantity = $state(2);
  zoneId = $state('');
  together = $state(false);
  wheelchair = $state(false);
  offers = $state.raw<readonly Offer[] | null>(null);
  failure = $state.raw<unknown>(null);
  isBusy = $state(false);
  readonly #shop: EventShop;
  /** What the offers are for, whatever is in the form now. */
  #asked: Wish = { quantity: 2 };

  constructor(shop: EventShop) {
    this.#shop = shop;
  }

  /** Seats cannot be named: what is found is taken by the same wish. */
  get isOnlyWay(): boolean {
    return this.#shop.engineChooses;
  }

  #wish() {
    // A zone that was chosen may be used without its seats by now.
    const zone = this.#shop.seated.find(({ zone_id }) => zone_id === this.zoneId);
    return {
      quantity: this.quantity,
      ...(zone ? { zone_ids: [zone.zone_id] } : {}),
      ...(this.together ? { together: true } : {}),
      ...(this.wheelchair ? { accessible: 1 } : {}),
    };
  }

  async find(): Promise<void> {
    this.isBusy = true;
    this.failure = null;
    this.#asked = this.#wish();
    try {
      await this.#shop.cart.become();
      this.offers = await this.#look();
    } catch (error) {
      this.offers = null;
      this.failure = error;
    } finally {
      this.isBusy = false;
    }
  }

  /** In a zone for members it is asked first for whom the seats are; null: that is not said. */
  #look(): Promise<readonly Offer[] | null> {
    const { client, cart, eventId } = this.#shop;
    const wish = this.#asked;
    const look = async (people: readonly string[]) => {
      this.#asked = { ...wish, for_user_ids: [...people] };
      const alternatives = this.isOnlyWay ? 1 : OFFERS;
      return (await client.holds.preview(eventId, { ...this.#asked, alternatives })).offers;
    };
    return cart.friends.name(wish.quantity, look);
  }

  /** What was shown is held, all of it; if somebody was quicker, new offers are shown. */
  async take(offer: Offer): Promise<void> {
    const { seats, zone_id, quantity } = offer;
    if (this.isOnlyWay && seats.length > 0) {
      if (await this.#shop.cart.takeBest(this.#asked)) this.offers = null;
      return;
    }
    const items =
      seats.length > 0 ? seats.map(({ seat_id }) => ({ seat_id })) : [{ zone_id, quantity }];
    if (await this.#shop.cart.takeAll(items, this.#asked.for_user_ids)) this.offers = null;
    else await this.find();
  }

  priceOf({ seats, zone_id, quantity }: Offer): number {
    if (seats.length === 0) return quantity * this.#shop.priceOf(zone_id);
    const zones = seats.map(({ seat_id }) => this.#shop.plan?.seatOf(seat_id)?.zone_id ?? zone_id);
    return zones.reduce((sum, zone) => sum + this.#shop.priceOf(zone), 0);
  }

  ordinalsOf({ seats }: Offer): number[] {
    return seats.flatMap(({ seat_id }) => this.#shop.plan?.seatOf(seat_id)?.ordinal ?? []);
  }
}
