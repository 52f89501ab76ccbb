import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * How Stryker runs tests: without services, in one worker, in the copy of the tree in which it has
 * put the mutants. Which tests, it says itself.
 */

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const FEW_RUNS = fileOf('./few-runs.ts');

/** The tests of what is broken, by their name. */
const OWN = (process.env.MUTATE_FILES ?? 'none')
  .split(' ')
  .map((file) => `/${basename(file, '.ts')}.`);

/**
 * The file's own tests know most, then examples, which are quick; properties come when no example
 * has noticed anything, and last what draws large venues, or many.
 */
function rankOf({ moduleId }: TestSpecification): number {
  if (OWN.some((name) => moduleId.includes(name))) return 0;
  const text = readFileSync(moduleId, 'utf8');
  if (text.includes("'fast-check'")) return 2;
  return /beforeAll\(|seededRandom\(/.test(text) ? 3 : 1;
}

class ExamplesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.sort(
      (one, other) => rankOf(one) - rankOf(other) || (one.moduleId < other.moduleId ? -1 : 1),
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
