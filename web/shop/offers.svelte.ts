import type { BestOffers } from '@voelgoed/client/client';
import type { EventShop } from './event.svelte.ts';

export type Offer = BestOffers['offers'][number];

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

  constructor(shop: EventShop) {
    this.#shop = shop;
  }

  async find(): Promise<void> {
    this.isBusy = true;
    this.failure = null;
    try {
      await this.#shop.cart.become();
      const { offers } = await this.#shop.client.holds.preview(this.#shop.eventId, {
        quantity: this.quantity,
        alternatives: OFFERS,
        ...(this.zoneId ? { zone_ids: [this.zoneId] } : {}),
        ...(this.together ? { together: true } : {}),
        ...(this.wheelchair ? { accessible: 1 } : {}),
      });
      this.offers = offers;
    } catch (error) {
      this.offers = null;
      this.failure = error;
    } finally {
      this.isBusy = false;
    }
  }

  /** What was shown is held, all of it; if somebody was quicker, new offers are shown. */
  async take(offer: Offer): Promise<void> {
    const { seats, zone_id, quantity } = offer;
    const items =
      seats.length > 0 ? seats.map(({ seat_id }) => ({ seat_id })) : [{ zone_id, quantity }];
    if (await this.#shop.cart.takeAll(items)) this.offers = null;
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
