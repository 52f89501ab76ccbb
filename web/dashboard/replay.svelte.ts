import {
  type Drawing,
  type LiveListener,
  LiveMap,
  systemHost,
  type ToldRow,
} from '@voelgoed/client/client';
import { desk } from '#desk';
import { type Followed, LiveHall } from '#shop';
import { type Part, PastHall, type PastZone, partOf } from './past.ts';

/** Rows of one question. */
const ROWS = 250;
/** Parts that are kept, so that going back and forth asks for nothing. */
const MOST_PARTS = 12;
const FRAME_MS = 50;

export type Scale = 'steps' | 'time';
/** Steps a second, and times faster than it was. */
export const SPEEDS = { steps: [1, 5, 20, 100], time: [1, 10, 60, 600] } as const;

type Moment = Readonly<{ revision: number; at: string }>;

/** A sale that is played back on the map, forwards and backwards. */
export class Replay extends LiveHall {
  readonly eventId: string;
  name = $state('');
  currency = $state('ZAR');
  timeZone = $state(desk.timeZone);
  first = $state.raw<Moment | null>(null);
  last = $state.raw<Moment | null>(null);
  revision = $state(0);
  at = $state('');
  row = $state.raw<ToldRow | null>(null);
  counts = $state.raw<readonly PastZone[]>([]);
  eventStatus = $state('');
  /** The plan was another one then: its seats cannot be shown on this drawing. */
  isOtherPlan = $state(false);
  scale = $state<Scale>('steps');
  speed = $state<number>(SPEEDS.steps[1]);
  isPlaying = $state(false);
  isLoading = $state(false);
  readonly #map = new LiveMap();
  #drawn: Promise<Drawing> | null = null;
  #tell: LiveListener = () => {};
  #hall: PastHall | null = null;
  readonly #parts: Part[] = [];
  #wishes = 0;
  #cancelFrame = () => {};
  /** Where playing is between two steps. */
  #clock_ms = 0;
  #owed = 0;

  constructor(eventId: string) {
    super({
      follow: (listener) => this.#followed(listener),
      drawing: () => this.#draw(),
    });
    this.eventId = eventId;
  }

  override open(): void {
    super.open();
    void this.#begin();
  }

  override close(): void {
    this.pause();
    super.close();
  }

  /** Also what has happened since. */
  refresh = (): Promise<void> => {
    this.#parts.length = 0;
    return this.#begin();
  };

