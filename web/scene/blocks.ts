import type { Point, Rect } from './drawing.ts';
import { outlineOf } from './outlines.ts';
import { boundsOf, type Polygon } from './polygons.ts';
import type { Run } from './runs.ts';
import type { SeatGrid } from './seat-grid.ts';
import type { Spacing } from './spacing.ts';

/** Seats that people see as one: a section, or a part of it between aisles. */
export type Block = Readonly<{
  index: number;
  zone: number;
  /** The section's name, where a zone has several. */
  name: string | null;
  seats: number;
  outline: Polygon;
  bounds: Rect;
  middle: Point;
  /** In the order of rows, each from one end to the other. */
  runs: readonly Run[];
}>;

type Seats = Readonly<{
  x: Float32Array;
  y: Float32Array;
  group: Uint32Array;
}>;

/** Rows this much further apart than usual still belong together. */
const TOGETHER = 1.3;
/** Points of a run at which neighbours are looked for. */
const PROBES = [0, 0.5, 1];

/** For every run the number of the block it belongs to, from 0 and without gaps. */
export function blocksOfRuns(
  seats: Seats,
  runs: readonly Run[],
  grid: SeatGrid,
  spacingOfSeat: (ordinal: number) => Spacing,
): { ofRun: Uint32Array; count: number } {
  const runOf = new Uint32Array(seats.x.length);
  runs.forEach(({ first, count }, run) => {
    runOf.fill(run, first, first + count);
  });
  const parents = Uint32Array.from(runs, (_, run) => run);
  const near = new Uint32Array(seats.x.length);
  runs.forEach(({ first, count, group }, run) => {
    const reach = TOGETHER * spacingOfSeat(first).row;
    for (const part of PROBES) {
      const ordinal = first + Math.round(part * (count - 1));
      const [x, y] = [seats.x[ordinal] as number, seats.y[ordinal] as number];
      const found = grid.within(x - reach, y - reach, x + reach, y + reach, near);
      for (let place = 0; place < found; place++) {
        const other = near[place] as number;
        if (seats.group[other] !== group) continue;
        const distance = Math.hypot((seats.x[other] as number) - x, (seats.y[other] as number) - y);
        if (distance <= reach) join(parents, run, runOf[other] as number);
      }
    }
  });
  return numbered(parents);
}

function join(parents: Uint32Array, one: number, other: number): void {
  const [a, b] = [rootOf(parents, one), rootOf(parents, other)];
  // The smaller root stays: blocks keep the order of their first seats.
  if (a !== b) parents[Math.max(a, b)] = Math.min(a, b);
}

function rootOf(parents: Uint32Array, run: number): number {
  let root = run;
  while (parents[root] !== root) {
    const next = parents[root] as number;
    parents[root] = parents[next] as number;
    root = next;
  }
  return root;
}

function numbered(parents: Uint32Array): { ofRun: Uint32Array; count: number } {
  const ofRun = new Uint32Array(parents.length);
  let count = 0;
  for (let run = 0; run < parents.length; run++) {
    const root = rootOf(parents, run);
    ofRun[run] = root === run ? count++ : (ofRun[root] as number);
  }
  return { ofRun, count };
}

export type BlockFacts = Readonly<{ index: number; zone: number; name: string | null }>;

export function blockOf(
  facts: BlockFacts,
  runs: readonly Run[],
  seats: Seats,
  spacing: Spacing,
): Block {
  const rows = rowsOf(runs).map((row) =>
    row.flatMap(({ first, count }) =>
      Array.from({ length: count }, (_, place) => ({
        x: seats.x[first + place] as number,
        y: seats.y[first + place] as number,
      })),
    ),
  );
  const outline = outlineOf(rows, spacing);
  const points = rows.flat();
  const sum = points.reduce((so, { x, y }) => ({ x: so.x + x, y: so.y + y }), { x: 0, y: 0 });
  return {
    ...facts,
    seats: points.length,
    outline,
    bounds: boundsOf(outline),
    middle: { x: sum.x / points.length, y: sum.y / points.length },
    runs,
  };
}

/** Runs of the same row lie one after the other. */
function rowsOf(runs: readonly Run[]): Run[][] {
  const rows: Run[][] = [];
  for (const run of runs) {
    const last = rows.at(-1);
    if (last?.[0]?.row === run.row) last.push(run);
    else rows.push([run]);
  }
  return rows;
}
