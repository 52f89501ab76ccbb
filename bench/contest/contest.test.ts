import { describe, expect, it } from 'vitest';
import type { PlayReport } from '#load';
import {
  figuresOf,
  loadShare,
  type Results,
  ratioOf,
  strangeFigure,
  type Turn,
} from './contest.ts';
import { turnOf } from './take-turn.ts';

const REPORT: PlayReport = {
  steps: {
    hold: { latencies_ms: [4, 2, 8, 6], strange: 1 },
    release: { latencies_ms: [1, 1], strange: 0 },
  },
  statuses: { 201: 3, 503: 1, 200: 2 },
  seconds: 2,
  cpu_seconds: 1,
};

function aTurn(differently: Partial<Turn> = {}): Turn {
  return { ...turnOf({ kind: 'turnover' }, REPORT, 3, 0.6), ...differently };
}

describe('a turn', () => {
  it('counts what the play is about and was done', () => {
    const turn = aTurn();
    expect(turn).toMatchObject({ per_s: 1.5, p50_ms: 4, p99_ms: 8, strange: 1 });
    expect(turn).toMatchObject({ server_cpus: 1.5, load_cpus: 0.5 });
    expect(turn.server_us).toBe(1e6);
    expect(turn.postgres_us).toBeCloseTo(2e5);
  });

  it('counts every request of a mixture', () => {
    expect(turnOf({ kind: 'on-sale' }, REPORT, 1, 0).per_s).toBe(2.5);
  });
});

describe('a contest', () => {
  const results: Results = new Map([
    ['ours', [aTurn({ per_s: 60 }), aTurn({ per_s: 30 })]],
    ['theirs', [aTurn({ per_s: 10, load_cpus: 1 }), aTurn({ per_s: 10, load_cpus: 1 })]],
  ]);
  const about = { suite: 'holds', title: '64 connections', what: 'holds' };

  it('is told as rates with everybody’s share of the processors, and as times', () => {
    const two = [{ name: 'ours' }, { name: 'theirs', reference: true as const }];
    const [ours, theirs, ...times] = figuresOf(about, two, results);
    expect(ours).toMatchObject({ name: '64 connections, ours, holds', least: 30, most: 60 });
    expect(ours?.note).toBe('processors: server 1.5, Postgres 0.3, clients 0.5');
    expect(theirs?.reference).toBe(true);
    expect(theirs?.note).toContain('the clients are at their limit');
    expect(times).toHaveLength(10);
  });

  it('is decided round by round', () => {
    const figure = ratioOf(results, ['ours', 'theirs'], { suite: 'holds', name: 'ours to theirs' });
    expect(figure).toMatchObject({ unit: 'x', least: 3, most: 6, runs: 2 });
  });

  it('tells the share of the load and every odd answer', () => {
    const share = loadShare('holds', [results]);
    expect(share.most / share.least).toBe(2);
    const strange = strangeFigure('holds', [results]);
    expect(strange.median).toBe(4);
    expect(strange.note).toContain('"503":1');
  });
});
