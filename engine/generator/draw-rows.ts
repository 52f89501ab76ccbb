import { type Point, placed } from '#geometry';
import { type CurvedRowsSpec, DRAWING, type StraightRowsSpec } from './layout-spec.ts';
import { type DrawnRow, nameOfRow } from './seat-naming.ts';

const HERE: Point = { x: 0, y: 0 };

/** Straight rows one behind the other; inner blocks stay in line, outer ones grow outwards. */
export function* drawStraightRows(spec: StraightRowsSpec): Generator<DrawnRow> {
  const pitch = spec.seat_pitch ?? DRAWING.seat_pitch;
  const aisle = spec.aisle_width ?? DRAWING.aisle_width;
  const starts = blockStarts(spec.blocks, pitch, aisle);
  for (let index = 0; index < spec.rows; index++) {
    const more = index * (spec.widen ?? 0);
    const y = index * (spec.row_pitch ?? DRAWING.row_pitch);
    const blocks = spec.blocks.map((count, block) => {
      const left = block === 0 ? more : 0;
      const right = block === spec.blocks.length - 1 ? more : 0;
      const start = (starts[block] ?? 0) - left * pitch;
      return Array.from({ length: count + left + right }, (_, place) =>
        placed({ x: start + place * pitch, y }, spec.origin ?? HERE, spec.rotation ?? 0),
      );
    });
    yield { section: null, row: nameOfRow(spec, index), blocks };
  }
}

/** Where each block's first seat stands when the front row is centred on 0. */
function blockStarts(blocks: readonly number[], pitch: number, aisle: number): number[] {
  const starts: number[] = [];
  let next = 0;
  for (const count of blocks) {
    starts.push(next);
    next += count * pitch + aisle;
  }
  const width = next - aisle - pitch;
  return starts.map((start) => start - width / 2);
}

/** Rows on circles around a centre, each filled with as many seats as fit between its aisles. */
export function* drawCurvedRows(spec: CurvedRowsSpec): Generator<DrawnRow> {
  for (let index = 0; index < spec.rows; index++) {
    const radius = spec.radius + index * (spec.row_pitch ?? DRAWING.row_pitch);
    yield { section: null, row: nameOfRow(spec, index), blocks: curvedBlocks(spec, radius) };
  }
}

function curvedBlocks(spec: CurvedRowsSpec, radius: number): Point[][] {
  const pitch = spec.seat_pitch ?? DRAWING.seat_pitch;
  const aisle = spec.aisle_width ?? DRAWING.aisle_width;
  const count = spec.blocks ?? 1;
  const length = (spec.arc / 180) * Math.PI * radius;
  const block_length = (length - (count - 1) * aisle) / count;
  const seats = Math.max(0, Math.floor(block_length / pitch));
  return Array.from({ length: count }, (_, block) => {
    const middle = block * (block_length + aisle) + block_length / 2 - length / 2;
    return Array.from({ length: seats }, (_, place) => {
      // Along the row from its middle; a growing angle turns to the right of the drawing.
      const angle = (middle + (place - (seats - 1) / 2) * pitch) / radius;
      const own = { x: radius * Math.sin(angle), y: radius * Math.cos(angle) };
      return placed(own, spec.centre ?? HERE, spec.rotation ?? 0);
    });
  });
}
