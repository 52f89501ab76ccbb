import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{client,web,engine,server,faults,ops,testkit,bench,tidy}/**/*.test.ts'],
    globalSetup: './testkit/services/global-setup.ts',
    setupFiles: './testkit/leaks/leaks.ts',
    pool: 'forks',
    maxWorkers: 3,
    // For two cores that others use too: what hangs is found, what is slow today is not broken.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A test that only passes the second time is broken.
    retry: 0,
  },
});
