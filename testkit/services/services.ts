/**
 * Services for tests: one real Postgres and one real Redis per test run, in a folder of their own,
 * and the migrated template that every test file's database is cloned from. Vitest starts them once
 * (`global-setup.ts`); tests reach them by `testServices()`.
 */
export { redisServer, type TestServices, testFolder, testServices } from './test-services.ts';
