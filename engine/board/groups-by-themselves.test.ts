import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Outcome } from './commands.ts';
import { refuseBroken } from './group-rules.ts';
import type { SeatGroup } from './seat-groups.ts';
import { aBoard, aZone, type BoardWish, hold, type Pairs } from './test-boards.ts';
import { ANN, as, start } from './test-checkouts.ts';
import { BEST } from './test-commands.ts';
import { Stage } from './test-stage.ts';

/** One row of ten whose first seat is the best, in pieces of groups. */
const aRow = (wish: BoardWish) =>
  new Stage(aBoard({ seats: Array(10).fill(0), zones: [aZone(0, { capacity: 10 })], ...wish }));
const ask = (stage: Stage, quantity: number, accessible = 0) =>
  stage.ask(hold(ANN, [], { best: { ...BEST, quantity, accessible } }));
const ordinalsOf = (outcome: Outcome) => as(outcome, 'held').holds.map(({ ordinal }) => ordinal);
const table = (...seats: number[]): SeatGroup => ({ kind: 'vip_table', seats });
const family = (...seats: number[]): SeatGroup => ({ kind: 'family_block', seats });

describe('where the best place takes a group apart', () => {
  it('a table by itself is offered, the best one first', () => {
    const groups = [table(5, 6, 7), table(2, 3, 4)];
    const sold = [8, 9];
    const stage = aRow({ groups, sold });
    expect(ordinalsOf(ask(stage, 3))).toEqual([2, 3, 4]);
    as(stage.ask(start()), 'checkout');
    expect(ordinalsOf(ask(aRow({ groups, sold: [...sold, 2] }), 3))).toEqual([5, 6, 7]);
  });

  it('a table is offered where two of them are side by side and so is the best place', () => {
    const stage = aRow({ groups: [table(0, 1), table(2, 3, 4, 5), table(6, 7, 8, 9)], sold: [2] });
    expect(ordinalsOf(ask(stage, 4))).toEqual([6, 7, 8, 9]);
  });

  it('a family block is searched by itself', () => {
    const stage = aRow({ groups: [family(3, 4, 5)], sold: [0, 1, 6, 7, 8, 9] });
    // Seat 2 would be alone beside 3 and 4.
    expect(ordinalsOf(ask(stage, 2))).toEqual([4, 5]);
    as(stage.ask(start()), 'checkout');
  });

  it('seats outside every group are offered when no group can be had', () => {
    const stage = aRow({ groups: [family(1), family(4)], sold: [0, 2, 3, 5, 6, 7] });
    expect(ordinalsOf(ask(stage, 2))).toEqual([8, 9]);
  });

  it('a wheelchair user gets what belongs together within the group', () => {
    const groups = [family(1, 2, 3, 4)];
    const stage = aRow({ groups, pairs: [[3, 8]], sold: [0, 1, 4, 5, 6, 7, 9] });
    expect(ordinalsOf(ask(stage, 2, 1))).toEqual([2, 3]);
  });
});

it('what the engine gives breaks no group, and it finds every table that is left', () => {
  const seats = fc.integer({ min: 1, max: 4 });
  const part = fc.record({ size: seats, kind: fc.constantFrom('vip_table', 'family_block', null) });
  const pairs: Pairs = [[4, 5]];
  let runs = 0;
  let whole = 0;
  let none = 0;
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 2, maxLength: 5 }),
      fc.uniqueArray(fc.nat(9), { maxLength: 6 }),
      seats,
      fc.boolean(),
      fc.boolean(),
      (parts, sold, quantity, wheelchair, spaces) => {
        runs++;
        let from = 0;
        const groups = parts.flatMap(({ size, kind }) => {
          const own = Array.from({ length: size }, (_, nth) => from + nth).filter(
            (one) => one < 10,
          );
          from += size;
          return kind && own.length > 0 ? [{ kind, seats: own }] : [];
        });
        const stage = aRow({ groups, sold, ...(spaces ? { pairs } : {}) });
        const outcome = ask(stage, quantity, spaces && wheelchair ? 1 : 0);
        if (outcome.kind === 'held') {
          const held = ordinalsOf(outcome);
          expect(refuseBroken(stage.board, ANN, held)).toBeNull();
          expect(stage.board.codeOf(held[0] ?? -1)).toBe(1);
          as(stage.ask(start()), 'checkout');
          if (groups.some((group) => group.seats.some((seat) => held.includes(seat)))) whole++;
          return;
        }
        none++;
        if (spaces) return;
        for (const group of groups) {
          const left = group.seats.filter((seat) => !sold.includes(seat)).length;
          if (group.kind === 'vip_table') expect(left).not.toBe(quantity);
          else expect(quantity >= 2 && left >= quantity).toBe(false);
        }
      },
    ),
    { numRuns: 600 },
  );
  expect(whole).toBeGreaterThan(runs / 12);
  expect(none).toBeGreaterThan(runs / 12);
});
