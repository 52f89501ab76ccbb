import { type manualClock, nextTurn, type Random } from '@voelgoed/engine/kit';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import { Channel } from './channel.ts';
import type { Shown } from './frames.ts';
import type { StreamPlace } from './ring.ts';
import type { Source } from './source.ts';

const SEATS = 40;

/** One moment of a sale, without who looks at it. */
type Moment = Omit<Shown, 'history'>;

/**
 * A sale of forty seats as a log would have it: commits, things that are over by themselves, and
 * a database that forgets its last commits. Nodes see it through a `Source`, sooner or later.
 */
export class ModelSale {
  readonly #random: Random;
  #moments: Moment[];
  epoch = 1;

  constructor(random: Random) {
    this.#random = random;
    this.#moments = [momentOf(new Uint8Array(SEATS / 4), 0, '1-0')];
  }

  get now(): Moment {
    return this.at(this.revision);
  }

  get revision(): number {
    return this.#moments.length - 1;
  }

  at(revision: number): Moment {
    const moment = this.#moments[Math.max(0, Math.min(revision, this.revision))];
    if (!moment) throw new Error('a sale has a beginning');
    return moment;
  }

  has({ revision, lineage }: StreamPlace): boolean {
    return this.#moments[revision]?.lineage === lineage;
  }

  /** Some seats change hands. */
  commit(): void {
    const revision = this.revision + 1;
    const seats = Uint8Array.from(this.now.seats);
    for (let count = 1 + this.#below(3); count > 0; count--) {
      set(seats, this.#below(SEATS), this.#below(4));
    }
    this.#moments.push(momentOf(seats, revision, `${this.epoch}-${revision}`));
  }

  /** A hold is over: the same revision, but what is shown of it changes. */
  expire(): void {
    const { seats, revision, lineage } = this.now;
    const held = Array.from({ length: SEATS }, (_, one) => one).filter(
      (one) => at(seats, one) === 1,
    );
    const ordinal = held[this.#below(Math.max(1, held.length))];
    if (ordinal === undefined) return;
    const after = Uint8Array.from(seats);
    set(after, ordinal, 0);
    this.#moments[revision] = momentOf(after, revision, lineage);
  }

  /** The last commits are gone, and others will come in their place. */
  failOver(): void {
    this.epoch++;
    const kept = Math.max(1, this.#moments.length - this.#below(4));
    this.#moments = this.#moments.slice(0, kept);
  }

  #below(most: number): number {
    return Math.floor(this.#random.next() * most);
  }
}

function momentOf(seats: Uint8Array, revision: number, lineage: string): Moment {
  const counts = [0, 0, 0, 0];
  for (let one = 0; one < SEATS; one++) {
    const state = at(seats, one);
    counts[state] = (counts[state] ?? 0) + 1;
  }
  const [available = 0, held = 0, sold = 0] = counts;
  const zones = [{ zone_id: 'all', available, held, sold, capacity: SEATS }];
  return {
    revision,
    lineage,
    layout_id: 'hall',
    layout_version: 1,
    drawing_id: 'one',
    seats,
    zones,
  };
}

function at(seats: Uint8Array, ordinal: number): number {
  return ((seats[ordinal >> 2] ?? 0) >> ((ordinal & 3) * 2)) & 3;
}

function set(seats: Uint8Array, ordinal: number, state: number): void {
  const shift = (ordinal & 3) * 2;
  seats[ordinal >> 2] = ((seats[ordinal >> 2] ?? 0) & ~(3 << shift)) | (state << shift);
}

export type ModelClock = ReturnType<typeof manualClock>;

/** A node that follows the sale: what it has heard of, it shows. */
export class ModelNode {
  readonly #sale: ModelSale;
  readonly #clock: ModelClock;
  #seen: Moment;
  #board = {};
  #epoch: number;
  /** For controls: it says what it knows, and looks nowhere. */
  readonly #isStubborn: boolean;
  channel: Channel;

  constructor(sale: ModelSale, clock: ModelClock, isStubborn = false) {
    this.#isStubborn = isStubborn;
    this.#sale = sale;
    this.#clock = clock;
    this.#seen = sale.now;
    this.#epoch = sale.epoch;
    this.channel = this.#open();
  }

  /** Hears of everything so far. */
  hear(): void {
    // A board of another history is loaded anew.
    if (this.#epoch !== this.#sale.epoch) this.#board = {};
    this.#epoch = this.#sale.epoch;
    this.#seen = this.#sale.now;
    this.channel.wake();
  }

  /** A new process: nothing is known any more. */
  restart(): void {
    this.close();
    this.#board = {};
    this.hear();
    this.channel = this.#open();
  }

  close(): void {
    this.channel.close();
    for (const client of [...this.channel.clients]) client.end();
  }

  #open(): Channel {
    const event = { scope: { organizationId: 'org' }, eventId: 'event' } as never;
    const source: Source = {
      shown: async () => ({ ...this.#seen, history: this.#board }),
      catchUp: async () => {
        if (!this.#isStubborn) this.hear();
      },
      occupancy: async () => null,
      isPublic: async () => true,
      board: () => null,
      now_ms: () => this.#clock.now(),
      quiet: async () => {},
    };
    const random = { next: () => 0.5 } as Random;
    return new Channel(event, source, { clock: this.#clock, random, telemetry: silentTelemetry });
  }
}

/** Time passes for everybody, and whatever it wakes has its turns. */
export async function pass(clock: ModelClock, time_ms: number): Promise<void> {
  for (let passed = 0; passed < time_ms; passed += 50) {
    clock.advance(50);
    for (let turn = 0; turn < 3; turn++) await nextTurn();
  }
}
