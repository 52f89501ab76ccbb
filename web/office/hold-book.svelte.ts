import {
  type NextAfter,
  type StaffHold,
  systemHost,
  type ToldRow,
  wholeList,
} from '@voelgoed/client/client';
import { desk } from '#desk';

export type Held = Pick<
  StaffHold,
  | 'hold_id'
  | 'seat_id'
  | 'zone_id'
  | 'quantity'
  | 'label'
  | 'user_id'
  | 'source'
  | 'made_by'
  | 'held_until'
  | 'notes'
> &
  Partial<Pick<StaffHold, 'paying'>>;
type Told = ToldRow['changes'][number];

/** Everything somebody holds in this event. */
export type Holder = Readonly<{
  user_id: string;
  name: string | null;
  holds: readonly Held[];
  quantity: number;
  /** The first to end. */
  until: string;
}>;

/** What a buyer has chosen in the shop; everything else is held by the box office. */
export function isCartOf({ source, made_by }: Pick<Held, 'source' | 'made_by'>): boolean {
  return source !== 'box_office' && made_by === null;
}

/** Names of people who are new to the stream are asked for no more often than this. */
const ASK_AGAIN_MS = 10_000;
/** As many as the server gives at once. */
const PAGE = 1_000;
/** How the log says that holds have ended. */
export const ENDED: readonly string[] = ['seat_released', 'hold_expired', 'seat_sold'];

/** Who holds what: fetched once, and kept up by the event's log. */
export class HoldBook {
  /** Changes whenever any hold does. */
  turn = $state(0);
  failure = $state.raw<unknown>(null);
  /** Until then nobody knows that nobody holds anything. */
  isKnown = $state(false);
  readonly #eventId: string;
  readonly #holds = new Map<string, Held>();
  readonly #bySeat = new Map<string, Held>();
  readonly #names = new Map<string, string | null>();
  /** Heard while the list was under way: what it says may be older. */
  #heard: ToldRow[] | null = null;
  #isAsking = false;
  #isWanted = false;
  #cancel: (() => void) | null = null;

  constructor(eventId: string) {
    this.#eventId = eventId;
  }

  readonly holders: readonly Holder[] = $derived.by(() => {
    void this.turn;
    const byUser = Map.groupBy(this.#holds.values(), ({ user_id }) => user_id);
    return [...byUser].map(([user_id, holds]) => ({
      user_id,
      name: this.#names.get(user_id) ?? null,
      holds,
      quantity: holds.reduce((sum, { quantity }) => sum + quantity, 0),
      until: holds.reduce((least, one) => (one.held_until < least ? one.held_until : least), '~'),
    }));
  });

  of(holdId: string): Held | undefined {
    void this.turn;
    return this.#holds.get(holdId);
  }

  ofSeat(seatId: string): Held | undefined {
    void this.turn;
    return this.#bySeat.get(seatId);
  }

  nameOf(userId: string): string | null {
    void this.turn;
    return this.#names.get(userId) ?? null;
  }

  load = async (): Promise<void> => {
    // What is under way may be of before the wish.
    this.#isWanted = true;
    if (this.#isAsking) return;
    this.#isAsking = true;
    while (this.#isWanted) {
      this.#isWanted = false;
      await this.#read();
    }
    this.#isAsking = false;
  };

  async #read(): Promise<void> {
    this.#heard = [];
    try {
      const list = await wholeList((next: NextAfter | undefined) =>
        desk.client.boxOffice.holds(this.#eventId, { ...next, limit: PAGE }),
      );
      this.#holds.clear();
      this.#bySeat.clear();
      for (const { holder, ...hold } of list) {
        this.#names.set(hold.user_id, holder);
        this.#add(hold);
      }
      for (const row of this.#heard) this.#take(row);
      this.failure = null;
      this.isKnown = true;
    } catch (error) {
      this.failure = error;
    } finally {
      this.#heard = null;
      this.turn += 1;
    }
  }

  hear(rows: readonly ToldRow[]): void {
    this.#heard?.push(...rows);
    for (const row of rows) this.#take(row);
    this.turn += 1;
  }

  /** Before the log says that they have ended. */
  forget(holdIds: readonly string[]): void {
    for (const holdId of holdIds) this.#remove(holdId);
    this.turn += 1;
  }

  close(): void {
    this.#cancel?.();
  }

  #take({ changes }: ToldRow): void {
    for (const change of changes) {
      if (change.kind === 'seat_held') this.#held(change);
      else if (change.kind === 'hold_extended') this.#extended(change);
      else if (change.kind === 'hold_reduced') this.#reduced(change);
      else if (ENDED.includes(change.kind)) {
        for (const { hold_id } of change.places ?? []) this.#remove(hold_id ?? '');
      }
    }
  }

  #held({ user_id = '', source = 'web', made_by, held_until = '', places = [] }: Told): void {
    for (const { hold_id = '', seat_id, label, zone_id, quantity } of places) {
      const place = { hold_id, seat_id: seat_id ?? null, label: label ?? null, zone_id, quantity };
      // The log has no notes; the list is fetched again for a new holder, with them.
      const known = { user_id, source, made_by: made_by ?? null, held_until, notes: null };
      this.#add({ ...place, ...known });
    }
    if (!this.#names.has(user_id)) this.#askNames(user_id);
  }

  #extended({ held_until = '', places = [] }: Told): void {
    for (const { hold_id } of places) {
      const hold = this.#holds.get(hold_id ?? '');
      if (hold) this.#add({ ...hold, held_until });
    }
  }

  /** The change says what became free. */
  #reduced({ places = [] }: Told): void {
    for (const { hold_id, quantity } of places) {
      const hold = this.#holds.get(hold_id ?? '');
      if (hold) this.#add({ ...hold, quantity: hold.quantity - quantity });
    }
  }

  #add(hold: Held): void {
    this.#holds.set(hold.hold_id, hold);
    if (hold.seat_id) this.#bySeat.set(hold.seat_id, hold);
  }

  #remove(holdId: string): void {
    const hold = this.#holds.get(holdId);
    this.#holds.delete(holdId);
    const seatId = hold?.seat_id;
    if (seatId && this.#bySeat.get(seatId)?.hold_id === holdId) this.#bySeat.delete(seatId);
  }

  #askNames(userId: string): void {
    this.#names.set(userId, null);
    this.#cancel ??= systemHost.after(ASK_AGAIN_MS, () => {
      this.#cancel = null;
      void this.load();
    });
  }
}
