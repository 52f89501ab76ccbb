import { type Figure, figureOf, median } from '#measure';
import type { Result, System } from './turn.ts';

const SUITE = 'holds';
/** A bare prototype of this design had 10 times the plain way and twice the one statement. */
const TO_NAIVE = { above: 5 };
const TO_STATEMENT = { above: 1 };
const NAMES: Readonly<Record<System, string>> = {
  node: 'this server',
  naive: 'the plain way',
  statement: 'one statement',
};

type Results = Readonly<Partial<Record<System, readonly Result[]>>>;

/** Everything about one load, with what the systems are to each other. */
export function figuresOf(name: string, results: Results): Figure[] {
  const systems = (['node', 'naive', 'statement'] as const).filter((one) => results[one]);
  const lines = (of: keyof Result, label: string, unit: string) =>
    systems.map((system) => {
      const own = results[system] ?? [];
      const note = of === 'holds_per_s' ? sharesOf(own) : '';
      const values = own.map((result) => result[of]);
      return figureOf(values, {
        suite: SUITE,
        name: `${name}, ${NAMES[system]}${label}`,
        unit,
        note,
      });
    });
  return [
    ...lines('holds_per_s', '', '/s'),
    ...lines('p50_ms', ', half within', 'ms'),
    ...lines('p95_ms', ', 95 % within', 'ms'),
    ...lines('p99_ms', ', 99 % within', 'ms'),
    ...lines('server_us', ', server time', 'µs'),
    ...lines('postgres_us', ', Postgres time', 'µs'),
    ...ratio(name, results, 'naive', TO_NAIVE),
    ...ratio(name, results, 'statement', TO_STATEMENT),
  ];
}

function ratio(name: string, results: Results, other: System, target: { above: number }): Figure[] {
  const [ours, theirs] = [results.node ?? [], results[other] ?? []];
  if (theirs.length === 0) return [];
  const values = ours.map(
    ({ holds_per_s }, round) => holds_per_s / (theirs[round]?.holds_per_s ?? Number.NaN),
  );
  const words = `${name}, this server to ${NAMES[other]}`;
  return [figureOf(values, { suite: SUITE, name: words, unit: 'x', target })];
}

function sharesOf(results: readonly Result[]): string {
  const of = (pick: (result: Result) => number) => median(results.map(pick)).toFixed(1);
  const refused = results.reduce((sum, result) => sum + result.refused, 0);
  const server = `server ${of(({ server_cpus }) => server_cpus)}`;
  const postgres = `Postgres ${of(({ postgres_cpus }) => postgres_cpus)}`;
  const load = `clients ${of(({ load_cpus }) => load_cpus)}`;
  const shares = `processors: ${server}, ${postgres}, ${load}`;
  return refused === 0 ? shares : `${shares}; ${refused} NOT 201`;
}
