import { STANDING } from '@voelgoed/engine/allocation';
import {
  type Board,
  boardCounts,
  Draft,
  decide,
  endDue,
  type HoldCommand,
  type HoldItem,
  LOG_FORMAT,
  NO_SALES,
  type Outcome,
} from '@voelgoed/engine/board';
import { type Random, seededRandom, uuidOf } from '@voelgoed/engine/kit';
import { aHold } from '#builders';
import { theatreBoard } from './theatre-board.ts';

export type Rules = Readonly<{
  /** Is the orphan rule enforced on what people pick? */
  strict: boolean;
  seed: number;
}>;

/** The theatre at the end of a day. */
export type Day = Readonly<{
  day: number;
  /** Parts of 1. */
  occupancy: number;
  orphan_ratio: number;
  orphans: number;
  /** Wishes until then: fulfilled, and turned away with nothing. */
  served: number;
  lost: number;
}>;

const START_MS = Date.UTC(2026, 5, 1);
const DAY_MS = 24 * 3_600_000;
const DAYS = 7;
/** Who pays keeps the seats for the rest of the week; who does not, until the hold is over. */
const PAID_SECONDS = 30 * 24 * 3_600;
/** What a day adds to what is taken, until little is left. */
const DAILY = 0.14;

/** How large parties are, as theatres know them: pairs most of all. */
const PARTIES: readonly (readonly [size: number, share: number])[] = [
  [1, 0.12],
  [2, 0.52],
  [3, 0.12],
  [4, 0.16],
  [5, 0.04],
  [6, 0.04],
];
const ASKS_FOR_BEST = 0.3;
const CHANGES_MIND = 0.2;
const TAKES_ADVICE = 0.85;
const INSISTS = 0.5;

/** Seven days, each with as many buyers as it takes to fill its part of the theatre. */
export function simulateWeek(rules: Rules): Day[] {
  return new Week(rules).play();
}

class Week {
  readonly #board: Board;
  readonly #random: Random;
  #now_ms = START_MS;
  #ids = 0;
  #buyers = 0;
  #served = 0;
  #lost = 0;

  constructor({ strict, seed }: Rules) {
    this.#random = seededRandom(seed);
    const policy = { orphan_avoidance_strict: strict, max_seats_per_booking: 10 };
    this.#board = theatreBoard(policy, START_MS);
  }

  play(): Day[] {
    return Array.from({ length: DAYS }, (_, index) => {
      const goal = Math.min((index + 1) * DAILY, 0.97);
      // A day ends when its part is sold, or when nobody finds anything any more.
      for (let tries = 0; this.#occupancy() < goal && tries < 400; tries++) this.#buy();
      this.#now_ms = START_MS + (index + 1) * DAY_MS;
      this.#commit(new Draft(this.#board, this.#now_ms));
      return this.#day(index + 1);
    });
  }

  #day(day: number): Day {
    const { orphans, seats } = boardCounts(this.#board);
    const about = { orphans, orphan_ratio: orphans / seats, occupancy: this.#occupancy() };
    return { day, ...about, served: this.#served, lost: this.#lost };
  }

  #occupancy(): number {
    const { taken, seats } = boardCounts(this.#board);
    return taken / seats;
  }

  #buy(): void {
    this.#now_ms += 60_000;
    const user = uuidOf('buyer', String(this.#buyers++));
    const size = this.#partySize();
    const pays = this.#random.next() >= CHANGES_MIND;
    const picks = this.#random.next() < ASKS_FOR_BEST ? null : this.#pick(size);
    const hold_seconds = pays ? PAID_SECONDS : null;
    const outcome = picks
      ? this.#choose(user, picks, hold_seconds)
      : this.#ask({ ...aHold(user, [], { hold_seconds }), best: { ...BEST, quantity: size } });
    if (outcome.kind === 'held') this.#served++;
    else this.#lost++;
  }

  /** Picks seats; who is refused takes what is offered instead, insists, or goes away. */
  #choose(user: string, picks: readonly number[], hold_seconds: number | null): Outcome {
    const { plan } = this.#board;
    const items = picks.map((ordinal) => ({ seat_id: plan.seatIdOf(ordinal) }));
    const outcome = this.#ask(aHold(user, items, { hold_seconds }));
    if (outcome.kind !== 'refused' || outcome.code !== 'orphan_rule') return outcome;
    const [first] = (outcome.details?.alternatives ?? []) as { seats: HoldItem[] }[];
    if (first && this.#random.next() < TAKES_ADVICE) {
      const seats = first.seats.flatMap((one) => ('seat_id' in one ? [one.seat_id] : []));
      const instead = seats.map((seat_id) => ({ seat_id }));
      return this.#ask(aHold(user, instead, { hold_seconds }));
    }
    if (this.#random.next() >= INSISTS) return outcome;
    return this.#ask({ ...aHold(user, items, { hold_seconds }), orphans: 'allow' });
  }

  #ask(command: HoldCommand): Outcome {
    const draft = new Draft(this.#board, this.#now_ms);
    endDue(this.#board, draft, this.#now_ms);
    const facts = {
      now_ms: this.#now_ms,
      newId: () => uuidOf('id', String(this.#ids++)),
      organizationActive: true,
      memberships: new Map(),
      owned: new Map(),
      demoHoldSeconds: null,
      ...NO_SALES,
    };
    const outcome = decide(draft, command, facts, () => this.#board.holds());
    this.#advance(draft);
    return outcome;
  }

  /** What is over by now is free. */
  #commit(draft: Draft): void {
    endDue(this.#board, draft, this.#now_ms);
    this.#advance(draft);
  }

  #advance({ changes }: Draft): void {
    if (changes.length === 0) return;
    const revision = this.#board.revision + 1;
    const row = { revision, flush_id: '', at_ms: this.#now_ms, format: LOG_FORMAT };
    this.#board.advance({ ...row, changes, keyed: [], hash: String(revision) });
  }

  #partySize(): number {
    let left = this.#random.next();
    for (const [size, share] of PARTIES) {
      left -= share;
      if (left < 0) return size;
    }
    return 2;
  }

  /** Seats side by side that this buyer likes, wherever they leave others; null: there are none. */
  #pick(size: number): number[] | null {
    const { free } = this.#board;
    let best: { seats: number[]; dislike: number } | null = null;
    for (const { first, count } of free.plan.runs) {
      for (let start = first; start + size <= first + count; start++) {
        const seats = Array.from({ length: size }, (_, index) => start + index);
        if (!seats.every((seat) => free.standingOf(seat) === STANDING.pool)) continue;
        // Near the stage, but everybody sees the drawing with eyes of their own.
        const dislike = free.plan.costOf(start) * (0.5 + this.#random.next());
        if (!best || dislike < best.dislike) best = { seats, dislike };
      }
    }
    return best?.seats ?? null;
  }
}

const BEST = {
  quantity: 1,
  zone_ids: [],
  price_cents: null,
  categories: [],
  accessible: 0,
  together: false,
  general_admission: false,
  people: [],
} as const;
