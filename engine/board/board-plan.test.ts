import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '#kit';
import { Draft, decide } from './board.ts';
import { aBoard, aPlan, factsAt, hold, START_MS, seat, seatId } from './test-boards.ts';

const IDS = fc.uniqueArray(fc.uuid(), { maxLength: 60 });

describe('a plan', () => {
  it('finds every seat by its id, and every id by its seat', () => {
    fc.assert(
      fc.property(IDS, (ids) => {
        const plan = aPlan(Array(ids.length).fill(0), ids);
        expect(plan.seatCount).toBe(ids.length);
        expect(ids.map((id) => plan.ordinalOf(id))).toEqual(ids.map((_, ordinal) => ordinal));
        expect(ids.map((id) => plan.ordinalOf(id.toUpperCase()))).toEqual([...ids.keys()]);
        expect([...ids.keys()].map((ordinal) => plan.seatIdOf(ordinal))).toEqual(ids);
      }),
    );
  });

  it('knows no other ids', () => {
    fc.assert(
      fc.property(IDS, fc.uuid(), fc.string(), (ids, other, text) => {
        const plan = aPlan(Array(ids.length).fill(0), ids);
        if (!ids.includes(other)) expect(plan.ordinalOf(other)).toBeUndefined();
        expect(plan.ordinalOf(text)).toBeUndefined();
      }),
    );
  });

  it('knows an id in one spelling only', () => {
    const plan = aPlan([0]);
    const id = seatId(0);
    const others = [
      id.replaceAll('-', ''),
      `{${id}}`,
      `${id} `,
      id.slice(1),
      `${id}0`,
      '-'.repeat(36),
      '',
    ];
    expect(others.map((text) => plan.ordinalOf(text))).toEqual(others.map(() => undefined));
  });

  it('finds ids that all hash alike', () => {
    const ids = Array.from({ length: 64 }, (_, n) => {
      return `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
    });
    const plan = aPlan(Array(64).fill(0), ids);
    expect(ids.map((id) => plan.ordinalOf(id))).toEqual([...ids.keys()]);
    expect(plan.ordinalOf('ffffffff-0000-4000-8000-000000000000')).toBeUndefined();
  });

  it('keeps labels of any length apart', () => {
    const labels = fc.array(fc.oneof(fc.string(), fc.constantFrom('Ä–12', '𝄞 1', '')));
    fc.assert(
      fc.property(labels, (wanted) => {
        const ids = wanted.map((_, ordinal) => seatId(ordinal));
        const plan = aPlan(Array(wanted.length).fill(0), ids, wanted);
        expect(wanted.map((_, ordinal) => plan.labelOf(ordinal))).toEqual(wanted);
      }),
    );
  });

  it('says zone, run, number and row of a seat', () => {
    const plan = aPlan([...Array(12).keys()]);
    const about = [plan.zoneOf(11), plan.runOf(11), plan.numberOf(11)];
    expect(about).toEqual([11, 1, 2]);
    expect(plan.rowOf(11)).toEqual({ section: null, row: 'A' });
  });

  it('is small: a hundred thousand seats take a few megabytes', () => {
    const { bytes } = seededRandom(1);
    const ids = Array.from({ length: 100_000 }, () => {
      const tail = Buffer.from(bytes(6)).toString('hex');
      return `00000000-0000-7000-8000-${tail}`;
    });
    const plan = aPlan(Array(100_000).fill(0), ids);
    expect(plan.bytes).toBeLessThan(10_000_000);
    expect(plan.ordinalOf(ids[99_999] ?? '')).toBe(99_999);
  });
});

describe('a wish that names a seat twice', () => {
  it('is a wish for one seat, in whatever case', () => {
    const draft = new Draft(aBoard(), START_MS);
    const items = [seat(0), { seat_id: seatId(0).toUpperCase() }];
    const outcome = decide(draft, hold('ann', items), factsAt(START_MS), () => []);
    expect(outcome).toMatchObject({ kind: 'held', holds: [{ ordinal: 0 }] });
    expect(draft.countsOf(0).held).toBe(1);
  });
});
