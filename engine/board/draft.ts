import type { FreeSeats } from '#allocation';
import type { Checkout } from '#checkouts';
import { AddressCounts } from './addresses.ts';
import { applyChanges } from './apply.ts';
import type { BoardConfig } from './board-config.ts';
import type { BoardPlan } from './board-plan.ts';
import { companionsIn, differing, KeptIndex } from './board-seating.ts';
import {
  type BoardState,
  type Hold,
  sumOf,
  type WritableState,
  type ZoneCounts,
} from './board-state.ts';
import type { Change } from './changes.ts';
import { type BoardTask, closingSeats } from './tasks.ts';

/** `ticket`: undefined keeps what the row has. */
type DraftSeat = Readonly<{
  code: number;
  hold: Hold | undefined;
  ticket: string | null | undefined;
}>;

/** Most drafts are of one hold: what they never need is not made for them. */
const NONE: ReadonlyMap<never, never> = new Map<never, never>();
const NOBODY: ReadonlySet<string> = new Set();

function withOne<Key, Value>(
  map: ReadonlyMap<Key, Value>,
  key: Key,
  value: Value,
): ReadonlyMap<Key, Value> {
  return map === NONE ? new Map([[key, value]]) : (map as Map<Key, Value>).set(key, value);
}

/**
 * A board as it would be: copy on write over the board or over another draft. Each command is
 * decided on a draft of its own, which is kept or dropped whole.
 */
export class Draft implements WritableState {
  readonly plan: BoardPlan;
  readonly changes: Change[] = [];
  /** What differs from below, by ordinal; the writer turns it into rows. */
  readonly seats = new Map<number, DraftSeat>();
  readonly counts = new Map<number, ZoneCounts>();
  readonly #below: BoardState;
  /** Null: ended here. */
  readonly #holds = new Map<string, Hold | null>();
  #ended: ReadonlyMap<string, Hold> = NONE;
  /** Null: closed here. */
  #checkouts: ReadonlyMap<string, Checkout | null> = NONE;
  #touched: ReadonlySet<string> = NOBODY;
  readonly #newOfUser = new Map<string, string[]>();
  readonly #addresses = new AddressCounts();
  readonly #at_ms: number;
  #config: BoardConfig;
  #tasks: readonly BoardTask[];
  #closing: ReadonlySet<number> | null = null;
  #released: ReadonlyMap<number, boolean> = NONE;
  #owners: ReadonlyMap<number, string | undefined> = NONE;
  readonly #index = new KeptIndex({ standsOnOther: true });

  constructor(below: BoardState, at_ms: number) {
    this.plan = below.plan;
    this.#below = below;
    this.#at_ms = at_ms;
    this.#config = below.config;
    this.#tasks = below.tasks;
  }

  get config(): BoardConfig {
    return this.#config;
  }

  get tasks(): readonly BoardTask[] {
    return this.#tasks;
  }

  /** Applies changes and remembers them. */
  record(...changes: readonly Change[]): void {
    applyChanges(this, changes, this.#at_ms);
    this.changes.push(...changes);
  }