  /** Asked for once: the map and the revisions are about the same drawing. */
  #draw(): Promise<Drawing> {
    this.#drawn ??= desk.client.events.seatmap(this.eventId, { isFresh: true });
    return this.#drawn;
  }

  async #begin(): Promise<void> {
    await this.#try(async () => {
      const { history, planning } = desk.client;
      const [event, drawing, now, rows] = await Promise.all([
        planning.get(this.eventId),
        this.#draw(),
        history.board(this.eventId),
        history.changes(this.eventId, { after: 0, limit: 1 }),
      ]);
      this.name = event.name;
      this.currency = event.currency;
      this.timeZone = event.timezone ?? this.timeZone;
      this.#map.layoutId = drawing.layout_id;
      this.#map.layoutVersion = drawing.layout_version;
      this.last = now;
      this.first = rows[0] ?? now;
      await this.goTo(now.revision);
    });
  }

  /** The newest wish counts. */
  async goTo(revision: number): Promise<void> {
    if (!this.first || !this.last) return;
    const wish = ++this.#wishes;
    const wanted = Math.min(Math.max(revision, this.first.revision), this.last.revision);
    await this.#try(async () => {
      const part = await this.#partAt(wanted);
      if (wish === this.#wishes) this.#show(part, wanted);
    });
  }

  async goToTime(at_ms: number): Promise<void> {
    if (!this.first || !this.last) return;
    const wish = ++this.#wishes;
    const known = this.#revisionAt(at_ms);
    await this.#try(async () => {
      const revision = known ?? (await this.#askRevisionAt(at_ms));
      if (wish !== this.#wishes) return;
      const part = await this.#partAt(revision);
      if (wish === this.#wishes) this.#show(part, revision);
    });
  }

  step(by: number): Promise<void> {
    this.pause();
    return this.goTo(this.revision + by);
  }

  choose(scale: Scale): void {
    this.scale = scale;
    this.speed = SPEEDS[scale][1];
    this.#clock_ms = Date.parse(this.at);
  }

  toggle(): void {
    if (this.isPlaying) this.pause();
    else void this.play();
  }

  pause(): void {
    this.isPlaying = false;
    this.#cancelFrame();
  }

  async play(): Promise<void> {
    if (!this.first || !this.last) return;
    if (this.revision >= this.last.revision) await this.goTo(this.first.revision);
    this.isPlaying = true;
    this.#clock_ms = Date.parse(this.at);
    this.#owed = 0;
    this.#frame(systemHost.monotonic());
  }

  #frame(before_ms: number): void {
    this.#cancelFrame = systemHost.after(FRAME_MS, async () => {
      const now_ms = systemHost.monotonic();
      await this.#advance(now_ms - before_ms);
      if (this.revision >= (this.last?.revision ?? 0)) this.pause();
      if (this.isPlaying) this.#frame(now_ms);
    });
  }

  async #advance(passed_ms: number): Promise<void> {
    if (this.scale === 'time') {
      this.#clock_ms += passed_ms * this.speed;
      return this.goToTime(this.#clock_ms);
    }
    this.#owed += (passed_ms / 1_000) * this.speed;
    const whole = Math.floor(this.#owed);
    if (whole === 0) return;
    this.#owed -= whole;
    return this.goTo(this.revision + whole);
  }

  #followed(listener: LiveListener): Followed {
    this.#tell = listener;
    return { map: this.#map, status: 'live', close: () => {}, reconnect: () => {} };
  }

  #show(part: Part, revision: number): void {
    const isSame = this.#hall?.part === part;
    if (!isSame) this.#hall = new PastHall(part);
    const hall = this.#hall;
    if (!hall) return;
    const moved = hall.goTo(revision);
    this.revision = revision;
    this.row = hall.row;
    this.at = hall.row?.at ?? part.board.at;
    this.counts = hall.zones;
    this.eventStatus = part.board.event_status;
    this.isOtherPlan = part.board.layout_version !== this.#map.layoutVersion;
    if (this.isOtherPlan) return;
    this.#map.seats = hall.seats;
    this.#map.zones = hall.zones;
    this.#map.revision = revision;
    this.#tell({ kind: 'map', map: this.#map, seats: isSame ? moved : null });
  }

  /** Within what is known, the last row that was there; null: it has to be asked for. */
  #revisionAt(at_ms: number): number | null {
    if (!this.first || !this.last) return null;
    if (at_ms >= Date.parse(this.last.at)) return this.last.revision;
    if (at_ms <= Date.parse(this.first.at)) return this.first.revision;
    for (const { rows, last } of this.#parts) {
      const begins_ms = Date.parse(rows[0]?.at ?? '');
      const ends_ms = Date.parse(rows.at(-1)?.at ?? '');
      if (!(at_ms >= begins_ms && at_ms < ends_ms)) continue;
      const row = rows.findLast(({ at }) => Date.parse(at) <= at_ms);
      return row?.revision ?? last;
    }
    return null;
  }

  async #askRevisionAt(at_ms: number): Promise<number> {
    const at = new Date(at_ms).toISOString();
    return (await desk.client.history.board(this.eventId, { at })).revision;
  }

  async #partAt(revision: number): Promise<Part> {
    const known = this.#parts.find(({ first, last }) => revision >= first && revision <= last);
    if (known) return known;
    this.isLoading = true;
    try {
      const begin = this.first?.revision ?? revision;
      const from = revision - ((revision - begin) % ROWS);
      const part = await this.#readPart(from);
      // A new layout lies between: the part after it begins with its board.
      return revision <= part.last ? part : await this.#readPart(part.last + 1, revision);
    } finally {
      this.isLoading = false;
    }
  }

  async #readPart(from: number, reaching = from): Promise<Part> {
    const { history } = desk.client;
    const [board, rows] = await Promise.all([
      history.board(this.eventId, { revision: from }),
      history.changes(this.eventId, { after: from - 1, limit: ROWS + 1, map: true }),
    ]);
    const part = partOf(board, rows);
    this.#parts.unshift(part);
    this.#parts.splice(MOST_PARTS);
    return reaching <= part.last ? part : this.#readPart(part.last + 1, reaching);
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.failure = null;
    } catch (error) {
      this.failure = error;
      this.pause();
    }
  }
}
