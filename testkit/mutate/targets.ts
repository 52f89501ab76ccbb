import { globSync } from 'node:fs';
import { join } from 'node:path';

/** Rules of one folder, and the folders whose tests have to notice when one is broken. */
export type Target = Readonly<{
  folder: string;
  /** Files of the folder, as patterns; what is no rule (statements, I/O) is not named. */
  rules: readonly string[];
  /** Folders with tests that need no Postgres, no Redis and no browser. */
  tests: readonly string[];
  /** How often each property of the tests is run; rules that search show less in one run. */
  runs?: number;
}>;

export const USUAL_RUNS = 12;

const ALL = ['*.ts'] as const;

/**
 * Everything that decides who gets which seat, and who may. What writes or reads (statements, the
 * registry's flushes, Redis, HTTP) is left to tests with real services, which are too slow to be
 * run a thousand times.
 */
export const TARGETS: readonly Target[] = [
  { folder: 'engine/board', rules: ALL, tests: ['engine/board'] },
  { folder: 'engine/allocation', rules: ALL, tests: ['engine/allocation'], runs: 50 },
  { folder: 'engine/checkouts', rules: ['checkout.ts'], tests: ['engine/board'] },
  { folder: 'engine/policies', rules: ALL, tests: ['engine/policies'] },
  {
    folder: 'engine/accounts',
    rules: ['member-rules.ts', 'roles.ts'],
    tests: ['engine/accounts'],
  },
  {
    folder: 'engine/events',
    rules: ['day-rules.ts', 'event-states.ts'],
    tests: ['engine/events'],
  },
  {
    folder: 'engine/tickets',
    rules: ['entry-rules.ts', 'ticket-code.ts', 'ticket-qr.ts'],
    tests: ['engine/tickets'],
  },
  { folder: 'engine/registry', rules: ['*-rules.ts'], tests: ['engine/registry'] },
  { folder: 'engine/webhooks', rules: ['*-rules.ts'], tests: ['engine/webhooks'] },
  { folder: 'engine/workflows', rules: ['*-rules.ts'], tests: ['engine/workflows'] },
];

const NO_RULE = /(?:\.test|\.sql)\.ts$|\/test-[^/]*$/;

export function rulesOf(root: string, { folder, rules }: Target): string[] {
  const found = rules.flatMap((pattern) => globSync(join(folder, pattern), { cwd: root }));
  return found.filter((file) => !NO_RULE.test(file)).sort();
}

/** What starts a service, or a program that does. */
const SERVICES = /@voelgoed\/testkit\/(?!controls|seeds|eventually)|#(?:services|database)\b/;

/** The tests of a target that need nothing but a processor. */
export function testsOf(
  root: string,
  { tests }: Target,
  textOf: (file: string) => string,
): string[] {
  const found = tests.flatMap((folder) => globSync(`${folder}/*.test.ts`, { cwd: root }));
  return found.filter((file) => !SERVICES.test(textOf(file))).sort();
}

/** What a command line asks for: whole folders, or files of one. */
export type Piece = Readonly<{ target: Target; files: readonly string[] }>;

/** Without paths everything, folder by folder; a path that names no rule is an error. */
export function piecesOf(root: string, paths: readonly string[]): Piece[] {
  const named = paths.map((path) => path.replace(/^\.\//, '').replace(/\/$/, ''));
  const pieces = TARGETS.map((target) => ({ target, files: rulesOf(root, target) }));
  const isIn = (path: string, file: string) => file === path || file.startsWith(`${path}/`);
  const unknown = named.find(
    (path) => !pieces.some(({ files }) => files.some((f) => isIn(path, f))),
  );
  if (unknown !== undefined) throw new Error(sentenceAbout(unknown));
  if (named.length === 0) return pieces;
  return pieces.flatMap(({ target, files }) => {
    const asked = files.filter((file) => named.some((path) => isIn(path, file)));
    return asked.length > 0 ? [{ target, files: asked }] : [];
  });
}

function sentenceAbout(path: string): string {
  const folders = TARGETS.map(({ folder }) => folder).join(', ');
  return `"${path}" has no rules that are mutated. There are rules in ${folders}.`;
}
