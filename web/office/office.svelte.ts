import {
  type Drawing,
  type StaffSeat,
  type StaffTicket,
  systemHost,
} from '@voelgoed/client/client';
import { untrack } from 'svelte';
import { DeskEvent, desk, Resource, Work } from '#desk';
import { d } from '#desk-words';
import { announce, notices, type Seat } from '#shop';
import { BlockBook } from './block-book.svelte.ts';
import type { CallerWish } from './deeds.ts';
import { type Held, HoldBook, isCartOf } from './hold-book.svelte.ts';
import { namesOf } from './items.ts';
import { newUuid } from './new-uuid.ts';
import { Selection } from './selection.svelte.ts';
import { Till, WALK_INS } from './till.svelte.ts';

export type View = 'map' | 'list';
export type Tool = 'point' | 'lasso' | 'move';
type Zone = Drawing['zones'][number];

/** What is asked in a dialog, with the seats it was asked about: they stay the same meanwhile. */
export type Question =
  | Readonly<{ kind: 'block' | 'unblock'; seats: readonly Seat[] }>
  | Readonly<{ kind: 'hold'; items: readonly Item[] }>
  | SellQuestion
  | Readonly<{ kind: 'lengthen'; holdIds: readonly string[]; name: string }>
  | Readonly<{ kind: 'release'; holdIds: readonly string[]; who: Releasing | null }>
  | Readonly<{ kind: 'move'; ticket: StaffTicket; to: Seat }>
  | Readonly<{ kind: 'void' | 'refund'; ticket: StaffTicket }>
  | Readonly<{ kind: 'print'; tickets: readonly StaffTicket[] }>;
/** `whose`: what is held already, by whom; null: it is held when the dialog opens. */
export type SellQuestion = Readonly<{
  kind: 'sell';
  items: readonly Item[];
  whose: Whose | null;
}>;
/** `isCart`: a buyer in the shop, who gets the tickets. */
export type Whose = Readonly<{
  name: string;
  holdIds: readonly string[];
  source: string;
  isCart: boolean;
}>;
/** All that somebody holds here. */
type Releasing = Readonly<{ user_id: string; name: string; quantity: number }>;

/** A seat, or places in an area. */
export type Item = Readonly<{ seat: Seat } | { zone: Zone; quantity: number }>;

const WITHOUT_SEATS = ['ga_seated', 'ga_standing', 'vip_standing'];
const SECOND_MS = 1_000;

/** The box office of one event. */
export class Office {
  readonly hall: DeskEvent;
  readonly book: HoldBook;
  readonly blocks: BlockBook;
  readonly selection = new Selection();
  view = $state<View>('map');
  tool = $state<Tool>('point');
  question = $state.raw<Question | null>(null);
  /** The seat that is told about. */
  looked = $state.raw<Seat | null>(null);
  /** A ticket that was found and has no seat to be shown. */
  found = $state.raw<StaffTicket | null>(null);
  /** A ticket that is to get another seat. */
  moving = $state.raw<StaffTicket | null>(null);
  /** Seats to go to on the map. */
  shown = $state.raw<readonly number[]>([]);
  /** The server's time, each second. */
  now_ms = $state(desk.client.clock.now());
  readonly facts: Resource<StaffSeat>;
  readonly #works = new Map<string, Work<unknown>>();
  readonly #callers = new Map<string, CallerWish>();
  /** The one that is open, and those whose outcome is not known. */
  #tills = $state.raw<readonly Till[]>([]);
  #stops: (() => void)[] = [];

  constructor(eventId: string) {
    this.hall = new DeskEvent(eventId);
    this.book = new HoldBook(eventId);
    this.blocks = new BlockBook(eventId);
    this.facts = new Resource(() =>
      desk.client.boxOffice.seat(eventId, this.looked?.seat_id ?? ''),
    );
  }

  readonly zones: readonly Zone[] = $derived.by(() => this.hall.drawing?.zones ?? []);
  readonly areas: readonly Zone[] = $derived(
    this.zones.filter(({ zone_type }) => WITHOUT_SEATS.includes(zone_type)),
  );
  readonly seats: readonly Seat[] = $derived(
    this.selection.list.flatMap((ordinal) => this.hall.drawing?.seats[ordinal] ?? []),
  );
  readonly byState = $derived.by(() => {
    void this.hall.turn;
    const sorted: [Seat[], Seat[], Seat[], Seat[]] = [[], [], [], []];
    for (const seat of this.seats) sorted[this.hall.stateOf(seat) as 0]?.push(seat);
    const [free, held, sold, shut] = sorted;
    const kept = shut.filter((seat) => this.isKept(seat));
    return { free, held, sold, kept, closed: shut.filter((seat) => !kept.includes(seat)) };
  });

