import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DueHeap } from './due-heap.ts';

/** A heap and, beside it, the plain list of what is alive. */
class Pair {
  readonly live = new Map<string, number>();
  readonly heap = new DueHeap(({ hold_id, until_ms }) => this.live.get(hold_id) === until_ms);

  put(hold_id: string, until_ms: number): void {
    this.live.set(hold_id, until_ms);
    this.heap.push({ hold_id, until_ms });
  }

  dueIds(now_ms: number): string[] {
    return [...this.live].filter(([, until_ms]) => until_ms <= now_ms).map(([id]) => id);
  }

  next(): number {
    return Math.min(...this.live.values());
  }
}

const STEP = fc.oneof(
  fc.record({ kind: fc.constant('make' as const), more_ms: fc.nat(50) }),
  fc.record({ kind: fc.constant('extend' as const), nth: fc.nat(), more_ms: fc.nat(50) }),
  fc.record({ kind: fc.constant('end' as const), nth: fc.nat() }),
  fc.record({ kind: fc.constant('look' as const), now_ms: fc.nat(120), most: fc.nat(8) }),
  fc.record({ kind: fc.constant('tidy' as const) }),
);

function look({ heap, ...pair }: Pair, all: string[], now_ms: number, most: number): void {
  const due = heap.due(now_ms, most);
  expect(new Set(due).size).toBe(due.length);
  expect(due).toHaveLength(Math.min(most, all.length));
  for (const id of due) expect(pair.live.get(id)).toBeLessThanOrEqual(now_ms);
}

describe('the due heap', () => {
  it('agrees with a list, whatever is made, extended and ended', () => {
    fc.assert(
      fc.property(fc.array(STEP, { maxLength: 200 }), (steps) => {
        const pair = new Pair();
        steps.forEach((step, index) => {
          const ids = [...pair.live.keys()];
          const id = 'nth' in step ? ids[step.nth % ids.length] : undefined;
          if (step.kind === 'make') pair.put(`hold ${index}`, step.more_ms);
          // As on the board: an extension that does not change the end is not pushed again.
          if (step.kind === 'extend' && id && step.more_ms > 0) {
            pair.put(id, (pair.live.get(id) ?? 0) + step.more_ms);
          }
          if (step.kind === 'end' && id) pair.live.delete(id);
          if (step.kind === 'look') look(pair, pair.dueIds(step.now_ms), step.now_ms, step.most);
          if (step.kind === 'tidy') pair.heap.tidy(pair.live.size);
          expect(pair.heap.next()).toBe(pair.next());
        });
        expect(pair.heap.due(1e9, 1e9).sort()).toEqual([...pair.live.keys()].sort());
      }),
      { numRuns: 200 },
    );
  });

  it('leaves what is due where it is', () => {
    const pair = new Pair();
    pair.put('one', 5);
    expect([pair.heap.due(5, 9), pair.heap.due(5, 9), pair.heap.due(4, 9)]).toEqual([
      ['one'],
      ['one'],
      [],
    ]);
  });

  it('clears old entries away before they are the majority', () => {
    const pair = new Pair();
    for (let round = 0; round < 2_000; round++) {
      pair.put('one', round + 1);
      pair.heap.tidy(1);
      expect(pair.heap.size).toBeLessThanOrEqual(66);
    }
    expect(pair.heap.next()).toBe(2_000);
  });

  it('has nothing due when nothing is held', () => {
    expect(new Pair().heap.next()).toBe(Number.POSITIVE_INFINITY);
    expect(new Pair().heap.due(1e15, 10)).toEqual([]);
  });
});
