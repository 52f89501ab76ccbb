/**
 * Allocation alone: what a search for seats costs in the largest hall, however full it is. It knows
 * the generator and the index over free seats, and neither boards nor services. `run` calls it.
 */
export { allocationSuite } from './allocation-suite.ts';
