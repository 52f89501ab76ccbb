/**
 * Seeds: where the randomness of tests begins. Every run begins at the same place, so that a red
 * run is red again. `SEED=N` begins elsewhere, for all tests of a run at once, fast-check's
 * properties included; `SEED=random` lets the suite choose, which prints its choice. New seeds are
 * for `npm run nightly` and `npm run simulate`; one that fails joins the tests as a regression.
 */
export { printedRandom, testSeed } from './test-seed.ts';
