import { DEFAULT_POLICY, SEAT_CATEGORIES, type SeatingPolicy } from '#policies';
import { FreeSeats } from './free-seats.ts';
import type { BestWish } from './offers.ts';
import { STANDING, type Standing } from './run-seats.ts';
import { SeatingPlan } from './seating-plan.ts';
import type { SeatingView, ZoneView } from './seating-view.ts';

/**
 * Venues for tests, drawn with letters. A row is a text: `.` a free seat, `x` a taken one, `W` a
 * free wheelchair space, `C` a free companion of the space to its left (`w`, `c`: both taken),
 * `r` a seat with a restricted view, `|` an aisle; `(....)` is a round table. Ordinals count seats
 * in reading order.
 */
export type Drawing = readonly (readonly string[])[];

const SEAT_STEP = 1_000;
const ROW_STEP = 1_500;

type Seat = {
  zone: number;
  row: number;
  run: number;
  x: number;
  y: number;
  letter: string;
  ring: boolean;
};

function readDrawing(zones: Drawing): { seats: Seat[]; rowNames: string[] } {
  const seats: Seat[] = [];
  const rowNames: string[] = [];
  let run = 0;
  zones.forEach((rows, zone) => {
    rows.forEach((drawn, index) => {
      const ring = drawn.startsWith('(');
      const text = drawn.replace(/[()]/g, '');
      const row = rowNames.length;
      rowNames.push(String.fromCharCode(65 + index));
      run++;
      [...text].forEach((letter, place) => {
        if (letter === '|') run++;
        const x = (place - (text.length - 1) / 2) * SEAT_STEP;
        if (letter !== '|') {
          seats.push({ zone, row, run, x, y: index * ROW_STEP, letter, ring });
        }
      });
    });
  });
  return { seats, rowNames };
}

const CATEGORIES: Readonly<Record<string, (typeof SEAT_CATEGORIES)[number]>> = {
  w: 'wheelchair',
  c: 'companion',
  r: 'restricted_view',
};

/** The best place of every zone is in front of the middle of its first row. */
export function aPlan(zones: Drawing): SeatingPlan {
  const { seats, rowNames } = readDrawing(zones);
  const categoryOf = ({ letter }: Seat) => CATEGORIES[letter.toLowerCase()] ?? 'standard';
  let space = -1;
  return new SeatingPlan({
    zones: Uint16Array.from(seats, ({ zone }) => zone),
    rows: Uint32Array.from(seats, ({ row }) => row),
    runs: Uint32Array.from(seats, ({ run }) => run),
    x: Int32Array.from(seats, ({ x }) => x),
    y: Int32Array.from(seats, ({ y }) => y),
    categories: Uint8Array.from(seats, (seat) => SEAT_CATEGORIES.indexOf(categoryOf(seat))),
    companionOf: Int32Array.from(seats, (seat, ordinal) => {
      if (categoryOf(seat) === 'wheelchair') space = ordinal;
      return categoryOf(seat) === 'companion' ? space : -1;
    }),
    rings: new Set(seats.flatMap(({ ring }, ordinal) => (ring ? ordinal : []))),
    rowNames: rowNames.map((row) => ({ section: null, row })),
    focalPoints: zones.map(() => ({ x: 0, y: -ROW_STEP })),
  });
}

export function freeSeats(zones: Drawing): FreeSeats {
  const { seats } = readDrawing(zones);
  return FreeSeats.of(aPlan(zones), (ordinal) => standingOfLetter(seats[ordinal]?.letter ?? 'x'));
}

function standingOfLetter(letter: string): Standing {
  if (letter === 'W' || letter === 'C') return STANDING.protected;
  return letter === '.' || letter === 'r' ? STANDING.pool : STANDING.gone;
}

type Changes = Readonly<{
  policy?: Partial<SeatingPolicy>;
  zones?: readonly Partial<ZoneView>[];
}>;

export function aView(drawing: Drawing, { policy = {}, zones = [] }: Changes = {}): SeatingView {
  const free = freeSeats(drawing);
  const count = Math.max(drawing.length, zones.length);
  return {
    free,
    policy: { ...DEFAULT_POLICY, ...policy },
    zones: Array.from({ length: count }, (_, zone) => ({
      has_seats: zone < drawing.length,
      open: true,
      price_cents: 1_000,
      room: 0,
      name: `Zone ${zone}`,
      ...zones[zone],
    })),
  };
}

export function aWish(quantity: number, wanted: Partial<BestWish> = {}): BestWish {
  return {
    quantity,
    zones: [],
    price_cents: null,
    categories: [],
    accessible: 0,
    strict: false,
    ga: false,
    beside: [],
    ...wanted,
  };
}