  /** Blocked seats that are more than that, by ordinal. */
  readonly blockKinds = $derived.by(() => {
    const seats: readonly Seat[] = this.hall.drawing?.seats ?? [];
    const { blocked, needing } = this.blocks;
    const of = (isOne: (seat: Seat) => boolean) =>
      seats.filter(isOne).map(({ ordinal }) => ordinal);
    return {
      reseat: needing.size === 0 ? [] : of(({ seat_id }) => needing.has(seat_id)),
      kept: of(({ companion_of, seat_id }) => companion_of !== undefined && !blocked.has(seat_id)),
    };
  });

  get eventId(): string {
    return this.hall.eventId;
  }

  open(): void {
    this.hall.open();
    void this.book.load();
    void this.blocks.renew();
    this.#stops = [
      this.hall.onLog((rows) => this.blocks.hear(rows)),
      this.hall.onLog((rows) => this.book.hear(rows)),
      this.hall.onLog((rows) => {
        for (const till of this.#tills) till.hear(rows);
      }),
      this.hall.onSeats((changes) => {
        // After a gap the log has told less than has happened.
        if (!changes) void this.book.load();
        if (!changes) void this.blocks.renew();
        const { looked } = this;
        if (!looked) return;
        if (!changes || changes.some(([ordinal]) => ordinal === looked.ordinal)) {
          void this.facts.load();
        }
      }),
    ];
    this.#tick();
  }

  close(): void {
    for (const { question } of this.unknownSales) {
      notices.say({ kind: 'bad', text: d().counter.unknown(namesOf(question.items)) });
    }
    for (const stop of this.#stops) stop();
    this.book.close();
    this.hall.close();
  }

  #tick(): void {
    this.now_ms = desk.client.clock.now();
    const stop = systemHost.after(SECOND_MS, () => {
      this.#stops = this.#stops.filter((one) => one !== stop);
      this.#tick();
    });
    this.#stops.push(stop);
  }

  /** Not for the public, but staff sell it: unless it is blocked as well, which the server says. */
  isKept(seat: Seat): boolean {
    return seat.companion_of !== undefined && this.hall.stateOf(seat) === 3;
  }

  zoneOf(zoneId: string): Zone | undefined {
    return this.zones.find(({ zone_id }) => zone_id === zoneId);
  }

  countsOf(zoneId: string): number {
    return this.hall.zones.find(({ zone_id }) => zone_id === zoneId)?.available ?? 0;
  }

  priceOf(zoneId: string): number {
    const { prices = [] } = this.hall.event ?? {};
    return prices.find(({ zone_id }) => zone_id === zoneId)?.price_cents ?? 0;
  }

  totalOf(items: readonly Item[]): number {
    return items.reduce((sum, item) => {
      if ('seat' in item) return sum + this.priceOf(item.seat.zone_id);
      return sum + item.quantity * this.priceOf(item.zone.zone_id);
    }, 0);
  }

  /** A name, or what there is instead of one. */
  personOf(userId: string, name: string | null = this.book.nameOf(userId)): string {
    return name ?? d().office.somebody(userId.slice(-6).toUpperCase());
  }

  /** Whole seconds until a time of the server. */
  secondsTo(until: string): number {
    return Math.max(0, Math.floor((Date.parse(until) - this.now_ms) / SECOND_MS));
  }

  /** A press on a seat: choose it, or with a ticket in hand, put it there. */
  press(seat: Seat): void {
    if (this.moving) {
      this.moveTo(this.moving, seat);
      return;
    }
    this.selection.toggle(seat);
    this.look(seat);
  }

  look(seat: Seat | null): void {
    this.looked = seat;
    this.found = null;
    this.facts.value = null;
    if (seat) void this.facts.load();
  }

  /** Shows a seat on the map and tells about it. */
  show(seat: Seat): void {
    this.view = 'map';
    this.shown = [seat.ordinal];
    this.look(seat);
  }

  showTicket(ticket: StaffTicket): void {
    const seat = this.hall.plan?.seatOf(ticket.seat?.seat_id ?? '');
    if (seat && ticket.status === 'active' && ticket.event_id === this.eventId) this.show(seat);
    else {
      this.looked = null;
      this.found = ticket;
    }
  }

  lassoed(ordinals: readonly number[], isAdding: boolean): void {
    if (isAdding) this.selection.add(ordinals);
    else this.selection.set(ordinals);
    announce(d().office.selected(this.selection.ordinals.size));
  }

  /** What did not finish goes on with its old key, also when its dialog was closed meanwhile. */
  workFor<Result>(wish: string): Work<Result> {
    const known = this.#works.get(wish);
    // A dialog keeps the work it was opened with, also when that is done.
    const isOpen = untrack(() => known && known.status !== 'done');
    const work = known && isOpen ? known : new Work<unknown>();
    this.#works.set(wish, work);
    return work as Work<Result>;
  }

