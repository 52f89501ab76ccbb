import type { FreeSeats } from '#allocation';
import type { Checkout } from '#checkouts';
import { assert, type Steps } from '#kit';
import { AddressCounts } from './addresses.ts';
import { applyChanges } from './apply.ts';
import type { BoardConfig } from './board-config.ts';
import type { BoardContent } from './board-content.ts';
import type { BoardPlan } from './board-plan.ts';
import { BoardSeating, companionsIn, differing, KeptIndex } from './board-seating.ts';
import { type Hold, sumOf, type WritableState, type ZoneCounts } from './board-state.ts';
import { type ChangeRow, isBarrier } from './changes.ts';
import { BoardDigest } from './digest.ts';
import { DueHeap } from './due-heap.ts';
import { type BoardTask, closingSeats } from './tasks.ts';

const NO_COUNTS: ZoneCounts = { held: 0, sold: 0, blocked: 0 };
/** Measured: a hold with its three ids, a list for its user, entries in three maps and the heap. */
const HOLD_BYTES = 530;
const KEYED_BYTES = 100;
/** An object with a few items and attempts. */
const CHECKOUT_BYTES = 1_000;

/**
 * The board of one event in memory, at one revision. It changes only by rows of the log, in order;
 * what a flush wants is tried on a `Draft` first.
 */
export class Board implements WritableState {
  readonly plan: BoardPlan;
  #config: BoardConfig;
  #revision: number;
  #hash: string;
  #at_ms: number;
  readonly #codes: Uint8Array;
  readonly #versions: Uint32Array;
  readonly #counts: ZoneCounts[];
  readonly #holds = new Map<string, Hold>();
  readonly #seatHolds = new Map<number, Hold>();
  /** Most users have one hold, and a set for it would take as much memory as the hold. */
  readonly #userHolds = new Map<string, string | Set<string>>();
  readonly #addresses = new AddressCounts();
  readonly #checkouts = new Map<string, Checkout>();
  /** Holds that are being paid for. */
  #paying = 0;
  readonly #keyed: Set<string>;
  readonly #heap: DueHeap;
  readonly #digest = new BoardDigest();
  /** A snapshot of 0.1.0 does not say who has bought which wheelchair space. */
  readonly knowsOwners: boolean;
  #tasks: readonly BoardTask[] = [];
  #closing: ReadonlySet<number> = new Set();
  readonly #released = new Set<number>();
  readonly #owners: Map<number, string>;
  readonly #index = new KeptIndex({ standsOnOther: false });
  /** Seats and holds that the last row has touched. */
  readonly #touched = new Set<number>();
  readonly #touchedHolds = new Set<string>();
  /** Seats that are shown differently since, without having changed themselves. */
  readonly #shownAnew = new Set<number>();

