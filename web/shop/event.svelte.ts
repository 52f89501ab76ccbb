import type { LiveEvent, LiveZone, PublicEvent, SeatingClient } from '@voelgoed/client/client';
import { Cart } from './cart.svelte.ts';
import { clientFor } from './clients.ts';
import type { Item } from './friends.svelte.ts';
import { LiveHall } from './live-hall.svelte.ts';

type Zone = PublicEvent['zones'][number];

const WITH_SEATS = ['reserved_seating', 'vip_reserved'];

/** One event that a visitor looks at: its facts, its live map, and the visitor's cart in it. */
export class EventShop extends LiveHall {
  readonly eventId: string;
  readonly client: SeatingClient;
  readonly cart: Cart;
  event = $state.raw<PublicEvent | null>(null);

  constructor(eventId: string) {
    const client = clientFor(eventId);
    super({
      follow: (listener) => client.events.follow(eventId, listener, { drawing: false }),
      drawing: (isFresh) => client.events.seatmap(eventId, { isFresh }),
    });
    this.eventId = eventId;
    this.client = client;
    this.cart = new Cart(this);
  }

  /** Zones in which seats are sold: the event may use one without its seats. */
  readonly seated: readonly Zone[] = $derived(
    (this.event?.zones ?? []).filter(({ zone_type }) => WITH_SEATS.includes(zone_type)),
  );

  /** Seats cannot be named: what the engine finds is taken as it is. */
  get engineChooses(): boolean {
    return this.event?.booking?.engine_chooses === true;
  }

  readonly prices: ReadonlyMap<string, number> = $derived(
    new Map(this.event?.zones.map(({ zone_id, price_cents }) => [zone_id, price_cents ?? 0])),
  );

  override open(): void {
    void this.load();
    super.open();
    this.cart.open();
  }

  override close(): void {
    super.close();
    this.cart.close();
  }

  async load(): Promise<void> {
    try {
      this.event = await this.client.events.get(this.eventId);
      this.failure = null;
    } catch (error) {
      this.failure = error;
    }
  }

  zoneOf(zoneId: string): Zone | undefined {
    return this.event?.zones.find((zone) => zone.zone_id === zoneId);
  }

  /** Counts of the stream; before it speaks, those of the event. */
  countsOf(zoneId: string): Pick<LiveZone, 'available' | 'held' | 'sold' | 'capacity'> {
    const live = this.zones.find((zone) => zone.zone_id === zoneId);
    return live ?? this.zoneOf(zoneId) ?? { available: 0, held: 0, sold: 0, capacity: 0 };
  }

  /** Is each place there for a person who may enter? */
  isForPeople(item: Item): boolean {
    const zoneId = 'zone_id' in item ? item.zone_id : this.plan?.seatOf(item.seat_id)?.zone_id;
    const { access_mode } = this.zoneOf(zoneId ?? '') ?? {};
    return access_mode === 'membership_tier' || access_mode === 'whitelist';
  }

  priceOf(zoneId: string): number {
    return this.prices.get(zoneId) ?? 0;
  }

  protected override heard(event: LiveEvent): void {
    if (event.kind === 'own') this.cart.hear(event);
  }

  protected override planChanged(): void {
    void this.load();
  }

  protected override cameBack(): void {
    void this.load();
    void this.cart.refresh();
  }

  protected override beganAnew(): void {
    this.cart.beginAnew();
  }
}
