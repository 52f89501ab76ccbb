import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { run } from './run.ts';
import type { Times } from './times.ts';

type Report = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { name: string; startTime: number; endTime: number }[];
};

export type TestsDone = Readonly<{
  passed: number;
  failed: number;
  times: Times;
  survivors: readonly string[];
}>;

/** All tests, or those whose path contains one of the filters. */
export async function runTests(
  filters: readonly string[],
  environment: Record<string, string>,
): Promise<TestsDone> {
  const folder = await mkdtemp(join(tmpdir(), 'voelgoed-report-'));
  const report = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  try {
    const args = ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...filters];
    const { code, survivors } = await run(process.execPath, args, { show: true, env: environment });
    const text = await readFile(report, 'utf8').catch(() => null);
    if (text === null) return { passed: 0, failed: 1, times: {}, survivors };
    const {
      numPassedTests: passed,
      numFailedTests: failed,
      testResults,
    } = JSON.parse(text) as Report;
    const times = testResults.map(({ name, startTime, endTime }) => [
      relative(process.cwd(), name),
      (endTime - startTime) / 1_000,
    ]);
    // A file that fails outside its tests (a leak, a broken import) fails no test: it counts as
    // one.
    const failures = failed === 0 && code !== 0 ? 1 : failed;
    return { passed, failed: failures, times: Object.fromEntries(times) as Times, survivors };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