  constructor(plan: BoardPlan, content: BoardContent) {
    const { codes, versions, config } = content;
    assert(codes.length === plan.seatCount, 'a board has the seats of its plan');
    this.plan = plan;
    this.#config = config;
    this.#revision = content.revision;
    this.#hash = content.hash;
    this.#at_ms = content.at_ms;
    this.#codes = codes;
    this.#versions = versions;
    this.#counts = content.counts.map((counts) => ({ ...counts }));
    this.#keyed = new Set(content.keyed);
    this.knowsOwners = content.owners !== undefined;
    this.#owners = new Map(content.owners);
    for (const [ordinal, user] of this.#owners) this.#digest.toggleOwner(ordinal, user);
    this.#heap = new DueHeap(({ hold_id, until_ms }) => {
      return this.#holds.get(hold_id)?.until_ms === until_ms;
    });
    this.restore(content.holds);
    // A snapshot that is older than checkouts has none.
    for (const checkout of content.checkouts ?? []) this.setCheckout(checkout);
    codes.forEach((code, ordinal) => {
      this.#digest.toggleSeat(ordinal, code);
    });
    this.#counts.forEach(({ held, sold, blocked }, zone) => {
      this.#digest.toggleCounts(zone, held, sold, blocked);
    });
    this.setTasks(content.tasks);
    for (const zone of content.released ?? []) this.setReleased(zone, true);
  }

  /** Holds that belong to the content; a loader with many brings them in portions. */
  restore(holds: readonly Hold[]): void {
    for (const hold of holds) {
      this.addHold(hold);
      if (hold.ordinal >= 0) this.#seatHolds.set(hold.ordinal, hold);
    }
    this.#touchedHolds.clear();
    this.#shownAnew.clear();
  }

  get config(): BoardConfig {
    return this.#config;
  }

  get revision(): number {
    return this.#revision;
  }

  get hash(): string {
    return this.#hash;
  }

  get at_ms(): number {
    return this.#at_ms;
  }

  get tasks(): readonly BoardTask[] {
    return this.#tasks;
  }

  /** Seats, counters, holds and when they end: equal on two nodes, or one of them is wrong. */
  get digest(): string {
    return this.digestOf({ owners: this.knowsOwners });
  }

  digestOf({ owners }: { owners: boolean }): string {
    return this.#digest.of({ owners });
  }

  /** What the last row has changed; a hold among them may have ended. */
  get touched(): { seats: readonly number[]; holds: readonly string[] } {
    const seats = new Set([...this.#touched, ...this.#shownAnew]);
    return { seats: [...seats], holds: [...this.#touchedHolds] };
  }

  get holdCount(): number {
    return this.#holds.size;
  }

  /** Holds that are being paid for, which nobody ends unasked. */
  get payingCount(): number {
    return this.#paying;
  }

  get bytes(): number {
    const arrays = this.#codes.byteLength + this.#versions.byteLength;
    const checkouts = this.#checkouts.size * CHECKOUT_BYTES;
    return arrays + checkouts + this.#holds.size * HOLD_BYTES + this.#keyed.size * KEYED_BYTES;
  }

  codeOf(ordinal: number): number {
    return this.#codes[ordinal] ?? 0;
  }

  versionOf(ordinal: number): number {
    return this.#versions[ordinal] ?? 0;
  }

  holdOfSeat(ordinal: number): Hold | undefined {
    return this.#seatHolds.get(ordinal);
  }

  holdOf(holdId: string): Hold | undefined {
    return this.#holds.get(holdId);
  }

  checkoutOf(checkoutId: string): Checkout | undefined {
    return this.#checkouts.get(checkoutId);
  }

  checkouts(): Iterable<Checkout> {
    return this.#checkouts.values();
  }

  holds(): Iterable<Hold> {
    return this.#holds.values();
  }

  countsOf(zone: number): ZoneCounts {
    return this.#counts[zone] ?? NO_COUNTS;
  }

  holdsOfUser(userId: string): readonly Hold[] {
    const ids = this.#userHolds.get(userId);
    if (!ids) return [];
    return (typeof ids === 'string' ? [ids] : [...ids]).flatMap((id) => this.#holds.get(id) ?? []);
  }

  heldByIp(ip: string): number {
    return this.#addresses.of(ip);
  }

  isClosing(ordinal: number): boolean {
    return this.#closing.has(ordinal);
  }

  /** Somebody whose wish with a key was accepted: a repeat has an answer that only Postgres has. */
  hasKey(userId: string): boolean {
    return this.#keyed.has(userId);
  }

  due(now_ms: number, most: number): string[] {
    return this.#heap.due(now_ms, most);
  }

  nextDue(): number {
    return this.#heap.next();
  }

  /** The board after the next row of the log. */
  advance(row: ChangeRow): void {
    assert(row.revision === this.#revision + 1, `row ${row.revision} after ${this.#revision}`);
    assert(!isBarrier(row), 'after a new plan a board is loaded anew');
    this.#touched.clear();
    this.#touchedHolds.clear();
    this.#shownAnew.clear();
    applyChanges(this, row.changes, row.at_ms);
    for (const ordinal of this.#touched) {
      this.#versions[ordinal] = (this.#versions[ordinal] ?? 0) + 1;
    }
    for (const user of row.keyed) this.#keyed.add(user);
    // At once, so that no reader has to catch up with many rows.
    if (this.#index.isMade) void this.free;
    this.#heap.tidy(this.#holds.size);
    this.#revision = row.revision;
    this.#hash = row.hash;
    this.#at_ms = Math.max(this.#at_ms, row.at_ms);
  }

  /** A copy of everything, to be stored. */
  content(): BoardContent {
    return {
      revision: this.#revision,
      hash: this.#hash,
      at_ms: this.#at_ms,
      config: this.#config,
      codes: this.#codes.slice(),
      versions: this.#versions.slice(),
      counts: this.#counts.slice(),
      holds: [...this.#holds.values()],
      checkouts: [...this.#checkouts.values()],
      tasks: this.#tasks,
      keyed: [...this.#keyed],
      released: [...this.#released].sort((one, other) => one - other),
      ...(this.knowsOwners ? { owners: this.#sortedOwners() } : {}),
    };
  }

  #sortedOwners(): [number, string][] {
    return [...this.#owners].sort(([one], [other]) => one - other);
  }

  /** What everybody may see of every seat: two bits each, four to a byte, lowest bits first. */
  packedStates(): Uint8Array {
    const codes = this.#codes;
    const packed = new Uint8Array(Math.ceil(codes.length / 4));
    for (let ordinal = 0; ordinal < codes.length; ordinal++) {
      const state = (codes[ordinal] ?? 0) & 3;
      if (state !== 0)
        packed[ordinal >> 2] = (packed[ordinal >> 2] ?? 0) | (state << ((ordinal & 3) * 2));
    }
    return packed;
  }

  isReleased(zone: number): boolean {
    return this.#released.has(zone);
  }

  ownerOf(ordinal: number): string | undefined {
    return this.#owners.get(ordinal);
  }

  /** Makes the index in steps, while the board is nobody's yet. */
  *indexing(): Steps<void> {
    this.#index.set(yield* new BoardSeating(this).indexing());
  }

  get free(): FreeSeats {
    return this.#index.read(this, () => new BoardSeating(this).index());
  }

  setSeat(ordinal: number, code: number, hold: Hold | undefined): void {
    this.#digest.toggleSeat(ordinal, this.codeOf(ordinal));
    this.#digest.toggleSeat(ordinal, code);
    this.#codes[ordinal] = code;
    this.#touched.add(ordinal);
    this.#index.touch(ordinal);
    if (hold) this.#seatHolds.set(ordinal, hold);
    else this.#seatHolds.delete(ordinal);
  }

  addHold(hold: Hold): void {
    this.#holds.set(hold.hold_id, hold);
    this.#touchedHolds.add(hold.hold_id);
    this.#heap.push(hold);
    this.#digest.toggleHold(hold.hold_id, hold.until_ms, hold.settled);
    const ids = this.#userHolds.get(hold.user_id);
    if (!ids) this.#userHolds.set(hold.user_id, hold.hold_id);
    else if (typeof ids !== 'string') ids.add(hold.hold_id);
    else this.#userHolds.set(hold.user_id, new Set([ids, hold.hold_id]));
    this.#addresses.add(hold.ip, hold.quantity);
  }

  replaceHold(hold: Hold): void {
    const before = this.#holds.get(hold.hold_id);
    assert(before, 'only a live hold is replaced');
    this.#holds.set(hold.hold_id, hold);
    this.#touchedHolds.add(hold.hold_id);
    if (before.quantity !== hold.quantity) {
      this.#addresses.add(hold.ip, hold.quantity - before.quantity);
    }
    if (before.until_ms === hold.until_ms) return;
    this.#digest.toggleHold(before.hold_id, before.until_ms, before.settled);
    this.#digest.toggleHold(hold.hold_id, hold.until_ms, hold.settled);
    this.#heap.push(hold);
  }

  removeHold(hold: Hold): void {
    this.#holds.delete(hold.hold_id);
    this.#touchedHolds.add(hold.hold_id);
    this.#digest.toggleHold(hold.hold_id, hold.until_ms, hold.settled);
    const ids = this.#userHolds.get(hold.user_id);
    if (typeof ids === 'object') ids.delete(hold.hold_id);
    if (typeof ids === 'string' || ids?.size === 0) this.#userHolds.delete(hold.user_id);
    this.#addresses.add(hold.ip, -hold.quantity);
  }

  setCheckout(checkout: Checkout): void {
    this.closeCheckout(checkout.checkout_id);
    this.#checkouts.set(checkout.checkout_id, checkout);
    this.#digest.toggleCheckout(checkout);
    if (checkout.status === 'paying') this.#paying += checkout.items.length;
  }

  closeCheckout(checkoutId: string): void {
    const before = this.#checkouts.get(checkoutId);
    if (!before) return;
    this.#checkouts.delete(checkoutId);
    this.#digest.toggleCheckout(before);
    if (before.status === 'paying') this.#paying -= before.items.length;
  }

  /** Closed checkouts and tickets are not kept here. */
  touch(): void {}

  addCounts(zone: number, added: ZoneCounts): void {
    const before = this.countsOf(zone);
    const after = sumOf(before, added);
    this.#digest.toggleCounts(zone, before.held, before.sold, before.blocked);
    this.#digest.toggleCounts(zone, after.held, after.sold, after.blocked);
    this.#counts[zone] = after;
  }

  setConfig(config: BoardConfig): void {
    if (config.policy !== this.#config.policy) {
      this.#showAnew(companionsIn(this.plan.seating, null));
    }
    this.#config = config;
  }

  setTasks(tasks: readonly BoardTask[]): void {
    const before = this.#closing;
    this.#tasks = tasks;
    this.#closing = closingSeats(tasks);
    // A seat that is about to be blocked is shown as blocked already.
    this.#showAnew([...differing(before, this.#closing)]);
  }

  setReleased(zone: number, released: boolean): void {
    if (released === this.#released.has(zone)) return;
    if (released) this.#released.add(zone);
    else this.#released.delete(zone);
    this.#digest.toggleReleased(zone);
    this.#showAnew(companionsIn(this.plan.seating, zone));
  }

  setOwner(ordinal: number, userId: string | undefined): void {
    const before = this.#owners.get(ordinal);
    if (before !== undefined) this.#digest.toggleOwner(ordinal, before);
    if (userId !== undefined) this.#digest.toggleOwner(ordinal, userId);
    if (userId === undefined) this.#owners.delete(ordinal);
    else this.#owners.set(ordinal, userId);
  }

  #showAnew(seats: readonly number[]): void {
    this.#index.touchAll(seats);
    for (const seat of seats) this.#shownAnew.add(seat);
  }
}
