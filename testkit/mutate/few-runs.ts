import fc, { type Parameters } from 'fast-check';

/**
 * The property testing library as mutation runs see it: fewer runs of each property, the same ones
 * each time, and none to make a counterexample smaller that nobody reads. A thousand mutants meet
 * every property that comes near them, and what the first runs do not notice the others rarely do.
 */
export * from 'fast-check';

const USUAL_RUNS = 100;
/** Of each property; the rest are for `npm test`. */
const MOST_RUNS = Number(process.env.MUTATE_RUNS ?? 12);

function assertFew(property: never, given: Parameters<unknown> = {}): unknown {
  const { numRuns = USUAL_RUNS } = given;
  const few = { ...given, numRuns: Math.min(numRuns, MOST_RUNS), endOnFailure: true };
  return fc.assert(property, few as never);
}

/** @public Instead of the library, see vitest.config.ts. */
export default { ...fc, assert: assertFew };
