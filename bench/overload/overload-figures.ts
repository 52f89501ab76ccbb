import { type Figure, figureOf, median } from '#measure';

const SUITE = 'overload';

/** One time of being overrun. */
export type Round = Readonly<{
  buyers: number;
  goodput: number;
  /** Holds per second of the node's own processor time. */
  per_cpu: number;
  offered: number;
  p99_ms: number;
  turnedAway: number;
  late: number;
  small: Readonly<{ done: number; p99_ms: number }>;
}>;

export type Outcome = Readonly<{
  /** With few connections that never pause. */
  best: Readonly<{ per_s: number; per_cpu: number }>;
  /** Goodput with just as many buyers as it can serve, before every round and after the last. */
  peaks: readonly number[];
  rounds: readonly Round[];
  /** Goodput before those who come at three times its best whatever they are told. */
  stubborn: number;
  recovery_s: number;
}>;

type Target = NonNullable<Figure['target']>;

export function figuresOf(how: string, outcome: Outcome, promised: boolean): Figure[] {
  const { best, peaks, rounds } = outcome;
  const all = (name: string, unit: string, values: readonly number[], target?: Target): Figure => {
    const told = promised && target ? { target } : {};
    return figureOf(values, { suite: SUITE, name: `${how}: ${name}`, unit, ...told });
  };
  const each = (name: string, unit: string, of: (round: Round) => number, target?: Target) =>
    all(name, unit, rounds.map(of), target);
  // What the machine gave in the same minute: it may give a third less in the next.
  const peakAround = (index: number) => ((peaks[index] ?? 0) + (peaks[index + 1] ?? 0)) / 2;
  const peakShare = rounds.map(({ goodput }, index) => (100 * goodput) / peakAround(index));
  const stubborn = (100 * outcome.stubborn) / median(peaks);
  return [
    all('best with 512 connections', '/s', [best.per_s]),
    all('peak with buyers who pause', '/s', peaks),
    each('buyers', '', ({ buyers }) => buyers),
    each('wishes that came', '/s', ({ offered }) => offered),
    each('goodput', '/s', ({ goodput }) => goodput),
    all('goodput, of its peak', '%', peakShare, { above: 80 }),
    each('holds per second of its processor, of its best', '%', ({ per_cpu }) => {
      return (100 * per_cpu) / best.per_cpu;
    }),
    each('turned away', '%', ({ turnedAway }) => 100 * turnedAway),
    each('answered later than 3 s', '', ({ late }) => late),
    each('p99 of all answers', 'ms', ({ p99_ms }) => p99_ms),
    all('goodput when nobody heeds Retry-After, of its peak', '%', [stubborn]),
    all('itself again after', 's', [outcome.recovery_s], { below: 10 }),
    each('a small neighbour: fulfilled', '%', ({ small }) => 100 * small.done, { above: 95 }),
    each('a small neighbour: p99', 'ms', ({ small }) => small.p99_ms),
  ];
}