  /** Two callers with one name are two people, and one whose hold did not finish stays the same. */
  callerFor(wish: string): CallerWish {
    const usual = { id: newUuid(), name: '', minutes: 15, notes: '' };
    const caller = this.#callers.get(wish) ?? usual;
    this.#callers.set(wish, caller);
    return caller;
  }

  /** `null`: everything is held, and the next one is another person. */
  keepCaller(wish: string, caller: CallerWish | null): void {
    if (caller) this.#callers.set(wish, caller);
    else this.#callers.delete(wish);
  }

  ask(question: Question): void {
    this.question = question;
  }

  /** Held seats of the chosen ones, as the server has to be told. */
  get chosenHolds(): readonly string[] {
    return this.byState.held.flatMap(({ seat_id }) => this.book.ofSeat(seat_id)?.hold_id ?? []);
  }

  /** What is sold when nothing else is said: what is free, or else what is held for one caller. */
  get sellable(): SellQuestion | null {
    const { free, kept, held } = this.byState;
    if (free.length + kept.length > 0) {
      if (!desk.may('holds:write')) return null;
      return { kind: 'sell', items: [...free, ...kept].map((seat) => ({ seat })), whose: null };
    }
    return this.#heldByOne(held, false);
  }

  /** Chosen seats in the cart of one buyer, for whom a payment can be taken. */
  get payable(): SellQuestion | null {
    return this.#heldByOne(this.byState.held, true);
  }

  #heldByOne(held: readonly Seat[], isCart: boolean): SellQuestion | null {
    const own = held.flatMap((seat) => {
      const hold = this.book.ofSeat(seat.seat_id);
      return hold && isCartOf(hold) === isCart ? [{ seat, hold }] : [];
    });
    if (own.length === 0 || (!isCart && own.length < held.length)) return null;
    const holds = own.map(({ hold }) => hold);
    return this.saleOf(
      holds,
      own.map(({ seat }) => ({ seat })),
    );
  }

  /** A sale of what one person holds; null: of several, or of none. */
  saleOf(holds: readonly Held[], items: readonly Item[]): SellQuestion | null {
    const [first] = holds;
    const till = this.#tills.find((one) => first && one.isInDoubt && one.covers(first));
    if (till) return till.question;
    if (holds.some((hold) => this.isAtCounter(hold))) return null;
    if (!first || holds.some(({ user_id }) => user_id !== first.user_id)) return null;
    const holdIds = holds.map(({ hold_id }) => hold_id);
    const { user_id, source } = first;
    const isCart = holds.some(isCartOf);
    const whose = { name: this.personOf(user_id), holdIds, source, isCart };
    return { kind: 'sell', items, whose };
  }

  /** Held for a sale that is under way elsewhere, or may be: whose it is is not known at once. */
  isAtCounter(hold: Held): boolean {
    if (isCartOf(hold) || this.#tills.some((till) => till.covers(hold))) return false;
    const name = this.book.nameOf(hold.user_id);
    return name === null || WALK_INS.includes(name);
  }

  /** The places of holds as items of a sale. */
  itemsOf(holds: readonly Held[]): Item[] {
    return holds.flatMap(({ seat_id, zone_id, quantity }): Item[] => {
      const seat = this.hall.plan?.seatOf(seat_id ?? '');
      if (seat) return [{ seat }];
      const zone = this.zoneOf(zone_id);
      return zone ? [{ zone, quantity }] : [];
    });
  }

  /** What was begun and may have been done stays in hand, so that it is not begun again. */
  tillFor(question: SellQuestion): Till {
    const name = JSON.stringify(question);
    const open = this.#tills.filter(({ isInDoubt }) => isInDoubt);
    const known = open.find((one) => JSON.stringify(one.question) === name);
    if (known) return known;
    const till = new Till(this.eventId, question, (ids) => this.book.forget(ids));
    this.#tills = [...open, till];
    return till;
  }

  /** Sales that may have been made; their dialogs were closed. */
  get unknownSales(): readonly Till[] {
    return this.#tills.filter(({ isUnknown, question }) => isUnknown && question !== this.question);
  }

  /** A sale here has no answer yet. */
  get isSaleOpen(): boolean {
    return this.#tills.some(({ isSaleOpen }) => isSaleOpen);
  }

  moveTo(ticket: StaffTicket, to: Seat): void {
    if (this.hall.stateOf(to) !== 0 && !this.isKept(to)) {
      notices.say({ kind: 'warning', text: d().office.moveOnlyFree(to.label) });
      return;
    }
    // After the tap that chose the seat: a dialog that opens within it is closed by its end.
    systemHost.after(0, () => this.ask({ kind: 'move', ticket, to }));
  }

  /** A sold seat was dragged onto another one. */
  async dropped(from: Seat, to: Seat): Promise<void> {
    this.look(from);
    await this.facts.load();
    const ticket = this.facts.value?.ticket;
    if (ticket) this.moveTo(ticket, to);
    else notices.say({ kind: 'warning', text: d().office.moveNoTicket });
  }
}
