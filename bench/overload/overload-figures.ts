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

export function figuresOf(how: string, outcome: Outcome, promised: boolean): Figure[] {
  const { best, peaks, rounds } = outcome;
  const all = (
    name: string,
    unit: string,
    values: readonly number[],
    target?: NonNullable<Figure['target']>,
  ): Figure => {
    const told = promised && target ? { target } : {};
    return figureOf(values, { suite: SUITE, name: `${how}: ${name}`, unit, ...told });
  };
  const each = (of: (round: Round, index: number) => number) => rounds.map(of);
  // What the machine gave in the same minute: it may give a third less in the next.
  const peakAround = (index: number) => ((peaks[index] ?? 0) + (peaks[index + 1] ?? 0)) / 2;
  const peakShare = each(({ goodput }, index) => (100 * goodput) / peakAround(index));
  const perCpu = each(({ per_cpu }) => (100 * per_cpu) / best.per_cpu);
  return [
    all('best with 512 connections', '/s', [best.per_s]),
    all('peak with buyers who pause', '/s', peaks),
    all('buyers', '', [median(each(({ buyers }) => buyers))]),
    all(
      'wishes that came',
      '/s',
      each(({ offered }) => offered),
    ),
    all(
      'goodput',
      '/s',
      each(({ goodput }) => goodput),
    ),
    all('goodput, of its peak', '%', peakShare, { above: 80 }),
    all('holds per second of its processor, of its best', '%', perCpu),
    all(
      'turned away',
      '%',
      each(({ turnedAway }) => 100 * turnedAway),
    ),
    all(
      'answered later than 3 s',
      '',
      each(({ late }) => late),
    ),
    all(
      'p99 of all answers',
      'ms',
      each(({ p99_ms }) => p99_ms),
    ),
    all('goodput when nobody heeds Retry-After, of its peak', '%', [
      (100 * outcome.stubborn) / median(peaks),
    ]),
    all('itself again after', 's', [outcome.recovery_s], { below: 10 }),
    all(
      'a small neighbour: fulfilled',
      '%',
      each(({ small }) => 100 * small.done),
      { above: 95 },
    ),
    all(
      'a small neighbour: p99',
      'ms',
      each(({ small }) => small.p99_ms),
    ),
  ];
}
