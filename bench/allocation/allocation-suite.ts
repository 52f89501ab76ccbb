import {
  type BestWish,
  bestAvailable,
  FreeSeats,
  judgeSelection,
  rankOffers,
  type SeatChange,
  SeatingPlan,
  type SeatingView,
  STANDING,
  seatingColumns,
} from '@voelgoed/engine/allocation';
import { generateLayout } from '@voelgoed/engine/generator';
import { type Random, seededRandom, systemClock, systemRandom, uuidv7 } from '@voelgoed/engine/kit';
import { normaliseLayout } from '@voelgoed/engine/layouts';
import { DEFAULT_POLICY } from '@voelgoed/engine/policies';
import { type Figure, figureOf, percentile } from '#measure';

const SUITE = 'allocation';
const SEATS = 100_000;
const MEDIAN = { below: 100 };
const P95 = { below: 2_000 };
const SOLD = [0, 50, 90, 99] as const;

/** Buyers one after the other, each on what the one before has left, as in a flush. */
export function allocationSuite(quick: boolean): Figure[] {
  const plan = stadiumPlan();
  const wishes = quick ? 400 : 2_000;
  const built = times(quick ? 3 : 7, () => FreeSeats.of(plan, () => STANDING.pool));
  const figures = [
    figureOf(built, { suite: SUITE, name: 'index of 100,000 seats, built', unit: 'µs' }),
    figureOf(updates(plan), { suite: SUITE, name: 'index, one seat changed', unit: 'µs' }),
  ];
  // Once for nothing, because code runs slowly until it is compiled.
  for (const sold of SOLD) {
    const view = viewOf(plan, sold);
    measure(view, pairIn, 300);
    measure(view, groupIn, 50);
    previews(view, 50);
    picks(view, 300);
  }
  for (const sold of SOLD) {
    const view = viewOf(plan, sold);
    const name = `${sold} % sold`;
    figures.push(...both(`a pair, ${name}`, measure(view, pairIn, wishes), { MEDIAN, P95 }));
    const group = measure(view, groupIn, wishes / 10);
    figures.push(...both(`a group of 10, ${name}`, group, { P95 }));
    figures.push(...both(`5 offers for a pair, ${name}`, previews(view, wishes / 10), {}));
    figures.push(...both(`a pick judged, ${name}`, picks(view, wishes / 4), { P95 }));
  }
  return figures;
}

type Target = Readonly<{ below: number }>;

function both(
  name: string,
  all: readonly number[],
  promised: { MEDIAN?: Target; P95?: Target },
): Figure[] {
  const sorted = [...all].sort((one, other) => one - other);
  const at = { suite: SUITE, unit: 'µs' };
  return [
    figureOf(sorted, { ...at, name, ...(promised.MEDIAN ? { target: promised.MEDIAN } : {}) }),
    figureOf([percentile(sorted, 95)], {
      ...at,
      name: `${name}, p95`,
      ...(promised.P95 ? { target: promised.P95 } : {}),
    }),
  ];
}

function stadiumPlan(): SeatingPlan {
  const drawn = generateLayout({ preset: 'arena', seats: SEATS });
  if (drawn.kind !== 'generated') throw new Error('the stadium can be drawn');
  const newId = () => uuidv7({ clock: systemClock, random: systemRandom });
  return new SeatingPlan(seatingColumns(normaliseLayout(drawn.config, { previous: [], newId })));
}

/** Seats are sold at random, which leaves more gaps than people do. */
function viewOf(plan: SeatingPlan, sold: number): SeatingView {
  const random = seededRandom(sold + 1);
  const free = FreeSeats.of(plan, (seat) => {
    if (random.next() * 100 < sold) return STANDING.gone;
    const special = plan.isSpace(seat) || plan.spaceOf(seat) !== undefined;
    return special ? STANDING.protected : STANDING.pool;
  });
  const zone = { has_seats: true, open: true, room: 0 };
  const zones = plan.spaces.map((_, number) => {
    return { ...zone, price_cents: 1_000 * number, name: `Tier ${number}` };
  });
  return { free, zones, policy: DEFAULT_POLICY };
}

function pairIn(rank: number): BestWish {
  return {
    quantity: 2,
    zones: [rank % 3],
    price_cents: null,
    categories: [],
    accessible: 0,
    strict: false,
    ga: false,
    beside: [],
  };
}

function groupIn(rank: number): BestWish {
  return { ...pairIn(rank), quantity: 10 };
}

function measure(view: SeatingView, wishOf: (rank: number) => BestWish, count: number): number[] {
  let { free } = view;
  return times(count, (rank) => {
    const offer = bestAvailable({ ...view, free }, wishOf(rank));
    if (offer.kind !== 'seats') return;
    free = free.with(offer.seats.map((seat): SeatChange => [seat, STANDING.gone]));
  });
}

function previews(view: SeatingView, count: number): number[] {
  return times(count, (rank) => rankOffers(view, pairIn(rank), 5));
}

function picks(view: SeatingView, count: number): number[] {
  const random = seededRandom(7);
  const pairs = Array.from({ length: count }, () => freePair(view, random));
  return times(count, (rank) => {
    judgeSelection(view, { seats: pairs[rank] ?? [], held: [], allow_orphan: false });
  });
}

/** Neighbours when there are some nearby, as people choose; else whatever is next. */
function freePair({ free }: SeatingView, random: Random): number[] {
  const { seatCount } = free.plan;
  const isFree = (seat: number) => free.standingOf(seat) === STANDING.pool;
  let seat = Math.floor(random.next() * seatCount);
  const next = () => {
    do seat = (seat + 1) % seatCount;
    while (!isFree(seat));
    return seat;
  };
  const first = next();
  return [first, next()];
}

function updates(plan: SeatingPlan): number[] {
  const random = seededRandom(3);
  let free = FreeSeats.of(plan, () => STANDING.pool);
  const change = () => {
    const seat = Math.floor(random.next() * plan.seatCount);
    free = free.with([[seat, free.isOpen(seat) ? STANDING.gone : STANDING.pool]]);
  };
  times(2_000, change);
  return times(2_000, change);
}

/** Microseconds that each run took. */
function times(count: number, work: (rank: number) => unknown): number[] {
  return Array.from({ length: count }, (_, rank) => {
    const started = process.hrtime.bigint();
    work(rank);
    return Number(process.hrtime.bigint() - started) / 1_000;
  });
}
