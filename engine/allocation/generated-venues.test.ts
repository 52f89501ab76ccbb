import { beforeAll, describe, expect, it } from 'vitest';
import { generateLayout } from '#generator';
import { seededRandom, uuidOf } from '#kit';
import { normaliseLayout } from '#layouts';
import { DEFAULT_POLICY } from '#policies';
import { FreeSeats, type SeatChange } from './free-seats.ts';
import { judgeSelection } from './judge-selection.ts';
import { seatingColumns } from './layout-columns.ts';
import { bestAvailable } from './offers.ts';
import { strandedBy } from './orphans.ts';
import { STANDING } from './run-seats.ts';
import { eachBlock, focalCost } from './seat-blocks.ts';
import { SeatingPlan } from './seating-plan.ts';
import type { SeatingView } from './seating-view.ts';
import { aWish } from './test-venues.ts';

function planOf(preset: string): SeatingPlan {
  const drawn = generateLayout({ preset, ...(preset === 'arena' ? { seats: 5_000 } : {}) });
  if (drawn.kind !== 'generated') throw new Error('a preset can be drawn');
  let ids = 0;
  const newId = () => uuidOf(preset, String(ids++));
  return new SeatingPlan(seatingColumns(normaliseLayout(drawn.config, { previous: [], newId })));
}

function viewOf(plan: SeatingPlan, sold: number): SeatingView {
  const random = seededRandom(sold);
  const free = FreeSeats.of(plan, (seat) => {
    if (random.next() * 100 < sold) return STANDING.gone;
    const special = plan.isSpace(seat) || plan.spaceOf(seat) !== undefined;
    return special ? STANDING.protected : STANDING.pool;
  });
  const zone = { has_seats: true, open: true, price_cents: 1_000, room: 0, name: '' };
  return { free, zones: plan.spaces.map(() => zone), policy: DEFAULT_POLICY };
}

/** The best block of all zones by looking at every seat. */
function slowly({ free }: SeatingView, size: number, tidy: boolean): number {
  let best = Number.POSITIVE_INFINITY;
  free.plan.runs.forEach((_, run) => {
    eachBlock(free, run, { size, tidy }, focalCost(free.plan), ({ cost }) => {
      best = Math.min(best, cost / 100 / size);
    });
  });
  return best;
}

describe.each(['theatre', 'arena', 'gala'])('a generated %s', (preset) => {
  let plan: SeatingPlan;
  beforeAll(() => {
    plan = planOf(preset);
  });

  it.each([0, 50, 90, 99])('at %i %% sold: the best is found, and found again', (sold) => {
    let view = viewOf(plan, sold);
    for (let buyer = 0; buyer < 30; buyer++) {
      const size = 1 + (buyer % 6);
      const offer = bestAvailable(view, aWish(size));
      expect(bestAvailable(view, aWish(size))).toEqual(offer);
      const best = slowly(view, size, true);
      if (offer.kind !== 'seats') {
        expect(slowly(view, size, false)).toBe(Number.POSITIVE_INFINITY);
        continue;
      }
      expect(offer.seats.every((seat) => view.free.standingOf(seat) === STANDING.pool)).toBe(true);
      if (best < Number.POSITIVE_INFINITY) {
        expect(offer).toMatchObject({ adjacent: true, orphans: [] });
        expect(offer.score.parts.distance).toBeCloseTo(best, 6);
      }
      const gone = offer.seats.map((seat): SeatChange => [seat, STANDING.gone]);
      view = { ...view, free: view.free.with(gone) };
    }
  });

  it('refuses picks only with a way out', () => {
    const view = viewOf(plan, 60);
    const random = seededRandom(5);
    for (let buyer = 0; buyer < 60; buyer++) {
      const first = Math.floor(random.next() * (plan.seatCount - 1));
      const seats = [first, first + 1];
      if (seats.some((seat) => view.free.standingOf(seat) !== STANDING.pool)) continue;
      const judged = judgeSelection(view, { seats, held: [], allow_orphan: false });
      if (judged.kind !== 'refused') continue;
      expect(judged.orphans).toEqual(strandedBy(view.free, seats));
      expect(judged.alternatives.length).toBeGreaterThan(0);
      for (const other of judged.alternatives) {
        expect(strandedBy(view.free, other)).toEqual([]);
        expect(other).toHaveLength(2);
      }
    }
  });
});
