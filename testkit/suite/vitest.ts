import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './run.ts';

type Report = { numPassedTests: number; numFailedTests: number; success: boolean };

/** All tests, or those whose path contains one of the filters. */
export async function runTests(
  filters: readonly string[],
  services: string,
): Promise<{ passed: number; failed: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'voelgoed-report-'));
  const report = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  try {
    const args = ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...filters];
    const { code } = await run(process.execPath, args, {
      show: true,
      env: { VOELGOED_TEST_SERVICES: services },
    });
    const text = await readFile(report, 'utf8').catch(() => null);
    if (text === null) return { passed: 0, failed: 1 };
    const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(text) as Report;
    // A file that fails outside its tests (a leak, a broken import) fails no test: it counts as
    // one.
    return { passed, failed: failed === 0 && code !== 0 ? 1 : failed };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
