import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Figure, figureOf, type Naming } from '#measure';
import type { BenchRecord } from '#record';
import { roundUp } from './drawing.ts';
import { pageOf, plotsOf, savePictures } from './report.ts';

const FIGURES: Figure[] = [
  rate([4_000, 5_000, 6_000], 'this server'),
  rate([1_000], 'the plain way', { reference: true }),
  rate([7], 'ours <b>to</b> theirs', { unit: 'x', target: { above: 6 }, goal: { above: 8 } }),
  rate([0.7], 'ours to one statement', { unit: 'x', target: { above: 1.2 } }),
  ...[1_000, 100_000, 10_000].map((at) =>
    rate([at / 10], `${at} seats`, { suite: 'growth', point: { along: 'seats, holds', at } }),
  ),
];

function rate(values: readonly number[], name: string, differently: Partial<Naming> = {}): Figure {
  return figureOf(values, { suite: 'holds', name, unit: '/s', ...differently });
}

function recordWith(figures: readonly Figure[]): BenchRecord {
  const machine = { cpu: 'A processor', cores: 2, memory_GB: 8, os: 'Debian' };
  const run = { date: '2026-11-16', commit: 'abc123', quick: false, suites: ['holds'] };
  const versions = { node: '24.21.0', postgres: '18.4' };
  return { format: 1, header: { ...run, seconds: 600, machine, versions }, figures };
}

describe('the page', () => {
  const page = pageOf(recordWith(FIGURES));

  it('says what was measured, where, and which promises are kept', () => {
    for (const text of ['abc123', 'A processor, 2 cores', 'postgres 18.4', '10 minutes']) {
      expect(page).toContain(text);
    }
    expect(page).toContain('1 of 2 targets are met.');
    expect(page).toContain('&gt; 6 met</span>, goal &gt; 8');
    expect(page).toContain('&gt; 1.2 MISSED');
    expect(page).toContain('4,000 … 6,000');
  });

  it('asks nobody for anything, and runs nothing', () => {
    expect(page).not.toMatch(/<script|<link|\ssrc=|url\(|@import/);
    expect(page.match(/https?:\/\/[^"]+/g)?.filter((url) => !url.includes('w3.org'))).toEqual([]);
  });

  it('takes names for names', () => {
    expect(page).not.toContain('<b>to</b>');
    expect(page).toContain('ours &lt;b&gt;to&lt;/b&gt; theirs');
  });
});

describe('plots', () => {
  const plots = plotsOf(FIGURES);
  const named = (name: string) => plots.find((plot) => plot.name === name)?.svg ?? '';
  const numbers = (svg: string, pattern: RegExp) =>
    [...svg.matchAll(pattern)].map(([, value]) => Number(value));

  it('are one for each unit of a suite, and one for each line', () => {
    expect(plots.map(({ name }) => name)).toEqual([
      'holds-per-second',
      'holds-times-the-other',
      'growth-along-seats-holds',
    ]);
  });

  it('have bars as long as their figures are', () => {
    const svg = named('holds-per-second');
    const [ours = 0, theirs = 0] = numbers(svg, /<rect[^>]* width="([\d.]+)"/g);
    expect(ours / theirs).toBeCloseTo(5, 1);
    expect(svg.match(/class="own"/g)).toHaveLength(1);
    expect(svg.match(/class="other"/g)).toHaveLength(1);
    // A spread for what was run more than once, and for nothing else.
    expect(svg.match(/class="spread"/g)).toHaveLength(1);
  });

  it('mark what is promised, and what is missed', () => {
    const svg = named('holds-times-the-other');
    expect(svg.match(/class="target"/g)).toHaveLength(2);
    expect(svg.match(/ missed</g)).toHaveLength(1);
  });

  it('draw lines from the smallest to the largest, higher for more', () => {
    const svg = named('growth-along-seats-holds');
    const heights = numbers(svg, /<circle[^>]* cy="([\d.]+)"/g);
    expect(heights).toHaveLength(3);
    expect(heights).toEqual([...heights].sort((one, other) => other - one));
  });

  it('end at round numbers', () => {
    expect([0.03, 1, 1.1, 4_001, 0, Number.NaN].map(roundUp)).toEqual([0.05, 1, 2, 5_000, 1, 1]);
  });

  it('become pictures', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'voelgoed-plots-'));
    try {
      const [file = ''] = await savePictures(folder, plots.slice(0, 1));
      const bytes = await readFile(file);
      expect(bytes.subarray(1, 4).toString()).toBe('PNG');
      // Twice as many dots as the drawing is wide.
      expect(bytes.readUInt32BE(16)).toBe(1_920);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
