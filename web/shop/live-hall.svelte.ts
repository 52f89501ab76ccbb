import type {
  Drawing,
  Following,
  LiveEvent,
  LiveListener,
  LiveStatus,
  LiveZone,
} from '@voelgoed/client/client';
import { t } from '#words';
import { notices } from './notices.svelte.ts';
import { planOf, type Seat, type SeatPlan } from './seat-plan.ts';

type SeatListener = (changes: readonly (readonly [number, number])[] | null) => void;

/** What is followed: the stream of now, or what somebody plays back. */
export type Followed = Pick<Following, 'map' | 'status' | 'close' | 'reconnect'>;

/** Where a hall is heard and drawn from: buyers and staff have their own streams. */
export type HallSource = Readonly<{
  follow(listener: LiveListener): Followed;
  drawing(isFresh: boolean): Promise<Drawing>;
}>;

/** A hall as it is now: its drawing, the state of each seat, and whether that can be believed. */
export class LiveHall {
  drawing = $state.raw<Drawing | null>(null);
  failure = $state.raw<unknown>(null);
  status = $state.raw<LiveStatus>('connecting');
  /** Counts of the stream. */
  zones = $state.raw<readonly LiveZone[]>([]);
  /** Changes whenever any seat does: who reads a seat's state reads this, too. */
  turn = $state(0);
  readonly #source: HallSource;
  readonly #listeners = new Set<SeatListener>();
  #following: Followed | null = null;
  #wasStale = false;
  #isDrawing = false;
  #revision = -1;

  constructor(source: HallSource) {
    this.#source = source;
  }

  readonly plan: SeatPlan | null = $derived(this.drawing && planOf(this.drawing));

  open(): void {
    void this.#draw(false);
    this.#following = this.#source.follow((event) => this.#hear(event));
    addEventListener('online', this.#wake);
    document.addEventListener('visibilitychange', this.#wake);
  }

  close(): void {
    this.#following?.close();
    removeEventListener('online', this.#wake);
    document.removeEventListener('visibilitychange', this.#wake);
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

  /** Whatever the stream says beside the map. */
  protected heard(_event: LiveEvent): void {}

  /** Nothing was heard for a while, and now it is again. */
  protected cameBack(): void {}

  /** The hall is another one: zones may have other names, types and prices. */
  protected planChanged(): void {}

  /** The database was restored: what was known is of another history. */
  protected beganAnew(): void {}

  #hear(event: LiveEvent): void {
    if (event.kind === 'status') this.#become(event.status);
    if (event.kind === 'ended') this.failure = event.failure;
    this.heard(event);
    if (event.kind !== 'map') return;
    const { map, seats } = event;
    this.zones = map.zones;
    this.turn += 1;
    if (map.revision < this.#revision) this.beganAnew();
    this.#revision = map.revision;
    for (const listener of this.#listeners) listener(seats);
    const isOurs = this.drawing !== null && map.isDrawnBy(this.drawing);
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
    this.cameBack();
  }

  /** The kept drawing first; a fresh one when the stream says that the hall is another. */
  async #draw(isFresh: boolean): Promise<void> {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    try {
      this.drawing = await this.#source.drawing(isFresh);
      if (isFresh) this.planChanged();
    } catch (error) {
      this.failure ??= error;
    } finally {
      this.#isDrawing = false;
    }
  }
}
