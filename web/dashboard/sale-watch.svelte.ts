import {
  type EventStakes,
  type Occupancy,
  type OccupancyAt,
  type Refund,
  type StaffOccupancy,
  systemHost,
  type ToldRow,
} from '@voelgoed/client/client';
import { DeskEvent, desk } from '#desk';
import { type Point, pointOf, pointOfRow, withPoint } from './curve.ts';
import { HOT_MS, Pulse } from './pulse.ts';
import {
  countsOf,
  funnelOf,
  lastHour,
  type SaleCounts,
  type Seen,
  withRows,
} from './sale-counts.ts';

/** What is not pushed (refusals, scans, how well it is filled) is asked for so often at most. */
export const ASK_MS = 15_000;
/** Counting a long log takes a while: it may take a twentieth of the database's time. */
const PATIENCE = 20;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Numbers are shown also where no stream can be had. */
const STREAM_MS = 4_000;
/** Rows from before the page was opened: enough for five minutes of most sales. */
const ROWS_BEFORE = 500;
const MOST_REFUNDS = 500;
const MOST_LINES = 40;
/** Of the curve, in one answer. */
const MOST_ROWS = 10_000;
/** Minutes between its points. */
const STRETCHES = [1, 15, 60, 1_440];

export type Span = 'hour' | 'day' | 'all';
const SPAN_MS = { hour: HOUR_MS, day: DAY_MS, all: Number.POSITIVE_INFINITY };

/**
 * One sale as it goes: numbers of the API, and on top of them, row by row, what the stream says.
 * Each reading of the API replaces what was added up, so a mistake does not last.
 */
export class SaleWatch {
  readonly event: DeskEvent;
  counts = $state.raw<SaleCounts | null>(null);
  filled = $state.raw<StaffOccupancy | null>(null);
  /** Tickets and money as they are counted now. */
  stakes = $state.raw<EventStakes | null>(null);
  refunds = $state.raw<readonly Refund[] | null>(null);
  curve = $state.raw<readonly Point[]>([]);
  span = $state<Span>('day');
  lines = $state.raw<readonly ToldRow[]>([]);
  failure = $state.raw<unknown>(null);
  /** The server's time, second by second. */
  now_ms = $state(desk.client.clock.now());
  readonly #pulse = new Pulse();
  /** Rows that came while an answer was on its way; null: none is. */
  #during: ToldRow[] | null = null;
  readonly #seen: Seen = new Map();
  readonly #stops: (() => void)[] = [];
  #cancelAsking = () => {};
  #cancelTick = () => {};
  #due_ms = Number.POSITIVE_INFINITY;
  #hasNews = true;
  #isClosed = false;

  /** Who holds what is in the log: others see figures, and are told of changes without it. */
  readonly seesLog = desk.may('holds:read');

  constructor(eventId: string) {
    this.event = new DeskEvent(eventId);
  }

