import { assert, finish, type Steps } from '#kit';
import { hasBlock, RunSeats, type Standing, type Summary } from './run-seats.ts';
import type { SeatingPlan } from './seating-plan.ts';

/** Measured on 4,379 runs: 8 to 32 are equally quick to search, 16 copies least on a change. */
const BITS = 4;
const FAN = 1 << BITS;

/** So many runs are indexed at a time: about a millisecond. */
const RUNS_AT_ONCE = 256;

/** A node over up to FAN nodes, or runs. */
class Knot implements Summary {
  readonly parts: readonly (Knot | RunSeats)[];
  readonly longest: number;
  readonly roomy: number;
  readonly exactLow: number;
  readonly exactHigh: number;

  constructor(parts: readonly (Knot | RunSeats)[]) {
    this.parts = parts;
    let longest = 0;
    let roomy = 0;
    let exactLow = 0;
    let exactHigh = 0;
    for (const part of parts) {
      longest = Math.max(longest, part.longest);
      roomy = Math.max(roomy, part.roomy);
      exactLow |= part.exactLow;
      exactHigh |= part.exactHigh;
    }
    this.longest = longest;
    this.roomy = roomy;
    this.exactLow = exactLow;
    this.exactHigh = exactHigh;
  }
}

export type ZoneSeats = Readonly<{ open: number; pool: number; orphans: number }>;
export type SeatChange = readonly [ordinal: number, standing: Standing];

/**
 * Which seats are free, ready to be searched: a tree over the runs in the order of their best seat,
 * every node with what can be found below it. It never changes: `with` gives another one that
 * shares everything but the path to the changed runs. So a draft starts from its board's index for
 * nothing, changes a few runs and is dropped or kept, and the board's own stays as it was.
 */
export class FreeSeats {
  readonly plan: SeatingPlan;
  readonly #root: Knot;
  readonly #depth: number;
  readonly #zones: readonly ZoneSeats[];

  private constructor(plan: SeatingPlan, root: Knot, depth: number, zones: readonly ZoneSeats[]) {
    this.plan = plan;
    this.#root = root;
    this.#depth = depth;
    this.#zones = zones;
  }

  static of(plan: SeatingPlan, standingOf: (ordinal: number) => Standing): FreeSeats {
    return finish(FreeSeats.building(plan, standingOf));
  }

  /** The same in steps, for whoever has many seats. */
  static *building(plan: SeatingPlan, standingOf: (ordinal: number) => Standing): Steps<FreeSeats> {
    const zones = Array.from({ length: plan.zoneCount }, () => ({ open: 0, pool: 0, orphans: 0 }));
    let parts: (Knot | RunSeats)[] = [];
    for (const number of plan.ranked) {
      const { first, count, zone, ring } = plan.run(number);
      const standings = new Uint8Array(count);
      for (let place = 0; place < count; place++) standings[place] = standingOf(first + place);
      const run = new RunSeats(standings, ring);
      const counts = zones[zone];
      assert(counts, 'a run is in a zone');
      addTo(counts, run, 1);
      parts.push(run);
      if (parts.length % RUNS_AT_ONCE === 0) yield;
    }
    let depth = 0;
    do {
      parts = Array.from(
        { length: Math.max(1, Math.ceil(parts.length / FAN)) },
        (_, index) => new Knot(parts.slice(index * FAN, (index + 1) * FAN)),
      );
      depth++;
    } while (parts.length > 1);
    return new FreeSeats(plan, parts[0] as Knot, depth, zones);
  }

  standingOf(ordinal: number): Standing {
    const run = this.plan.runOf[ordinal] ?? 0;
    const standing = this.run(run).standings[ordinal - this.plan.run(run).first];
    return (standing ?? 0) as Standing;
  }

  isOpen(ordinal: number): boolean {
    return this.standingOf(ordinal) !== 0;
  }

  run(run: number): RunSeats {
    return this.atRank(this.plan.rankOf[run] ?? 0);
  }

  atRank(rank: number): RunSeats {
    let node = this.#root;
    for (let level = this.#depth - 1; level > 0; level--) {
      node = node.parts[(rank >> (BITS * level)) & (FAN - 1)] as Knot;
    }
    const run = node.parts[rank & (FAN - 1)];
    assert(run instanceof RunSeats, 'there is such a run');
    return run;
  }

