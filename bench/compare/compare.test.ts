import { describe, expect, it } from 'vitest';
import { type Figure, figureOf, type Naming } from '#measure';
import type { BenchRecord } from '#record';
import { changeOf, compareRecords, linesOf } from './compare.ts';

const RATE = { suite: 'holds', name: 'holds', unit: '/s' };

function figure(values: readonly number[], differently: Partial<Naming> = {}): Figure {
  return figureOf(values, { ...RATE, ...differently });
}

function record(figures: readonly Figure[], cpu = 'one', quick = false): BenchRecord {
  const machine = { cpu, cores: 2, memory_GB: 8, os: 'Debian' };
  const header = { date: '2026-11-16', commit: 'abc', quick, suites: [], seconds: 1 };
  return { format: 1, header: { ...header, machine, versions: { node: '24' } }, figures };
}

describe('two figures', () => {
  it('are the same while their runs overlap, however far their middles are apart', () => {
    expect(changeOf(figure([90, 100, 160]), figure([150, 190, 200])).verdict).toBe('same');
  });

  it('differ when every run of one is beyond every run of the other', () => {
    expect(changeOf(figure([90, 100, 110]), figure([111, 120, 130])).verdict).toBe('better');
    expect(changeOf(figure([90, 100, 110]), figure([70, 80, 89])).verdict).toBe('worse');
  });

  it('are better when they are less, where less is better', () => {
    const time = { unit: 'ms' };
    expect(changeOf(figure([9, 10], time), figure([5, 6], time)).verdict).toBe('better');
    const promised = { unit: '', target: { below: 1 } };
    expect(changeOf(figure([3, 4], promised), figure([7, 8], promised)).verdict).toBe('worse');
  });

  it('have changed where nobody has said which way is better, as with a reference', () => {
    const reference = { reference: true } as const;
    expect(changeOf(figure([1, 2], reference), figure([5, 6], reference)).verdict).toBe('changed');
  });

  it('of a single run each differ by more than a fifth, or not at all', () => {
    expect(changeOf(figure([100]), figure([130])).verdict).toBe('same');
    expect(changeOf(figure([100]), figure([200])).verdict).toBe('better');
  });

  it('that were not measured are no news', () => {
    expect(changeOf(figure([Number.NaN]), figure([100])).verdict).toBe('same');
  });
});

describe('two records', () => {
  it('list what changed, what is gone and what is new, and count the rest', () => {
    const one = record([figure([1, 2]), figure([5, 6], { name: 'gone' })]);
    const other = record([figure([8, 9]), figure([5, 6], { name: 'new' })]);
    const lines = linesOf(compareRecords(one, other));
    expect(lines[0]).toMatch(/^\+ holds: holds +1 → 8 \/s +× 8\.00$/);
    expect(lines).toContain('only in the first: holds: gone');
    expect(lines).toContain('only in the second: holds: new');
    expect(lines.at(-1)).toBe('1 better, 0 worse, 0 changed beyond the spread; 0 within it.');
  });

  it('show what stayed the same only when they are asked to', () => {
    const same = compareRecords(record([figure([1, 2])]), record([figure([1, 2])]));
    expect(linesOf(same)).toHaveLength(1);
    expect(linesOf(same, true)).toHaveLength(2);
  });

  it('say when a promise is broken or kept since then', () => {
    const target = { above: 5 };
    const low = record([figure([1, 2], { target })]);
    const high = record([figure([8, 9], { target })]);
    expect(linesOf(compareRecords(low, high))[0]).toContain('now met');
    expect(linesOf(compareRecords(high, low))[0]).toContain('now MISSED');
  });

  it('warn of another machine and of quick runs', () => {
    const { warnings } = compareRecords(record([]), record([], 'two', true));
    expect(warnings).toEqual([
      'another machine: cpu one and two',
      'one of them was quick and the other was not',
    ]);
    expect(compareRecords(record([]), record([])).warnings).toEqual([]);
  });
});