  /** How many rows of seats and holds this would write. */
  get size(): number {
    return Math.max(this.seats.size, this.#holds.size);
  }

  codeOf(ordinal: number): number {
    return this.seats.get(ordinal)?.code ?? this.#below.codeOf(ordinal);
  }

  holdOfSeat(ordinal: number): Hold | undefined {
    const seat = this.seats.get(ordinal);
    return seat ? seat.hold : this.#below.holdOfSeat(ordinal);
  }

  holdOf(holdId: string): Hold | undefined {
    const hold = this.#holds.get(holdId);
    return hold === undefined ? this.#below.holdOf(holdId) : (hold ?? undefined);
  }

  /** What this draft was made over. */
  get below(): BoardState {
    return this.#below;
  }

  /** A hold that ended here, as it was. */
  endedOf(holdId: string): Hold | undefined {
    return this.#ended.get(holdId);
  }

  checkoutOf(checkoutId: string): Checkout | undefined {
    const checkout = this.#checkouts.get(checkoutId);
    return checkout === undefined ? this.#below.checkoutOf(checkoutId) : (checkout ?? undefined);
  }

  /** What the database says about it is not all: something was decided here. */
  isTouched(id: string): boolean {
    return this.#touched.has(id) || (this.#below instanceof Draft && this.#below.isTouched(id));
  }

  countsOf(zone: number): ZoneCounts {
    return this.counts.get(zone) ?? this.#below.countsOf(zone);
  }

  holdsOfUser(userId: string): readonly Hold[] {
    const below = this.#below.holdsOfUser(userId);
    const added = this.#newOfUser.get(userId);
    if (this.#holds.size === 0) return below;
    const kept = below.flatMap((hold) => this.holdOf(hold.hold_id) ?? []);
    return added ? [...kept, ...added.flatMap((id) => this.holdOf(id) ?? [])] : kept;
  }

  /** Every live hold, made from those of the board that all drafts stand on. */
  *holds(ofBoard: Iterable<Hold>): Iterable<Hold> {
    const below = this.#below instanceof Draft ? this.#below.holds(ofBoard) : ofBoard;
    for (const { hold_id } of below) {
      const hold = this.holdOf(hold_id);
      if (hold) yield hold;
    }
    for (const ids of this.#newOfUser.values()) yield* ids.flatMap((id) => this.holdOf(id) ?? []);
  }

  heldByIp(ip: string): number {
    return this.#below.heldByIp(ip) + this.#addresses.of(ip);
  }

  isClosing(ordinal: number): boolean {
    return this.#closing ? this.#closing.has(ordinal) : this.#below.isClosing(ordinal);
  }

  isReleased(zone: number): boolean {
    return this.#released.get(zone) ?? this.#below.isReleased(zone);
  }

  ownerOf(ordinal: number): string | undefined {
    return this.#owners.has(ordinal) ? this.#owners.get(ordinal) : this.#below.ownerOf(ordinal);
  }

  get free(): FreeSeats {
    return this.#index.read(this, () => this.#below.free);
  }

  /** Zones whose companion seats have changed hands here. */
  get released(): ReadonlyMap<number, boolean> {
    return this.#released;
  }

  setSeat(
    ordinal: number,
    code: number,
    hold: Hold | undefined,
    ticket: string | null | undefined = this.seats.get(ordinal)?.ticket,
  ): void {
    this.seats.set(ordinal, { code, hold, ticket });
    this.#index.touch(ordinal);
  }

  addHold(hold: Hold): void {
    this.#holds.set(hold.hold_id, hold);
    const ids = this.#newOfUser.get(hold.user_id);
    if (ids) ids.push(hold.hold_id);
    else this.#newOfUser.set(hold.user_id, [hold.hold_id]);
    this.#addresses.add(hold.ip, hold.quantity);
  }

  replaceHold(hold: Hold): void {
    const before = this.holdOf(hold.hold_id)?.quantity ?? hold.quantity;
    if (before !== hold.quantity) this.#addresses.add(hold.ip, hold.quantity - before);
    this.#holds.set(hold.hold_id, hold);
  }

  removeHold(hold: Hold): void {
    this.#holds.set(hold.hold_id, null);
    this.#ended = withOne(this.#ended, hold.hold_id, hold);
    this.#addresses.add(hold.ip, -hold.quantity);
  }

  setCheckout(checkout: Checkout): void {
    this.#checkouts = withOne(this.#checkouts, checkout.checkout_id, checkout);
  }

  closeCheckout(checkoutId: string): void {
    this.#checkouts = withOne(this.#checkouts, checkoutId, null);
    this.touch(checkoutId);
  }

  touch(id: string): void {
    this.#touched =
      this.#touched === NOBODY ? new Set([id]) : (this.#touched as Set<string>).add(id);
  }

  addCounts(zone: number, added: ZoneCounts): void {
    this.counts.set(zone, sumOf(this.countsOf(zone), added));
  }

  setConfig(config: BoardConfig): void {
    if (config.policy !== this.#config.policy) {
      this.#index.touchAll(companionsIn(this.plan.seating, null));
    }
    this.#config = config;
  }

  setTasks(tasks: readonly BoardTask[]): void {
    const before = this.#closing ?? closingSeats(this.#tasks);
    this.#tasks = tasks;
    this.#closing = closingSeats(tasks);
    this.#index.touchAll(differing(before, this.#closing));
  }

  setReleased(zone: number, released: boolean): void {
    this.#released = withOne(this.#released, zone, released);
    this.#index.touchAll(companionsIn(this.plan.seating, zone));
  }

  setOwner(ordinal: number, userId: string | undefined): void {
    this.#owners = withOne(this.#owners, ordinal, userId);
  }
}
