import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkHistory, type Operation } from './history.ts';
import { aGoodHistory } from './planted.ts';
import { mutations, smallHistory, steps } from './small-histories.ts';

/** The checker takes so much off for reading two clocks. */
const CLOCK_ERROR_MS = 5;
const OFFSET_MS = 1_000_000;

/** One hold that was acknowledged, by small numbers. */
type Told = Readonly<{ seat: number; sent: number; took: number; lasts: number; gone: number }>;

const told: fc.Arbitrary<Told> = fc.record({
  seat: fc.integer({ min: 0, max: 1 }),
  sent: fc.integer({ min: 0, max: 12 }),
  took: fc.integer({ min: 0, max: 3 }),
  /** Its own end, and when its holder gave it back, if that is earlier. */
  lasts: fc.integer({ min: 0, max: 14 }),
  gone: fc.integer({ min: 0, max: 20 }),
});

function endOf({ sent, lasts, gone }: Told): number {
  return Math.min(sent + lasts, gone);
}

/** As somebody would who knows nothing about intervals: every moment each could have begun at. */
function isPossible(holds: readonly Told[]): boolean {
  const begun: number[] = [];
  const fits = (index: number, from: number): boolean => {
    const one = holds[index];
    const to = Math.max(from, endOf(one as Told));
    return begun.every((other, before) => {
      const earlier = holds[before] as Told;
      if (earlier.seat !== one?.seat) return true;
      const otherTo = Math.max(other, endOf(earlier));
      return to <= other || otherTo <= from || from === to || other === otherTo;
    });
  };
  const search = (index: number): boolean => {
    const one = holds[index];
    if (!one) return true;
    for (let from = one.sent; from <= one.sent + one.took; from++) {
      if (!fits(index, from)) continue;
      begun.push(from);
      if (search(index + 1)) return true;
      begun.pop();
    }
    return false;
  };
  return search(0);
}

function operationsOf(holds: readonly Told[]): Operation[] {
  return holds.flatMap((one, index) => {
    const { seat, sent, took, lasts, gone } = one;
    const common = { node: 'one', user: `user ${index}`, key: null, code: null, replayed: false };
    const until_ms = OFFSET_MS + sent + lasts + CLOCK_ERROR_MS;
    const hold_id = `hold ${index}`;
    const hold = { hold_id, seat_id: `seat ${seat}`, zone_id: null, quantity: 1, until_ms };
    return [
      {
        ...common,
        ...{ number: index * 2, wish: `wish ${index}`, outcome: 'done', revision: 1 },
        asked: { op: 'hold', items: [{ seat_id: `seat ${seat}` }] },
        ...{ invoked_ms: sent, returned_ms: sent + took, holds: [hold] },
      },
      {
        ...common,
        ...{ number: index * 2 + 1, wish: `gone ${index}`, outcome: 'unknown', revision: null },
        asked: { op: 'release', hold_ids: [hold_id] },
        ...{ invoked_ms: gone, returned_ms: null, holds: [] },
      },
    ] satisfies Operation[];
  });
}

describe('the checker of owners', () => {
  it('says the same as trying every possibility', () => {
    let impossible = 0;
    fc.assert(
      fc.property(fc.array(told, { minLength: 2, maxLength: 5 }), (holds) => {
        const { state } = aGoodHistory();
        const history = { operations: operationsOf(holds), state, boards: [] };
        const found = checkHistory({ ...history, wall_offset_ms: OFFSET_MS } as never);
        const owners = found.filter(({ message }) => message.includes('two owners'));
        const possible = isPossible(holds);
        if (!possible) impossible++;
        expect(owners.length === 0).toBe(possible);
      }),
      { numRuns: 3_000 },
    );
    // Both answers were given often enough to say something.
    expect(impossible).toBeGreaterThan(100);
  });
});

describe('the whole checker', () => {
  it('finds nothing in whatever a correct store did', () => {
    fc.assert(
      fc.property(steps, (given) => {
        expect(checkHistory(smallHistory(given))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it.each(Object.keys(mutations))('finds %s, wherever it happened', (name) => {
    const mutation = mutations[name];
    let applied = 0;
    fc.assert(
      fc.property(steps, fc.nat(), (given, where) => {
        const history = smallHistory(given);
        const invariant = mutation?.(history, where) ?? null;
        fc.pre(invariant !== null);
        applied++;
        const broken = checkHistory(history).map((one) => one.invariant);
        expect(broken).toContain(invariant);
      }),
      { numRuns: 100 },
    );
    expect(applied).toBeGreaterThanOrEqual(100);
  });
});
