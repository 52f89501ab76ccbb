/**
 * The suite: `npm test`. It makes sure that the tools are there, runs every check and every test
 * with progress, counts, and leaves nothing running. With arguments it only runs the tests they
 * name: `npm test -- engine/kit`; `--cluster` runs on a Redis Cluster instead of one server. The
 * last line is always `N passed, N failed`.
 */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@voelgoed/engine/kit';
import { startCluster } from '#redises';
import { leftovers, startTestServices } from '#services';
import { CHECKS, type Check } from './checks.ts';
import { run, seconds } from './run.ts';
import { installTools } from './tools.ts';
import { runTests } from './vitest.ts';

const CLUSTER = '--cluster';
let passed = 0;
let failed = 0;

function count(ok: boolean, label: string, started: number, output = ''): void {
  if (ok) passed++;
  else failed++;
  console.log(`${ok ? '✓' : '✗'} ${label} (${seconds(started)})`);
  if (!ok && output) console.log(output);
}

async function check({ label, file, args }: Check): Promise<void> {
  const started = systemClock.monotonic();
  const { code, output } = await run(process.execPath, [file, ...args]);
  count(code === 0, label, started, output);
}

async function main(args: readonly string[]): Promise<void> {
  const filters = args.filter((arg) => arg !== CLUSTER);
  const started = systemClock.monotonic();
  await installTools();
  if (filters.length === 0) for (const one of CHECKS) await check(one);
  const onCluster = args.includes(CLUSTER);
  const tests = await withServices(onCluster, (services) => runTests(filters, services));
  passed += tests.passed;
  failed += tests.failed;
  const left = await leftovers();
  count(left.length === 0, 'nothing is left running', started, left.join('\n'));
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

// An interrupted run is cleaned up and counted as failed; the one that works is told by `run`.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (failed === 0) failed++;
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
