import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@voelgoed/engine/kit';
import { describe, expect, it } from 'vitest';
import { figureOf } from '#measure';
import { parseRecord, readRecord, recordOf, versionOf, writeRecord } from './record.ts';

const FIGURE = figureOf([3, 1, 2], { suite: 'holds', name: 'a hold', unit: 'ms' });

describe('a record', () => {
  it('says where and when, and is read as it was written', async () => {
    const clock = { ...systemClock, now: () => Date.UTC(2026, 10, 16) };
    const run = { quick: true, suites: ['holds'], seconds: 60, versions: { postgres: '18.4' } };
    const record = await recordOf(clock, { ...run, figures: [FIGURE] });
    expect(record.header).toMatchObject({ date: '2026-11-16T00:00:00.000Z', quick: true });
    expect(record.header.versions).toEqual({ node: process.versions.node, postgres: '18.4' });
    expect(record.header.machine.cores).toBeGreaterThan(0);
    const folder = await mkdtemp(join(tmpdir(), 'voelgoed-record-'));
    try {
      await writeRecord(join(folder, 'run.json'), record);
      expect(await readRecord(join(folder, 'run.json'))).toEqual(record);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('keeps what was not measured as not measured', () => {
    const odd = { ...FIGURE, median: Number.NaN };
    const header = { machine: {} };
    const text = JSON.stringify({ format: 1, header, figures: [odd] });
    expect(parseRecord(text, 'run.json').figures[0]?.median).toBeNaN();
  });

  it.each([
    ['{', /run\.json is not JSON/],
    ['null', /is no record/],
    ['[]', /is no record/],
    ['{"format":2,"header":{"machine":{}},"figures":[]}', /is no record/],
  ])('is not %s', (text, problem) => {
    expect(() => parseRecord(text, 'run.json')).toThrow(problem);
  });

  it('asks programs for their version, and takes no for an answer', async () => {
    expect(await versionOf(process.execPath)).toBe(process.versions.node);
    expect(await versionOf('there-is-no-such-program')).toBeNull();
  });
});
