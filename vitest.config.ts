import { LongestFirst } from '@voelgoed/testkit/order';
import { defineConfig } from 'vitest/config';

const ALL = '{client,web,engine,server,faults,ops,testkit,bench,tidy}/**/*.test.ts';

/**
 * Test files that need a process of their own: they measure its memory, fill it with a syntax tree
 * of every file, or watch all of its sockets. All others share a few, so that the product is loaded
 * once per worker and not once per file; measured on twelve files of routes: 65 instead of 109 s of
 * processor time.
 */
const ALONE: readonly string[] = [
  'bench/node/*.test.ts',
  'server/processes/memory.test.ts',
  'tidy/tidy.test.ts',
];

/**
 * Three nodes, Postgres and Redis under load need the whole machine: what is judged are times, too.
 * They come last, when nothing else runs; two rigs at once, because each waits most of its time.
 */
const WHOLE_MACHINE = 'testkit/scenarios/*-scenarios.test.ts';

export default defineConfig({
  test: {
    globalSetup: './testkit/services/global-setup.ts',
    setupFiles: ['./testkit/leaks/leaks.ts', './testkit/seeds/properties.ts'],
    pool: 'forks',
    maxWorkers: 4,
    // For two cores that other programs use too: what hangs is found, what is slow is not broken.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A test that only passes the second time is broken.
    retry: 0,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          isolate: false,
          include: [ALL],
          exclude: [...ALONE, WHOLE_MACHINE],
        },
      },
      { extends: true, test: { name: 'alone', include: [...ALONE] } },
      {
        extends: true,
        test: { name: 'last', include: [WHOLE_MACHINE], sequence: { groupOrder: 1 } },
      },
    ],
  },
});
