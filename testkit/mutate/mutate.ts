/**
 * Mutation testing: `npm run mutate -- engine/board`. Stryker breaks the rules of a folder in a
 * thousand small ways, one after the other, and the tests beside them have to notice. It knows
 * which rules there are and which tests are quick enough; it prints the score of each file and each
 * mutant that has survived, and ends with 1 when a folder is below its threshold.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { reasonOf } from '@voelgoed/engine/kit';
import { MISSED, percentOf, scoreOf, tableOf, type Verdict } from './score.ts';
import { asked } from './stryker-plugin.ts';
import { type Piece, piecesOf, testsOf, USUAL_RUNS } from './targets.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** Percent of the mutants of a folder. What is missing is argued in docs/proof.md. */
const THRESHOLD = 85;
/** Ignored by git: copies of the tree, deleted after each run, and what the last run has found. */
const FOLDER = '.data/mutate';
const COPIES = join(FOLDER, String(process.pid));
/** Everything else of the machine comes first. */
const LOWEST_PRIORITY = 19;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    workers: { type: 'string', default: '2' },
    // Only what has changed since the last run, and what it did not find.
    again: { type: 'boolean', default: false },
  },
});

const plugin = (path: string) => fileURLToPath(new URL(path, import.meta.url));

type Kept = { files: Record<string, { mutants: { status: string }[] }> };

/** What was not found before is tried again: a helper of the tests may have learnt to see it. */
async function forgetMissed(file: string, rules: readonly string[]): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return;
  const kept = JSON.parse(text) as Kept;
  for (const rule of rules) {
    const one = kept.files[rule];
    if (one) one.mutants = one.mutants.filter(({ status }) => !MISSED.includes(status));
  }
  await writeFile(file, JSON.stringify(kept));
}

/** One run of Stryker: the mutants of some files of one folder, and the tests of that folder. */
async function measure({ target, files }: Piece, workers: number): Promise<Verdict[]> {
  const tests = testsOf(ROOT, target, (file) => readFileSync(join(ROOT, file), 'utf8'));
  const incrementalFile = join(FOLDER, `${target.folder.replaceAll('/', '-')}.json`);
  await forgetMissed(incrementalFile, files);
  asked.clear();
  for (const file of files) asked.add(file);
  process.env.MUTATE_FILES = files.join(' ');
  process.env.MUTATE_RUNS = String(target.runs ?? USUAL_RUNS);
  const verdicts = await new Stryker({
    mutate: [...files],
    testFiles: tests,
    testRunner: 'vitest',
    plugins: [import.meta.resolve('@stryker-mutator/vitest-runner'), plugin('./stryker-plugin.ts')],
    vitest: { configFile: plugin('./vitest.config.ts'), related: false, pool: 'threads' },
    coverageAnalysis: 'perTest',
    // A table that is read once would be a run of all tests for each of its lines.
    ignoreStatic: true,
    ignorers: ['assertions'],
    // Codes and sentences are compared where they are answered; see docs/proof.md.
    mutator: { excludedMutations: ['StringLiteral'] },
    // Only the engine is copied: what tests take from other workspaces is not mutated.
    ignorePatterns: ['*', '!engine', '!engine/**', '!package.json', '!tsconfig.json'],
    tempDirName: COPIES,
    cleanTempDir: 'always',
    incremental: true,
    incrementalFile,
    force: !values.again,
    concurrency: workers,
    // A busy machine is no endless loop.
    timeoutMS: 15_000,
    timeoutFactor: 3,
    reporters: ['survivors'],
    logLevel: 'warn' as never,
    allowConsoleColors: false,
  }).runMutationTest();
  // Of files that were not asked for, too, what the last run has found is given back.
  return verdicts
    .map((one) => ({ ...one, fileName: relative(ROOT, one.fileName) }))
    .filter(({ fileName }) => files.includes(fileName));
}

async function main(): Promise<void> {
  const workers = Number(values.workers);
  if (!(Number.isInteger(workers) && workers >= 1 && workers <= 16)) {
    throw new Error('npm run mutate -- [--again] [--workers 1…16] [PATH…]');
  }
  setPriority(LOWEST_PRIORITY);
  process.chdir(ROOT);
  const below: string[] = [];
  for (const piece of piecesOf(ROOT, positionals)) {
    const { folder } = piece.target;
    const verdicts = await measure(piece, workers);
    console.log(['', ...tableOf(folder, verdicts), ''].join('\n'));
    if (percentOf(scoreOf(verdicts)) < THRESHOLD) below.push(folder);
  }
  if (below.length === 0) return;
  console.error(`Below ${THRESHOLD} %: ${below.join(', ')}`);
  process.exitCode = 1;
}

/** A mutant that never ends would outlive us. Linux only; elsewhere they are left to the user. */
function endWorkers(): void {
  const list = `/proc/${process.pid}/task/${process.pid}/children`;
  const pids = existsSync(list) ? readFileSync(list, 'utf8').split(' ').filter(Boolean) : [];
  for (const pid of pids) process.kill(Number(pid), 'SIGKILL');
}

// Also when it is interrupted: Stryker ends the process then.
process.on('exit', () => {
  endWorkers();
  rmSync(join(ROOT, COPIES), { recursive: true, force: true });
});

await main().catch((error: unknown) => {
  console.error(reasonOf(error));
  process.exitCode = 1;
});
process.exit();
