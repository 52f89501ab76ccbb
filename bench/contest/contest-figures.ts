import { availableParallelism } from 'node:os';
import { type Figure, figureOf, median, type Naming, percentile, ratiosOf } from '#measure';
import type { Contestant, Results } from './run-contest.ts';
import type { Turn } from './take-turn.ts';

type Words = Readonly<{ suite: string; title: string; what: string }>;

/** Everything about everybody in one contest. */
export function figuresOf(
  { suite, title, what }: Words,
  contestants: readonly Pick<Contestant, 'name' | 'reference'>[],
  results: Results,
): Figure[] {
  const lines = (pick: (turn: Turn) => number, label: string, unit: string) =>
    contestants.map(({ name, reference }) => {
      const turns = results.get(name) ?? [];
      const note = unit === '/s' ? { note: sharesOf(turns) } : {};
      const about = { suite, name: `${title}, ${name}${label}`, unit, ...note };
      return figureOf(turns.map(pick), { ...about, ...(reference ? { reference } : {}) });
    });
  return [
    ...lines(({ per_s }) => per_s, `, ${what}`, '/s'),
    ...lines(({ p50_ms }) => p50_ms, ', half within', 'ms'),
    ...lines(({ p95_ms }) => p95_ms, ', 95 % within', 'ms'),
    ...lines(({ p99_ms }) => p99_ms, ', 99 % within', 'ms'),
    ...lines(({ server_us }) => server_us, ', server time', 'µs'),
    ...lines(({ postgres_us }) => postgres_us, ', Postgres time', 'µs'),
  ];
}

/** One to another, round by round. */
export function ratioOf(
  results: Results,
  [one, other]: readonly [string, string],
  naming: Omit<Naming, 'unit'>,
  pick: (turn: Turn) => number = ({ per_s }) => per_s,
): Figure {
  const [ours, theirs] = [one, other].map((name) => (results.get(name) ?? []).map(pick));
  return figureOf(ratiosOf(ours ?? [], theirs ?? []), { ...naming, unit: 'x' });
}

/** What the clients took of the whole machine: what a server could not have. */
export function loadShare(suite: string, all: readonly Results[]): Figure {
  const turns = all.flatMap((results) => [...results.values()].flat());
  const cores = availableParallelism();
  return figureOf(
    turns.map(({ load_cpus }) => (100 * load_cpus) / cores),
    { suite, name: `the load generator's share of the ${cores} cores`, unit: '%' },
  );
}

/** Answers that nobody expected, in all turns. */
export function strangeFigure(suite: string, all: readonly Results[]): Figure {
  const turns = all.flatMap((results) => [...results.values()].flat());
  const odd = turns.filter(({ strange }) => strange > 0);
  const note =
    odd.length === 0 ? {} : { note: JSON.stringify(odd.map(({ statuses }) => statuses)) };
  return figureOf([turns.reduce((sum, { strange }) => sum + strange, 0)], {
    suite,
    name: 'answers that nobody expected',
    unit: '',
    target: { below: 0.001 },
    ...note,
  });
}

/** A client that is at its limit hides how fast a server is. */
const AT_ITS_LIMIT = 0.93;

function sharesOf(turns: readonly Turn[]): string {
  const of = (pick: (turn: Turn) => number) => median(turns.map(pick));
  const server = `server ${of(({ server_cpus }) => server_cpus).toFixed(1)}`;
  const postgres = `Postgres ${of(({ postgres_cpus }) => postgres_cpus).toFixed(1)}`;
  const load = of(({ load_cpus }) => load_cpus);
  const limit = load > AT_ITS_LIMIT ? '; the clients are at their limit' : '';
  return `processors: ${server}, ${postgres}, clients ${load.toFixed(1)}${limit}`;
}

/** Of one kind of request in a play with several. */
export function stepFigures(
  suite: string,
  title: string,
  turns: readonly Turn[],
  percents: readonly number[] = [50, 95, 99],
): Figure[] {
  const names = [...new Set(turns.flatMap(({ steps }) => Object.keys(steps)))];
  return names.flatMap((step) =>
    percents.map((percent) =>
      figureOf(
        turns.map(({ steps }) => percentile(steps[step] ?? [], percent)),
        { suite, name: `${title}, ${step}, ${percent} % within`, unit: 'ms' },
      ),
    ),
  );
}
