import {
  type DetailsOf,
  isFailure,
  type LiveEvent,
  type SeatingClient,
} from '@voelgoed/client/client';
import { t } from '#words';
import { CartClock } from './cart-clock.svelte.ts';
import { type CartLine, type CartRow, describedIn, lineOf, rowsOf } from './cart-line.ts';
import type { EventShop } from './event.svelte.ts';
import { Friends, type Item, isNameless, placesOf, withPeople } from './friends.svelte.ts';
import { lastCart } from './last-cart.svelte.ts';
import { announce, notices } from './notices.svelte.ts';
import { reasonOf } from './reason.ts';
import { sayRefused, sayTaken } from './refusals.ts';
import { router } from './router.svelte.ts';
import type { Seat } from './seat-plan.ts';
import { hasSession, sessionToBuyWith, visitorOf } from './session.ts';
import { keep } from './storage.ts';
import { swapSeats } from './swap-seats.ts';
import { onOtherTab, tellTabs } from './tabs.ts';

type OwnEvent = Extract<LiveEvent, { kind: 'own' }>;

/**
 * What the visitor holds in one event. The server's list is the truth: answers, the stream and
 * other tabs only bring it here sooner, and what is older than what we know is not believed.
 */
export class Cart {
  lines = $state.raw<readonly CartLine[]>([]);
  /** Seats that were asked for and not answered yet. */
  pending = $state.raw<ReadonlySet<string>>(new Set());
  /** Labels that the choice would leave alone. */
  orphans = $state.raw<readonly string[]>([]);
  expired = $state.raw<readonly CartLine[]>([]);
  /** Companion seats that were kept for the visitor when we last asked. */
  companions = $state.raw<ReadonlySet<string>>(new Set());
  /** The checkout refused the choice: what it would leave alone, and what to take instead. */
  refused = $state.raw<DetailsOf<'orphan_rule'> | null>(null);
  isBusy = $state(false);
  /** For whom places in zones for members are. */
  readonly friends: Friends;
  /** For drawing: seats that somebody else was quicker for. */
  onRefused: (seats: readonly Seat[]) => void = () => {};
  readonly #shop: EventShop;
  #revision = -1;
  #saidOfCart = -1;
  readonly #clock: CartClock;
  #stopListening = () => {};