  readonly occupancy: Occupancy | null = $derived.by(() => {
    const pushed = this.event.occupancy;
    const asked = this.filled;
    // Of two the later one: the stream says nothing while nothing changes.
    if (!pushed || !asked) return pushed ?? asked;
    return pushed.revision >= asked.revision ? pushed : asked;
  });
  readonly funnel = $derived(this.counts && funnelOf(this.counts));
  readonly minutes = $derived(lastHour(this.counts, this.now_ms));
  readonly holdsPerSecond = $derived.by(() => {
    void this.lines;
    return this.#pulse.holdsPerSecond(this.now_ms);
  });
  readonly hot = $derived.by(() => {
    void this.lines;
    return new Map(this.#pulse.hotZones(this.now_ms));
  });
  /** Since when the hot zones are counted, at most five minutes. */
  readonly hotSince_ms = $derived.by(() => {
    void this.lines;
    return Math.max(this.now_ms - HOT_MS, Math.min(this.#pulse.since_ms, this.now_ms));
  });
  readonly points = $derived.by(() => {
    const from_ms = this.now_ms - SPAN_MS[this.span];
    return this.curve.filter(({ at_ms }) => at_ms >= from_ms);
  });

  open(): void {
    const first = new Promise<void>((resolve) => {
      this.#stops.push(this.event.onSeats(() => resolve()));
      this.#stops.push(systemHost.after(STREAM_MS, resolve));
    });
    this.#stops.push(this.event.onLog((rows) => this.#hear(rows)));
    if (!this.seesLog) this.#stops.push(this.event.onSeats(() => (this.#hasNews = true)));
    this.event.open();
    this.#tick();
    void this.#begin(first);
    document.addEventListener('visibilitychange', this.#look);
  }

  close(): void {
    this.#isClosed = true;
    document.removeEventListener('visibilitychange', this.#look);
    this.#cancelAsking();
    for (const stop of this.#stops) stop();
    this.#cancelTick();
    this.event.close();
  }

  async choose(span: Span): Promise<void> {
    this.span = span;
    await this.#readCurve();
  }

  /** A number of the stream that is newer than the curve's end becomes its end. */
  follow(occupancy: Occupancy): void {
    this.curve = withPoint(this.curve, pointOf(occupancy));
  }

  again = (): Promise<void> => this.#read();

  /** The stream first, then the numbers: so nothing falls between the two. */
  async #begin(first: Promise<void>): Promise<void> {
    await first;
    await Promise.all([this.#readCurve(), this.#read()]);
    await this.#try(() => this.#readRows());
  }

  async #readRows(): Promise<void> {
    if (!this.seesLog) return;
    const { revision = 0 } = this.counts ?? {};
    const query = { after: Math.max(0, revision - ROWS_BEFORE), limit: ROWS_BEFORE };
    const rows = await desk.client.history.changes(this.event.eventId, query);
    const known = new Set(this.lines.map((line) => line.revision));
    const before = rows.filter((row) => !known.has(row.revision));
    this.#pulse.take(before);
    this.lines = [...this.lines, ...before.toReversed()].slice(0, MOST_LINES);
  }

  /** Everything that is counted elsewhere; what was added up here gives way to it. */
  async #read(): Promise<void> {
    if (this.#during) return;
    this.#cancelAsking();
    this.#during = [];
    const began_ms = systemHost.monotonic();
    await this.#try(async () => {
      await Promise.all([this.#readCounts(), this.#readRefunds()]);
      if (this.#hasNews) await this.#readFilled();
    });
    this.#during = null;
    if (this.#isClosed) return;
    const took_ms = systemHost.monotonic() - began_ms;
    const wait_ms = Math.max(ASK_MS, PATIENCE * took_ms);
    this.#cancelAsking = systemHost.after(wait_ms, this.#look);
    this.#due_ms = began_ms + took_ms + wait_ms;
  }

  async #readCounts(): Promise<void> {
    const { history, clock } = desk.client;
    const { eventId } = this.event;
    const from = new Date(clock.now() - HOUR_MS).toISOString();
    const [whole, hour] = await Promise.all([
      history.activity(eventId, { bucket: 'day' }),
      history.activity(eventId, { bucket: 'minute', from }),
    ]);
    this.counts = withRows(countsOf(whole, hour), this.#during ?? [], this.#seen);
  }

  async #readFilled(): Promise<void> {
    const { boxOffice, planning } = desk.client;
    const { eventId } = this.event;
    this.#hasNews = false;
    try {
      [this.filled, this.stakes] = await Promise.all([
        boxOffice.occupancy(eventId),
        planning.figures(eventId),
      ]);
    } catch (error) {
      this.#hasNews = true;
      throw error;
    }
  }

  /** Also without news: what is paid back changes no seat. */
  async #readRefunds(): Promise<void> {
    if (!desk.may('refunds:read')) return;
    const { eventId } = this.event;
    const query = { event_id: eventId, status: 'due', limit: MOST_REFUNDS } as const;
    this.refunds = await desk.client.boxOffice.refunds(query);
  }

  async #readCurve(): Promise<void> {
    const { clock } = desk.client;
    const from_ms = clock.now() - SPAN_MS[this.span];
    const from = from_ms > 0 ? { from: new Date(from_ms).toISOString() } : {};
    await this.#try(async () => {
      const rows = await this.#readRowsOf(from);
      this.curve = rows.map(pointOfRow);
      if (this.occupancy) this.follow(this.occupancy);
    });
  }

  /** By the minute if that is not too much, else more coarsely: never the beginning alone. */
  async #readRowsOf(from: { from?: string }): Promise<readonly OccupancyAt[]> {
    for (const every of STRETCHES) {
      const query = { ...from, limit: MOST_ROWS, every };
      const rows = await desk.client.history.occupancy(this.event.eventId, query);
      if (rows.length < MOST_ROWS || every === STRETCHES.at(-1)) return rows;
    }
    return [];
  }

  #hear(rows: readonly ToldRow[]): void {
    this.#hasNews = true;
    this.#during?.push(...rows);
    this.#pulse.take(rows);
    this.lines = [...rows.toReversed(), ...this.lines].slice(0, MOST_LINES);
    if (this.counts) this.counts = withRows(this.counts, rows, this.#seen);
  }

  /** Time passes without a word from anybody. */
  #tick(): void {
    this.now_ms = desk.client.clock.now();
    this.#cancelTick = systemHost.after(1_000, () => this.#tick());
  }

  /** Nobody looks: nothing is asked. Whoever comes back gets what is due. */
  readonly #look = (): void => {
    const isSeen = document.visibilityState === 'visible';
    if (isSeen && !this.#isClosed && systemHost.monotonic() >= this.#due_ms) void this.#read();
  };

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.failure = null;
    } catch (error) {
      this.failure = error;
    }
  }
}
