import {
  type DetailsOf,
  isFailure,
  type LiveEvent,
  type SeatingClient,
} from '@voelgoed/client/client';
import { t } from '#words';
import { CartClock } from './cart-clock.svelte.ts';
import { type CartLine, lineOf } from './cart-line.ts';
import type { EventShop } from './event.svelte.ts';
import { lastCart } from './last-cart.svelte.ts';
import { findNear } from './near-seats.ts';
import { announce, notices } from './notices.svelte.ts';
import { reasonOf } from './reason.ts';
import { router } from './router.svelte.ts';
import type { Seat } from './seat-plan.ts';
import { hasSession, sessionToBuyWith } from './session.ts';
import { keep } from './storage.ts';
import { onOtherTab, tellTabs } from './tabs.ts';

type OwnEvent = Extract<LiveEvent, { kind: 'own' }>;
type Item = { seat_id: string } | { zone_id: string; quantity: number };

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
  /** For drawing: seats that somebody else was quicker for. */
  onRefused: (seats: readonly Seat[]) => void = () => {};
  readonly #shop: EventShop;
  #revision = -1;
  #saidOfCart = -1;
  readonly #clock: CartClock;
  #stopListening = () => {};

  constructor(shop: EventShop) {
    this.#shop = shop;
    this.#clock = new CartClock(shop.client, {
      warned: ({ text }) => notices.say({ kind: 'warning', text: t().warning(text) }),
      over: () => this.#end(),
    });
  }

  get moment() {
    return this.#clock.moment;
  }

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
      this.#add([lineOf(held)], held.revision);
      this.orphans = held.orphans ?? [];
      announce(t().held(seat.label, this.moment?.text ?? ''));
      return true;
    } catch (error) {
      this.#sayTaken(error, seat);
      return false;
    } finally {
      this.#setPending([seat.seat_id], false);
    }
  }

  /** Seats and places together: all or none. */
  takeAll(items: readonly Item[]): Promise<boolean> {
    const { client, eventId } = this.#shop;
    const seats = items.flatMap((item) => ('seat_id' in item ? item.seat_id : []));
    return this.#hold(seats, () => client.holds.create(eventId, { items: [...items] }));
  }

  /** The engine chooses, and it is held at once. */
  takeBest(wish: Parameters<SeatingClient['holds']['best']>[1]): Promise<boolean> {
    const { client, eventId } = this.#shop;
    return this.#hold([], () => client.holds.best(eventId, wish));
  }

  async #hold(
    seats: readonly string[],
    ask: () => ReturnType<SeatingClient['holds']['create']>,
  ): Promise<boolean> {
    this.#setPending(seats, true);
    this.isBusy = true;
    try {
      await this.become();
      const held = await ask();
      this.#add(held.holds.map(lineOf), held.revision);
      this.orphans = held.orphans ?? [];
      const what = this.describe(held.holds.map(lineOf));
      announce(t().heldMany(what, this.moment?.text ?? ''));
      return true;
    } catch (error) {
      this.#sayRefused(error, seats);
      return false;
    } finally {
      this.#setPending(seats, false);
      this.isBusy = false;
    }
  }

  async giveBack(line: CartLine): Promise<void> {
    const others = () => this.lines.filter(({ hold_id }) => hold_id !== line.hold_id);
    this.lines = others();
    try {
      const { revision } = await this.#shop.client.holds.release(line.hold_id);
      this.lines = others();
      this.orphans = [];
      this.#changed(revision);
      announce(t().releasedNamed(this.describe([line])));
    } catch (error) {
      // Only this one: what else has come or gone meanwhile is so.
      this.lines = [...others(), line];
      notices.say({ kind: 'bad', text: reasonOf(error) });
      void this.refresh();
    }
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

  /**
   * Another choice of the same size. The new seats are taken before the old ones are given back,
   * so that nobody can come between.
   */
  async swapFor(seatIds: readonly string[]): Promise<boolean> {
    this.refused = null;
    const plan = this.#shop.plan;
    const wanted = seatIds.filter((seatId) => !this.has(seatId));
    const surplus = this.lines.filter(({ seat_id }) => seat_id && !seatIds.includes(seat_id));
    const taken: string[] = [];
    for (const seatId of wanted) {
      const seat = plan?.seatOf(seatId);
      if (!seat || !(await this.take(seat))) break;
      taken.push(seatId);
    }
    const isDone = taken.length === wanted.length;
    const back = isDone
      ? surplus
      : this.lines.filter(({ seat_id }) => taken.includes(`${seat_id}`));
    for (const line of back) await this.giveBack(line);
    return isDone;
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
  describe(lines: readonly Pick<CartLine, 'label' | 'zone_id' | 'quantity' | 'seat_id'>[]): string {
    const seats = lines.filter(({ seat_id }) => seat_id).length;
    if (seats > 4) return t().seats(seats);
    return lines
      .map(({ seat_id, label, zone_id, quantity }) => {
        if (seat_id) return t().seatNamed(label ?? this.#shop.plan?.seatOf(seat_id)?.label ?? '');
        return `${this.#shop.zoneOf(zone_id)?.name ?? ''} × ${quantity}`;
      })
      .join(', ');
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
    announce(`${t().expiredTitle}. ${t().expiredWhy(this.describe(more))}`);
  }

  /** Somebody was quicker, or a rule stands in the way: say which, and what is free beside it. */
  #sayTaken(error: unknown, seat: Seat): void {
    this.#askIfUnknown(error);
    this.onRefused([seat]);
    const isTaken = isFailure(error, 'seat_held_by_another_user', 'seat_not_available');
    if (!isTaken || !this.#shop.plan) {
      notices.say({ kind: 'bad', text: `${t().seatNamed(seat.label)}: ${reasonOf(error)}` });
      return;
    }
    const isHeld = error.code === 'seat_held_by_another_user';
    const words = isHeld ? t().takenHeld(seat.label) : t().taken(seat.label);
    const isFree = (one: Seat) => this.#shop.stateOf(one) === 0 && !this.has(one.seat_id);
    const near = findNear(this.#shop.plan, seat, isFree);
    const actions = near.map((one) => ({
      label: t().takeInstead(one.label),
      run: async () => void (await this.take(one)),
    }));
    const text = near.length > 0 ? `${words} ${t().takenAlternatives}` : words;
    notices.say({ kind: 'warning', text, actions });
  }

  /** Nobody knows whether it was done: the server will, in a moment. */
  #askIfUnknown(error: unknown): void {
    if (isFailure(error, 'outcome_unknown', 'network', 'timeout')) void this.refresh();
  }

  #sayRefused(error: unknown, seatIds: readonly string[]): void {
    this.#askIfUnknown(error);
    const seats = seatIds.flatMap((seatId) => this.#shop.plan?.seatOf(seatId) ?? []);
    this.onRefused(seats);
    if (isFailure(error, 'orphan_rule')) {
      this.refused = error.details;
      return;
    }
    const details = isFailure(error) ? (error.details as { seats?: { seat_id: string }[] }) : {};
    const which = details.seats?.[0]?.seat_id;
    const seat = which ? this.#shop.plan?.seatOf(which) : undefined;
    if (seat) this.#sayTaken(error, seat);
    else notices.say({ kind: 'bad', text: reasonOf(error) });
  }
}
