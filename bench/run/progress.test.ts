import { describe, expect, it } from 'vitest';
import { Progress, spoken } from './progress.ts';
import { expectedOf, refuseUnknown, SUITES, USUAL } from './suites.ts';

const SETTINGS = {
  ...{ quick: false, rounds: 1, only: undefined, profile: undefined },
  ...{ minutes: null, stranger: null, other: undefined },
};

function aRun() {
  let now_ms = 0;
  const lines: string[] = [];
  const suites = [
    { name: 'holds', seconds: 100 },
    { name: 'reads', seconds: 50 },
    { name: 'soak', seconds: 600 },
  ];
  const clock = { monotonic: () => now_ms };
  const progress = new Progress(clock, suites, (line) => lines.push(line));
  const pass = (seconds: number) => {
    now_ms += seconds * 1_000;
  };
  return { progress, lines, pass };
}

describe('progress', () => {
  it('says which suite runs, which of how many it is, and how long it will take', () => {
    const { progress, lines, pass } = aRun();
    progress.begin('holds');
    expect(lines).toEqual(['holds (1 of 3): about 2 min, all of it about 13 min']);
    pass(12);
    progress.step('round 2 of 5');
    expect(lines.at(-1)).toBe('  holds, 12 s: round 2 of 5');
  });

  it('learns from what has run how slow this machine is', () => {
    const { progress, lines, pass } = aRun();
    progress.begin('holds');
    pass(200);
    progress.end();
    progress.begin('reads');
    expect(lines.at(-1)).toBe('reads (2 of 3): about 2 min, all of it about 22 min');
  });

  it('speaks as people do', () => {
    expect([0, 1.4, 89, 91, 3_600].map(spoken)).toEqual(['1 s', '1 s', '89 s', '2 min', '60 min']);
  });
});

describe('suites', () => {
  it('are those that are known, and the one that changes the schema runs when it is named', () => {
    expect(SUITES).toContain('schema');
    expect(USUAL).not.toContain('schema');
    expect(() => refuseUnknown(['holds', 'hold'])).toThrow('there is no suite hold: ');
    expect(() => refuseUnknown(SUITES)).not.toThrow();
  });

  it('take less time when they are quick, and a soak as long as it is asked to', () => {
    const whole = expectedOf(SUITES, SETTINGS);
    const quick = expectedOf(SUITES, { ...SETTINGS, quick: true });
    expect(whole.filter(({ seconds }, index) => !(seconds > (quick[index]?.seconds ?? 0)))).toEqual(
      [],
    );
    expect(expectedOf(['soak'], { ...SETTINGS, minutes: 30 })[0]?.seconds).toBe(1_800);
  });
});
