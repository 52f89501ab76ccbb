import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{client,web,engine,server,faults,testkit,tidy}/**/*.test.ts'],
    globalSetup: './testkit/services/global-setup.ts',
    setupFiles: './testkit/leaks/leaks.ts',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // A test that only passes the second time is broken.
    retry: 0,
  },
});
