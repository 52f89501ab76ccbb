/**
 * Controls: every guard of the product with what it protects, where it lives and how a test turns
 * it off. `control` runs one story with the guard and without it, and fails unless the harm is seen
 * when it is off. It knows the guards by name; how a story goes and what counts as harm is the
 * tests'. Weakened parts are made here and in test files alone, so nothing that ships can reach
 * them.
 */
export { control, type Off } from './control.ts';
export { GUARDS, type Guard, type GuardName } from './guards.ts';
export { withTable } from './table.ts';
export { guardsNotFound, type WeakWays, weakPostgres } from './weak-postgres.ts';
