import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { dependents, type ImportGraph } from './import-graph.ts';

/** Seconds of testing, summed over all workers, that fit into less than a minute on two cores. */
export const BUDGET_S = 60;
/** What a file takes that has never been timed here. */
const UNKNOWN_S = 4;

export type Picked = Readonly<{
  run: readonly string[];
  left: readonly string[];
  /** Changed files that no test depends on, as far as imports and paths in texts show. */
  untested: readonly string[];
}>;

/** What every test depends on, though none imports it. */
const EVERYTHING: ReadonlySet<string> = new Set([
  ...['vitest.config.ts', 'package.json', 'package-lock.json', 'tsconfig.json'],
  ...['testkit/services/global-setup.ts', 'testkit/leaks/leaks.ts', 'testkit/seeds/properties.ts'],
]);
/** Further away than anything that is imported. */
const FARTHEST = 1_000;

/** Files that differ from a revision or are gone, and those that git does not know yet. */
export function changedFiles(root: string, base: string): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  return [
    ...git('diff', '--name-only', '--no-renames', base),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
}

/**
 * The tests that a change touches, the nearest first: changed tests, those named like what changed,
 * those beside it, then by the number of imports between them; last, for what all rest on, all
 * others. What does not fit into the budget is left, and said; changed tests and the nearest are
 * always run.
 */
export function pickTests(
  graph: ImportGraph,
  changed: readonly string[],
  secondsOf: (file: string) => number | undefined,
  budget_s: number = BUDGET_S,
): Picked {
  const cost = (file: string) => secondsOf(file) ?? UNKNOWN_S;
  const touched = touchedTests(graph, changed);
  touched.sort((one, other) => one.distance - other.distance || cost(one.file) - cost(other.file));
  const run: string[] = [];
  const left: string[] = [];
  let spent_s = 0;
  for (const { file, distance } of touched) {
    const fits = distance === 0 || run.length === 0 || spent_s + cost(file) <= budget_s;
    if (fits) spent_s += cost(file);
    (fits ? run : left).push(file);
  }
  const untested = changed.filter((file) => touchedTests(graph, [file]).length === 0);
  return { run, left, untested };
}

function touchedTests(
  graph: ImportGraph,
  changed: readonly string[],
): { file: string; distance: number }[] {
  const folders = new Set(changed.map(dirname));
  const names = changed.map((file) => file.replace(/\.[a-z.]+$/, ''));
  const distances = dependents(graph, changed);
  const elsewhere = changed.some((file) => EVERYTHING.has(file)) ? FARTHEST : undefined;
  const distanceOf = (file: string) => {
    if (distances.get(file) === 0) return 0;
    if (names.some((name) => file.startsWith(name))) return 0.5;
    return folders.has(dirname(file)) ? 1 : (distances.get(file) ?? elsewhere);
  };
  const tests = [...graph.keys()].filter((file) => file.endsWith('.test.ts'));
  return tests.flatMap((file) => {
    const distance = distanceOf(file);
    return distance === undefined ? [] : [{ file, distance }];
  });
}

/** Green does not mean that these are right. */
export function sentenceAbout(untested: readonly string[]): string {
  const lines = untested.map((file) => `  ${file}`);
  return ['No test is known that covers these files; npm test runs all:', ...lines].join('\n');
}
