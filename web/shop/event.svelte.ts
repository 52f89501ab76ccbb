import type {
  Drawing,
  Following,
  LiveEvent,
  LiveStatus,
  LiveZone,
  PublicEvent,
  SeatingClient,
} from '@voelgoed/client/client';
import { t } from '#words';
import { Cart } from './cart.svelte.ts';
import { clientFor } from './clients.ts';
import { notices } from './notices.svelte.ts';
import { planOf, type Seat, type SeatPlan } from './seat-plan.ts';

type SeatListener = (changes: readonly (readonly [number, number])[] | null) => void;
type Zone = PublicEvent['zones'][number];

/** One event that a visitor looks at: its facts, its live map, and the visitor's cart in it. */
export class EventShop {
  readonly eventId: string;
  readonly client: SeatingClient;
  readonly cart: Cart;
  event = $state.raw<PublicEvent | null>(null);
  drawing = $state.raw<Drawing | null>(null);
  failure = $state.raw<unknown>(null);
  status = $state.raw<LiveStatus>('connecting');
  /** Counts of the stream; before it speaks, those of the event. */
  zones = $state.raw<readonly LiveZone[]>([]);
  /** Changes whenever any seat does: who reads a seat's state reads this, too. */
  turn = $state(0);
  readonly #listeners = new Set<SeatListener>();
  #following: Following | null = null;
  #wasStale = false;
  #isDrawing = false;
  #revision = -1;

  constructor(eventId: string) {
    this.eventId = eventId;
    this.client = clientFor(eventId);
    this.cart = new Cart(this);
  }

  readonly plan: SeatPlan | null = $derived(this.drawing && planOf(this.drawing));
  readonly prices: ReadonlyMap<string, number> = $derived(
    new Map(this.event?.zones.map(({ zone_id, price_cents }) => [zone_id, price_cents ?? 0])),
  );

  open(): void {
    void this.load();
    void this.#draw(false);
    this.#following = this.client.events.follow(this.eventId, (event) => this.#hear(event), {
      drawing: false,
    });
    this.cart.open();
    addEventListener('online', this.#wake);
    document.addEventListener('visibilitychange', this.#wake);
  }

  close(): void {
    this.#following?.close();
    this.cart.close();
    removeEventListener('online', this.#wake);
    document.removeEventListener('visibilitychange', this.#wake);
  }

  async load(): Promise<void> {
    try {
      this.event = await this.client.events.get(this.eventId);
      this.failure = null;
    } catch (error) {
      this.failure = error;
    }
  }

  /** Connects at once instead of when it is time to. */
  reconnect(): void {
    this.#following?.reconnect();
  }

  readonly #wake = (): void => {
    const isSeen = document.visibilityState === 'visible';
    if (isSeen && this.#following?.status !== 'live') this.reconnect();
  };

  /** Who draws seats is told which have changed; null: any may have. */
  onSeats(listener: SeatListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get packed(): Uint8Array {
    return this.#following?.map.seats ?? new Uint8Array();
  }

  /** 0 free, 1 held, 2 sold, 3 closed, as everybody sees it. */
  stateOf(seat: Seat): number {
    void this.turn;
    return this.#following?.map.revision === -1
      ? 3
      : (this.#following?.map.stateOf(seat.ordinal) ?? 3);
  }

  zoneOf(zoneId: string): Zone | undefined {
    return this.event?.zones.find((zone) => zone.zone_id === zoneId);
  }

  countsOf(zoneId: string): Pick<LiveZone, 'available' | 'held' | 'sold' | 'capacity'> {
    const live = this.zones.find((zone) => zone.zone_id === zoneId);
    return live ?? this.zoneOf(zoneId) ?? { available: 0, held: 0, sold: 0, capacity: 0 };
  }

  priceOf(zoneId: string): number {
    return this.prices.get(zoneId) ?? 0;
  }

  #hear(event: LiveEvent): void {
    if (event.kind === 'status') this.#become(event.status);
    if (event.kind === 'own') this.cart.hear(event);
    if (event.kind === 'ended') this.failure = event.failure;
    if (event.kind !== 'map') return;
    const { map, seats } = event;
    this.zones = map.zones;
    this.turn += 1;
    if (map.revision < this.#revision) this.cart.beginAnew();
    this.#revision = map.revision;
    for (const listener of this.#listeners) listener(seats);
    const isOurs =
      this.drawing?.layout_version === map.layoutVersion && this.drawing.layout_id === map.layoutId;
    // Also one that could not be fetched is asked for again.
    if (!isOurs) void this.#draw(this.drawing !== null);
  }

  #become(status: LiveStatus): void {
    const isBack = status === 'live' && this.#wasStale;
    this.status = status;
    if (status === 'stale') this.#wasStale = true;
    if (!isBack) return;
    this.#wasStale = false;
    notices.say({ kind: 'good', text: t().recovered });
    void this.load();
    void this.cart.refresh();
  }

  /** The kept drawing first; a fresh one when the stream says that the hall is another. */
  async #draw(isFresh: boolean): Promise<void> {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    try {
      this.drawing = await this.client.events.seatmap(this.eventId, { isFresh });
    } catch (error) {
      this.failure ??= error;
    } finally {
      this.#isDrawing = false;
    }
  }
}
