import type { Block } from './blocks.ts';
import type { Point } from './drawing.ts';
import { bendsAround } from './outlines.ts';
import type { Spacing } from './spacing.ts';

/** Names of rows beside their ends, and tables with theirs in the middle. */
export type RowMarks = Readonly<{
  x: Float32Array;
  y: Float32Array;
  text: readonly string[];
  tables: readonly Readonly<{ x: number; y: number; radius: number }>[];
}>;

type Seats = Readonly<{ x: Float32Array; y: Float32Array }>;

/** From the last seat to the name of its row, in seats. */
const BESIDE = 1.05;

export function rowMarksOf(
  blocks: readonly Block[],
  seats: Seats,
  rowName: (row: number) => string,
  spacingOfBlock: (block: Block) => Spacing,
): RowMarks {
  const marks: { x: number; y: number; text: string }[] = [];
  const tables: { x: number; y: number; radius: number }[] = [];
  for (const block of blocks) {
    const spacing = spacingOfBlock(block);
    for (const { first, count, row } of block.runs) {
      const at = (place: number) => pointOf(seats, first + place);
      const text = rowName(row);
      if (bendsAround(at(0), at(count - 1), count, spacing)) {
        const table = tableOf(pointsOf(seats, first, count), spacing.seat);
        tables.push(table);
        marks.push({ x: table.x, y: table.y, text });
      } else if (count > 1) {
        const away = BESIDE * spacing.seat;
        marks.push({ ...beyond(at(1), at(0), away), text });
        marks.push({ ...beyond(at(count - 2), at(count - 1), away), text });
      }
    }
  }
  return {
    x: Float32Array.from(marks, (mark) => mark.x),
    y: Float32Array.from(marks, (mark) => mark.y),
    text: marks.map((mark) => mark.text),
    tables,
  };
}

function pointOf({ x, y }: Seats, ordinal: number): Point {
  return { x: x[ordinal] as number, y: y[ordinal] as number };
}

function pointsOf(seats: Seats, first: number, count: number): Point[] {
  return Array.from({ length: count }, (_, place) => pointOf(seats, first + place));
}

function tableOf(points: readonly Point[], seat: number) {
  const x = points.reduce((sum, point) => sum + point.x, 0) / points.length;
  const y = points.reduce((sum, point) => sum + point.y, 0) / points.length;
  const away = Math.min(...points.map((point) => Math.hypot(point.x - x, point.y - y)));
  return { x, y, radius: Math.max(away - 0.65 * seat, 0.3 * seat) };
}

function beyond(from: Point, to: Point, away: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return {
    x: to.x + ((to.x - from.x) / length) * away,
    y: to.y + ((to.y - from.y) / length) * away,
  };
}
