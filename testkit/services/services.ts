/**
 * Services for tests: one real Postgres and one real Redis per test run, in a folder of their own,
 * and the migrated template that every test file's database is cloned from. The suite starts and
 * stops them, also when it is interrupted; tests reach them by `testServices()`.
 */
export {
  aTestFolder,
  leftovers,
  redisServer,
  searchPath,
  startTestServices,
  stopWhenInterrupted,
  type TestServices,
  testServices,
} from './test-services.ts';
