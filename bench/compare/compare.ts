/**
 * Two records beside each other: what has become better or worse beyond what the runs of each have
 * differed among themselves. It knows figures and says nothing about why. `run` prints it.
 */
import { type Figure, isKept } from '#measure';
import type { BenchRecord } from '#record';

export type Change = Readonly<{
  one: Figure;
  other: Figure;
  /** Of the medians. */
  ratio: number;
  /** `same`: the runs of both overlap. `changed`: nobody has said which way is better. */
  verdict: 'same' | 'better' | 'worse' | 'changed';
}>;

export type Comparison = Readonly<{
  changes: readonly Change[];
  /** Names that only one of them has. */
  gone: readonly Figure[];
  added: readonly Figure[];
  /** Why rates and times of the two say little; ratios within one run are still comparable. */
  warnings: readonly string[];
}>;

/** One run has no spread of its own; on a shared machine a fifth is nothing. */
const ALONE = 0.2;
const MORE: readonly string[] = ['/s', 'x'];
const LESS: readonly string[] = ['ms', 's', 'µs', 'MB', 'kB', 'bytes'];

export function compareRecords(one: BenchRecord, other: BenchRecord): Comparison {
  const later = new Map(other.figures.map((figure) => [keyOf(figure), figure]));
  const known = new Set(one.figures.map(keyOf));
  const pairs = one.figures.flatMap((figure) => {
    const match = later.get(keyOf(figure));
    return match ? [changeOf(figure, match)] : [];
  });
  return {
    changes: pairs,
    gone: one.figures.filter((figure) => !later.has(keyOf(figure))),
    added: other.figures.filter((figure) => !known.has(keyOf(figure))),
    warnings: warningsOf(one, other),
  };
}

function keyOf({ suite, name, unit }: Figure): string {
  return `${suite}\n${name}\n${unit}`;
}

export function changeOf(one: Figure, other: Figure): Change {
  const ratio = other.median / one.median;
  return { one, other, ratio, verdict: verdictOf(one, other) };
}

function verdictOf(one: Figure, other: Figure): Change['verdict'] {
  const [low, high] = [reach(one), reach(other)];
  const overlap = low.least <= high.most && high.least <= low.most;
  // What was not measured overlaps with nothing, and is no news either.
  if (overlap || Number.isNaN(one.median) || Number.isNaN(other.median)) return 'same';
  const better = betterOf(other);
  if (better === null) return 'changed';
  return other.median > one.median === (better === 'more') ? 'better' : 'worse';
}

function reach({ median, least, most, runs }: Figure): { least: number; most: number } {
  if (runs > 1) return { least, most };
  return { least: median * (1 - ALONE), most: median * (1 + ALONE) };
}

/** What is promised says which way is better, else the unit does. */
function betterOf({ target, goal, unit, reference }: Figure): 'more' | 'less' | null {
  if (reference) return null;
  const wish = target ?? goal;
  if (wish) return 'above' in wish ? 'more' : 'less';
  if (MORE.includes(unit)) return 'more';
  return LESS.includes(unit) ? 'less' : null;
}

function warningsOf(one: BenchRecord, other: BenchRecord): string[] {
  const [first, second] = [one.header, other.header];
  const differing = (['cpu', 'cores', 'os'] as const).filter(
    (part) => first.machine[part] !== second.machine[part],
  );
  const versions = Object.keys({ ...first.versions, ...second.versions }).filter(
    (name) => first.versions[name] !== second.versions[name],
  );
  return [
    ...differing.map((part) => {
      return `another machine: ${part} ${first.machine[part]} and ${second.machine[part]}`;
    }),
    ...versions.map((name) => {
      const [before, after] = [first.versions[name], second.versions[name]];
      return `another version of ${name}: ${before ?? 'none'} and ${after ?? 'none'}`;
    }),
    ...(first.quick === second.quick ? [] : ['one of them was quick and the other was not']),
  ];
}

/** For people, line by line; `all`: also what has stayed the same. */
export function linesOf({ changes, gone, added, warnings }: Comparison, all = false): string[] {
  const marks = { same: ' ', better: '+', worse: '-', changed: '~' } as const;
  const shown = changes.filter(({ verdict }) => all || verdict !== 'same');
  const lines = shown.map(({ one, other, ratio, verdict }) => {
    const name = `${one.suite}: ${one.name}`.padEnd(86);
    const values = `${numberOf(one.median)} → ${numberOf(other.median)} ${one.unit}`;
    const missed = isKept(one) && !isKept(other) ? '  now MISSED' : '';
    const met = !isKept(one) && isKept(other) ? '  now met' : '';
    return `${marks[verdict]} ${name} ${values.padEnd(28)} × ${ratio.toFixed(2)}${missed}${met}`;
  });
  const count = (verdict: Change['verdict']) =>
    changes.filter((change) => change.verdict === verdict).length;
  const [better, worse, changed] = [count('better'), count('worse'), count('changed')];
  return [
    ...warnings.map((warning) => `! ${warning}: compare ratios only`),
    ...lines,
    ...gone.map(({ suite, name }) => `only in the first: ${suite}: ${name}`),
    ...added.map(({ suite, name }) => `only in the second: ${suite}: ${name}`),
    `${better} better, ${worse} worse, ${changed} changed beyond the spread; ` +
      `${count('same')} within it.`,
  ];
}

export function numberOf(value: number): string {
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
}
