import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * How Stryker runs tests: without services, in one worker, in the copy of the tree in which it has
 * put the mutants. Which tests, it says itself.
 */

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const FEW_RUNS = fileOf('./few-runs.ts');

/** Examples are quick and say most; properties come when no example has noticed anything. */
class ExamplesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      readFileSync(moduleId, 'utf8').includes("'fast-check'") ? 1 : 0;
    return files.sort(
      (one, other) => rank(one) - rank(other) || (one.moduleId < other.moduleId ? -1 : 1),
    );
  }
}

export default defineConfig({
  plugins: [
    {
      name: 'few-runs',
      enforce: 'pre',
      resolveId: (source, importer) =>
        source === 'fast-check' && importer !== FEW_RUNS ? FEW_RUNS : null,
    },
  ],
  test: {
    include: ['engine/*/*.test.ts'],
    setupFiles: [fileOf('../seeds/properties.ts')],
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    sequence: { sequencer: ExamplesFirst },
  },
});
