/**
 * The suite: `npm test`. It makes sure that the tools are there, runs every check and every test
 * with progress, counts, says what took longest, and leaves nothing running. With arguments it
 * runs a part: `npm test -- engine/kit` the tests whose path contains that, `--changed` what the
 * uncommitted change touches (`--changed=main`: since that revision); `--cluster` runs on a Redis
 * Cluster instead of one server. The last line is always `N passed, N failed`.
 */
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock, systemRandom } from '@voelgoed/engine/kit';
import { startCluster } from '#redises';
import { leftovers, startTestServices } from '#services';
import { changedFiles, pickTests, sentenceAbout } from './changed.ts';
import { CHECKS, type Check, checksOf } from './checks.ts';
import { readImportGraph } from './import-graph.ts';
import { run, seconds } from './run.ts';
import { keepTimes, readTimes, timesTable } from './times.ts';
import { installTools } from './tools.ts';
import { runTests, type TestsDone } from './vitest.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
let passed = 0;
let failed = 0;
let isInterrupted = false;

type Part = Readonly<{
  checks: readonly (readonly Check[])[];
  /** None: all tests. Null: no test at all. */
  filters: readonly string[] | null;
  onCluster: boolean;
}>;

function count(ok: boolean, label: string, started: number, output = ''): void {
  if (ok) passed++;
  else failed++;
  console.log(`${ok ? '✓' : '✗'} ${label} (${seconds(started)})`);
  if (!ok && output) console.log(output);
}

async function check({ label, file, args }: Check): Promise<void> {
  const started = systemClock.monotonic();
  const { code, output } = await run(process.execPath, [file, ...args], { isPatient: true });
  count(code === 0, label, started, output);
}

async function checkInTurn(checks: readonly Check[]): Promise<void> {
  for (const one of checks) if (!isInterrupted) await check(one);
}

/** What the arguments ask for. */
async function partOf(args: readonly string[]): Promise<Part> {
  const flags = args.filter((arg) => arg.startsWith('--'));
  const filters = args.filter((arg) => !arg.startsWith('--'));
  const changed = flags.find((flag) => /^--changed(?:=.+)?$/.test(flag));
  const unknown = flags.find((flag) => flag !== '--cluster' && flag !== changed);
  if (unknown) throw new Error(`There is no ${unknown}; there are --changed and --cluster.`);
  if (changed && filters.length > 0) throw new Error('--changed chooses the tests itself.');
  const onCluster = flags.includes('--cluster');
  if (changed) return { ...(await partOfChange(changed.split('=')[1] ?? 'HEAD')), onCluster };
  return { checks: filters.length === 0 ? CHECKS : [], filters, onCluster };
}

async function partOfChange(base: string): Promise<Omit<Part, 'onCluster'>> {
  const changed = changedFiles(ROOT, base);
  const times = await readTimes(ROOT);
  const there = changed.filter((file) => existsSync(join(ROOT, file)));
  const gone = changed.filter((file) => !there.includes(file));
  const graph = readImportGraph(ROOT, gone);
  const { run, left, untested } = pickTests(graph, changed, (file) => times[file]);
  console.log(`${changed.length} files differ from ${base}: ${run.length} test files are run`);
  if (left.length > 0) {
    console.log(`${left.length} that depend on them from further away are not: npm test runs all`);
  }
  if (untested.length > 0) console.log(sentenceAbout(untested));
  return { checks: checksOf(there), filters: run.length > 0 ? run : null };
}

async function main(args: readonly string[]): Promise<void> {
  const started = systemClock.monotonic();
  const { checks, filters, onCluster } = await partOf(args);
  await installTools();
  const seed = process.env.SEED === 'random' ? Math.floor(systemRandom.next() * 2 ** 31) : null;
  if (seed !== null) console.log(`SEED=${seed} repeats the random choices of this run`);
  // Tests wait a good part of their time: the checks run meanwhile, and give way.
  const checking = Promise.all(checks.map(checkInTurn));
  const env = seed === null ? {} : { SEED: String(seed) };
  const left = filters === null ? [] : await test(filters, { onCluster, env });
  await checking;
  left.push(...(await leftovers()));
  count(left.length === 0, 'nothing is left running', started, left.join('\n'));
}

/** What is run after an interruption. */
const NOTHING: TestsDone = { passed: 0, failed: 0, times: {}, survivors: [] };

/** Runs tests and counts them; says which processes they have left behind. */
async function test(
  filters: readonly string[],
  { onCluster, env }: { onCluster: boolean; env: Record<string, string> },
): Promise<string[]> {
  const { times, survivors, ...counts } = await withServices(onCluster, async (services) =>
    isInterrupted ? NOTHING : runTests(filters, { ...env, VOELGOED_TEST_SERVICES: services }),
  );
  passed += counts.passed;
  failed += counts.failed;
  await keepTimes(ROOT, times);
  console.log(timesTable(times));
  // Interrupted, a test cannot clean up behind itself: what it had started was ended for it.
  return isInterrupted ? [] : [...survivors];
}

/** The services are ours, not the test runner's: it is gone at once when it is interrupted. */
async function withServices<Result>(
  onCluster: boolean,
  work: (services: string) => Promise<Result>,
): Promise<Result> {
  const { stop, ...services } = await startTestServices();
  const folderOf = () => mkdtemp(join(services.folder, 'cluster-'));
  const cluster = onCluster ? await startCluster(folderOf) : null;
  try {
    const redisUrl = cluster?.url ?? services.redisUrl;
    return await work(JSON.stringify({ ...services, redisUrl }));
  } finally {
    await cluster?.stop();
    await stop();
  }
}

// An interrupted run is cleaned up and counts as failed; `run` ends the program that works.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (!isInterrupted) failed++;
    isInterrupted = true;
  });
}

main(process.argv.slice(2))
  .catch((error: unknown) => {
    failed++;
    console.error(error instanceof Error ? error.message : error);
  })
  .finally(() => {
    console.log(`\n${passed} passed, ${failed} failed`);
    process.exit(failed > 0 ? 1 : 0);
  });