  zone(zone: number): ZoneSeats {
    return this.#zones[zone] ?? { open: 0, pool: 0, orphans: 0 };
  }

  /** Free seats of a whole row, across its aisles. */
  openInRow(row: number): number {
    const { firstRun, runCount } = this.plan.row(row);
    let open = 0;
    for (let run = firstRun; run < firstRun + runCount; run++) open += this.run(run).open;
    return open;
  }

  /**
   * The first rank in a range whose run has a block of this size, `tidy`: one that strands nobody;
   * -1: none has.
   */
  next(from: number, to: number, size: number, tidy: boolean): number {
    return this.#find(this.#root, this.#depth, 0, from, to, size, tidy);
  }

  /** All of them, as `next` would find them one after the other. */
  ranks(from: number, to: number, size: number, tidy: boolean): number[] {
    const found: number[] = [];
    collect(this.#root, FAN ** (this.#depth - 1), 0, { from, to, size, tidy, found });
    return found;
  }

  /** The longest block of a zone that is not longer than `most`. */
  longestIn(zone: number, most: number): number {
    const from = this.plan.zoneStarts[zone] ?? 0;
    const to = this.plan.zoneStarts[zone + 1] ?? 0;
    let longest = most;
    while (longest > 0 && this.next(from, to, longest, false) < 0) longest--;
    return longest;
  }

  with(changes: Iterable<SeatChange>): FreeSeats {
    const changed = new Map<number, Uint8Array>();
    for (const [ordinal, standing] of changes) {
      const run = this.plan.runOf[ordinal];
      assert(run !== undefined, 'there is such a seat');
      const place = ordinal - this.plan.run(run).first;
      const known = changed.get(run) ?? this.run(run).standings;
      if (known[place] === standing) continue;
      const standings = changed.get(run) ?? known.slice();
      standings[place] = standing;
      changed.set(run, standings);
    }
    if (changed.size === 0) return this;
    let root = this.#root;
    const zones = [...this.#zones];
    for (const [number, standings] of changed) {
      const { zone, ring } = this.plan.run(number);
      const run = new RunSeats(standings, ring);
      const counts = { open: 0, pool: 0, orphans: 0, ...zones[zone] };
      addTo(counts, this.run(number), -1);
      addTo(counts, run, 1);
      zones[zone] = counts;
      root = replaced(root, this.#depth, this.plan.rankOf[number] ?? 0, run);
    }
    return new FreeSeats(this.plan, root, this.#depth, zones);
  }

  #find(
    node: Knot,
    level: number,
    base: number,
    from: number,
    to: number,
    size: number,
    tidy: boolean,
  ): number {
    const width = 1 << (BITS * (level - 1));
    const start = Math.max(0, Math.floor((from - base) / width));
    for (let index = start; index < node.parts.length; index++) {
      const first = base + index * width;
      if (first >= to) return -1;
      const part = node.parts[index] as Knot | RunSeats;
      if (!hasBlock(part, size, tidy)) continue;
      if (part instanceof RunSeats) return first;
      const found = this.#find(part, level - 1, first, from, to, size, tidy);
      if (found >= 0) return found;
    }
    return -1;
  }
}

type Collecting = Readonly<{
  from: number;
  to: number;
  size: number;
  tidy: boolean;
  found: number[];
}>;

function collect(node: Knot, width: number, base: number, wanted: Collecting): void {
  const { from, to, size, tidy, found } = wanted;
  for (let index = 0; index < node.parts.length; index++) {
    const first = base + index * width;
    const part = node.parts[index] as Knot | RunSeats;
    if (first >= to || first + width <= from || !hasBlock(part, size, tidy)) continue;
    if (part instanceof RunSeats) found.push(first);
    else collect(part, width / FAN, first, wanted);
  }
}

function replaced(node: Knot, level: number, rank: number, run: RunSeats): Knot {
  const index = (rank >> (BITS * (level - 1))) & (FAN - 1);
  const parts = node.parts.slice();
  parts[index] = level === 1 ? run : replaced(parts[index] as Knot, level - 1, rank, run);
  return new Knot(parts);
}

type Counts = { open: number; pool: number; orphans: number };

function addTo(counts: Counts, run: RunSeats, sign: 1 | -1): void {
  counts.open += sign * run.open;
  counts.pool += sign * run.pool;
  counts.orphans += sign * run.orphans;
}