  constructor(shop: EventShop) {
    this.#shop = shop;
    this.friends = new Friends(() => visitorOf(shop.eventId));
    this.#clock = new CartClock(shop.client, {
      warned: ({ text }) => notices.say({ kind: 'warning', text: t().warning(text) }),
      over: () => this.#end(),
    });
  }

  get moment() {
    return this.#clock.moment;
  }

  readonly rows: readonly CartRow[] = $derived(rowsOf(this.lines));
  readonly count: number = $derived(this.lines.reduce((sum, line) => sum + line.quantity, 0));
  readonly total_cents: number = $derived(
    this.lines.reduce((sum, line) => sum + line.quantity * this.#shop.priceOf(line.zone_id), 0),
  );
  readonly until: string | null = $derived(
    this.lines.map((line) => line.held_until).sort()[0] ?? null,
  );

  open(): void {
    this.#stopListening = onOtherTab(({ event_id }) => {
      if (event_id === this.#shop.eventId) void this.refresh();
    });
    void this.refresh();
  }

  close(): void {
    this.#stopListening();
    this.#clock.close();
  }

  has(seatId: string): boolean {
    return this.lines.some((line) => line.seat_id === seatId);
  }

  /** Seats that the engine chose cannot be asked for by name. */
  get isExpiredChosen(): boolean {
    return this.#shop.engineChooses && this.expired.some(({ seat_id }) => seat_id);
  }

  /** A companion seat that nobody else can take. */
  keeps(seat: Seat): boolean {
    if (seat.companion_of === undefined) return false;
    return this.has(seat.companion_of) || this.companions.has(seat.seat_id);
  }

  /** Asks the server what is held: after loading, after a gap, when another tab says so. */
  async refresh(): Promise<void> {
    if (!hasSession(this.#shop.eventId)) return;
    try {
      const own = await this.#shop.client.holds.own(this.#shop.eventId);
      this.#replace(own.holds.map(lineOf), own.revision);
      this.companions = new Set(own.companion_seats?.map(({ seat_id }) => seat_id));
    } catch (error) {
      if (!isFailure(error, 'event_not_found')) notices.say({ kind: 'bad', text: reasonOf(error) });
    }
  }

  /** The event's history is another one (a restored database): what we knew counts no more. */
  beginAnew(): void {
    this.#revision = -1;
    void this.refresh();
  }

  /** The stream tells all of it each time, so a lost frame does no harm. */
  hear({ revision, holds, ended }: OwnEvent): void {
    if (revision < this.#revision) return;
    const before = this.lines;
    const reasonFor = new Map(ended.map(({ hold_id, reason }) => [hold_id, reason]));
    const gone = (reason: string) =>
      before.filter(({ hold_id }) => reasonFor.get(hold_id) === reason);
    this.#replace(
      holds.map((hold) => ({ seat_id: null, label: null, ...hold })),
      revision,
    );
    this.#expire(gone('ttl_expired'));
    if (ended.length > 0 && this.companions.size > 0) void this.refresh();
    const taken = gone('admin_override');
    if (taken.length > 0) {
      notices.say({ kind: 'warning', text: t().endedByStaff(this.describe(taken)) });
    }
  }

  async toggle(seat: Seat): Promise<void> {
    const line = this.lines.find(({ seat_id }) => seat_id === seat.seat_id);
    if (line) await this.giveBack(line);
    else await this.take(seat);
  }

  async take(seat: Seat): Promise<boolean> {
    if (this.pending.has(seat.seat_id) || this.has(seat.seat_id)) return true;
    this.#setPending([seat.seat_id], true);
    try {
      await this.become();
      const held = await this.#shop.client.holds.reserve(this.#shop.eventId, seat.seat_id);
      this.friends.remember([{ seat_id: seat.seat_id }]);
      this.#add([lineOf(held)], held.revision);
      this.orphans = held.orphans ?? [];
      announce(t().held(seat.label, this.moment?.text ?? ''));
      return true;
    } catch (error) {
      if (isNameless(error)) return this.takeAll([{ seat_id: seat.seat_id }]);
      sayTaken(this.#shop, error, seat);
      return false;
    } finally {
      this.#setPending([seat.seat_id], false);
    }
  }

  /** Seats and places together: all or none. */
  takeAll(items: readonly Item[], named?: readonly string[]): Promise<boolean> {
    const { client, eventId } = this.#shop;
    const seats = items.flatMap((item) => ('seat_id' in item ? item.seat_id : []));
    return this.#hold(seats, () =>
      this.friends.name(
        placesOf(items),
        (people) => {
          const own = withPeople(items, people, (item) => this.#shop.isForPeople(item));
          this.friends.remember(own);
          return client.holds.create(eventId, { items: own });
        },
        named,
      ),
    );
  }

  /** The engine chooses, and it is held at once. */
  takeBest(wish: Parameters<SeatingClient['holds']['best']>[1]): Promise<boolean> {
    const { client, eventId } = this.#shop;
    const best = (people: readonly string[]) =>
      client.holds.best(eventId, { ...wish, for_user_ids: [...people] });
    return this.#hold([], () => this.friends.name(wish.quantity, best, wish.for_user_ids));
  }

  async #hold(
    seats: readonly string[],
    ask: () => Promise<Awaited<ReturnType<SeatingClient['holds']['create']>> | null>,
  ): Promise<boolean> {
    this.#setPending(seats, true);
    this.isBusy = true;
    try {
      await this.become();
      const held = await ask();
      // The visitor does not say for whom, so nothing is held.
      if (!held) return false;
      this.#add(held.holds.map(lineOf), held.revision);
      this.orphans = held.orphans ?? [];
      const what = this.describe(held.holds.map(lineOf));
      announce(t().heldMany(what, this.moment?.text ?? ''));
      return true;
    } catch (error) {
      sayRefused(this.#shop, error, seats);
      return false;
    } finally {
      this.#setPending(seats, false);
      this.isBusy = false;
    }
  }

  async giveBack(line: CartLine, said = t().releasedNamed(this.describe([line]))): Promise<void> {
    const others = () => this.lines.filter(({ hold_id }) => hold_id !== line.hold_id);
    this.lines = others();
    try {
      const { revision } = await this.#shop.client.holds.release(line.hold_id);
      this.lines = others();
      this.orphans = [];
      this.#changed(revision);
      announce(said);
    } catch (error) {
      // Only this one: what else has come or gone meanwhile is so.
      this.lines = [...others(), line];
      notices.say({ kind: 'bad', text: reasonOf(error) });
      void this.refresh();
    }
  }

  /** One place fewer; the last one is given back with its own button. */
  async fewer({ zone_id, quantity, lines }: CartRow): Promise<void> {
    const line = lines.at(-1);
    if (!line || quantity < 2 || this.isBusy) return;
    const said = t().placesNow(this.#shop.zoneOf(zone_id)?.name ?? '', quantity - 1);
    if (line.quantity === 1) return this.giveBack(line, said);
    this.isBusy = true;
    try {
      const held = await this.#shop.client.holds.reduce(line.hold_id, line.quantity - 1);
      const after = lineOf(held);
      this.lines = this.lines.map((one) => (one.hold_id === line.hold_id ? after : one));
      const isLate = held.revision < this.#revision;
      this.#changed(held.revision);
      if (isLate) void this.refresh();
      announce(said);
    } catch (error) {
      const isNamed = isFailure(error, 'zone_access_denied');
      notices.say({ kind: 'bad', text: isNamed ? t().placesNamed : reasonOf(error) });
      void this.refresh();
    } finally {
      this.isBusy = false;
    }
  }

  async more({ zone_id }: CartRow): Promise<void> {
    if (!this.isBusy) await this.takeAll([{ zone_id, quantity: 1 }]);
  }

  async giveRowBack({ lines }: CartRow): Promise<void> {
    for (const line of lines) await this.giveBack(line);
  }

  async giveAllBack(): Promise<void> {
    this.isBusy = true;
    try {
      const done = await this.#shop.client.holds.releaseAll(this.#shop.eventId);
      const kept = new Set(done.not_released.map(({ hold_id }) => hold_id));
      this.lines = this.lines.filter(({ hold_id }) => kept.has(hold_id));
      this.orphans = [];
      this.#changed(done.revision);
      if (kept.size === 0) notices.say({ kind: 'info', text: t().emptied });
      else notices.say({ kind: 'warning', text: t().emptiedBut(this.describe(this.lines)) });
    } catch (error) {
      notices.say({ kind: 'bad', text: reasonOf(error) });
    } finally {
      this.isBusy = false;
    }
  }

  /** Another choice of the same size. */
  swapFor(seatIds: readonly string[]): Promise<boolean> {
    this.refused = null;
    return swapSeats(this.#shop, seatIds);
  }

  /** What the clock took, if nobody else has it meanwhile. */
  async retake(): Promise<void> {
    const lines = this.expired;
    this.expired = [];
    const plan = this.#shop.plan;
    let isWhole = true;
    for (const { seat_id, zone_id, quantity } of lines) {
      const seat = seat_id ? plan?.seatOf(seat_id) : undefined;
      const isBack = seat ? await this.take(seat) : await this.takeAll([{ zone_id, quantity }]);
      isWhole &&= isBack;
    }
    if (isWhole) notices.say({ kind: 'good', text: t().retaken });
  }

  forgetExpired(): void {
    this.expired = [];
  }

  async checkOut({ insists = false } = {}): Promise<void> {
    this.isBusy = true;
    this.refused = null;
    const event_id = this.#shop.eventId;
    try {
      const wish = { event_id, ...(insists ? { allow_orphan: true } : {}) };
      const { checkout_id } = await this.#shop.client.checkouts.start(wish);
      keep(`checkout.${checkout_id}`, event_id);
      tellTabs({ event_id });
      router.go(`/checkouts/${checkout_id}`);
    } catch (error) {
      if (isFailure(error, 'orphan_rule')) this.refused = error.details;
      else this.#saidOfCart = notices.say({ kind: 'bad', text: reasonOf(error) });
      if (isFailure(error, 'no_active_holds', 'hold_expired')) void this.refresh();
    } finally {
      this.isBusy = false;
    }
  }

  /** `A-1, A-2 and Pit × 3`, for sentences. */
  describe(lines: Parameters<typeof describedIn>[1]): string {
    return describedIn(this.#shop, lines);
  }

  /** The first wish makes a visitor somebody; from then on the stream tells of their holds. */
  async become(): Promise<void> {
    const { client, eventId } = this.#shop;
    // Before the first answer we do not know whether there is nothing to lose.
    const isEmpty = this.#revision >= 0 && this.lines.length === 0 && this.companions.size === 0;
    const session = await sessionToBuyWith(eventId, { now_ms: client.clock.now(), isEmpty });
    if (session === 'new') this.#shop.reconnect();
  }

  #setPending(seatIds: readonly string[], isPending: boolean): void {
    const now = new Set(this.pending);
    for (const seatId of seatIds) isPending ? now.add(seatId) : now.delete(seatId);
    this.pending = now;
  }

  #add(lines: readonly CartLine[], revision: number): void {
    const ids = new Set(lines.map(({ hold_id }) => hold_id));
    const isLate = revision < this.#revision;
    this.lines = [...this.lines.filter(({ hold_id }) => !ids.has(hold_id)), ...lines];
    this.#changed(revision);
    // Something newer is known, perhaps that this has ended again.
    if (isLate) void this.refresh();
  }

  #replace(lines: readonly CartLine[], revision: number): void {
    if (revision < this.#revision) return;
    this.#revision = revision;
    this.lines = lines;
    this.#count();
  }

  #changed(revision: number): void {
    // What was said of the cart as it was before is not said of this one.
    notices.close(this.#saidOfCart);
    this.#revision = Math.max(this.#revision, revision);
    this.#count();
    // They may have been kept for a space that was given back.
    if (this.companions.size > 0) void this.refresh();
    tellTabs({ event_id: this.#shop.eventId });
  }

  #count(): void {
    const { until } = this;
    const { event, eventId: event_id } = this.#shop;
    this.#clock.set(until);
    if (until !== null) {
      lastCart({ event_id, name: event?.name ?? '', count: this.count, held_until: until });
    } else if (lastCart()?.event_id === event_id) lastCart(null);
  }

  #end(): void {
    const now = this.#shop.client.clock.now();
    const over = this.lines.filter(({ held_until }) => Date.parse(held_until) <= now);
    this.lines = this.lines.filter((line) => !over.includes(line));
    this.#expire(over);
    this.#count();
  }

  #expire(lines: readonly CartLine[]): void {
    const known = new Set(this.expired.map(({ hold_id }) => hold_id));
    const more = lines.filter(({ hold_id }) => !known.has(hold_id));
    if (more.length === 0) return;
    this.expired = [...this.expired, ...more];
    this.orphans = [];
    const why = this.isExpiredChosen ? t().expiredChosen : t().expiredWhy;
    announce(`${t().expiredTitle}. ${why(this.describe(more))}`);
  }
}
