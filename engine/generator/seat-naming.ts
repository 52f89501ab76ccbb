import type { Point } from '#geometry';
import type { SeatConfig } from '#layouts';
import type { SeatCategory } from '#policies';
import type { Numbering, RowNames } from './layout-spec.ts';

/** A row as it is drawn: blocks of seats from left to right with aisles between them. */
export type DrawnRow = Readonly<{
  section: string | null;
  row: string;
  blocks: readonly Point[][];
}>;

/** A, B … Z, AA, AB …: the way seats are lettered when 26 rows are not enough. */
export function rowName(names: RowNames, position: number): string {
  if (names === 'numbers') return String(position);
  let rest = position;
  let name = '';
  while (rest > 0) {
    rest--;
    name = String.fromCharCode(65 + (rest % 26)) + name;
    rest = Math.floor(rest / 26);
  }
  return name;
}

export function nameOfRow(
  spec: { row_names?: RowNames | null; first_row?: number | null },
  index: number,
): string {
  return rowName(spec.row_names ?? 'letters', (spec.first_row ?? 1) + index);
}

/** The numbers of a row's seats from left to right. */
export function seatNumbers(numbering: Numbering, count: number): number[] {
  const places = Array.from({ length: count }, (_, place) => place);
  if (numbering === 'right_to_left') return places.map((place) => count - place);
  if (numbering === 'odd') return places.map((place) => 2 * place + 1);
  if (numbering === 'left_to_right') return places.map((place) => place + 1);
  const left = Math.ceil(count / 2);
  return places.map((place) => (place < left ? 2 * (left - place) - 1 : 2 * (place - left + 1)));
}

/** What makes some seats of a row special, by place from the left. */
export type RowCategories = ReadonlyMap<number, SeatCategory>;

type Naming = Readonly<{ prefix: string; numbering: Numbering }>;

/** Turns a drawn row into seats of a config. */
export function nameSeats(
  drawn: DrawnRow,
  naming: Naming,
  categories: RowCategories,
): SeatConfig[] {
  const points = drawn.blocks.flat();
  const numbers = seatNumbers(naming.numbering, points.length);
  const ends = blockEnds(drawn.blocks);
  const before = drawn.section === null ? naming.prefix : `${naming.prefix}${drawn.section}-`;
  const label = (place: number) => `${before}${drawn.row}-${numbers[place]}`;
  return points.map((coordinates, place) => {
    const category = categories.get(place);
    return {
      label: label(place),
      ...(drawn.section === null ? {} : { section: drawn.section }),
      row: drawn.row,
      number: numbers[place] ?? 0,
      ...(category === undefined ? {} : { category }),
      ...(category === 'companion' ? { companion_of: label(place - 1) } : {}),
      coordinates,
      ...(ends.has(place) ? { gap_after: true } : {}),
    };
  });
}

/** The last place of every block but the last. */
function blockEnds(blocks: readonly Point[][]): Set<number> {
  const ends = new Set<number>();
  let place = -1;
  for (const block of blocks.slice(0, -1)) {
    place += block.length;
    ends.add(place);
  }
  return ends;
}
