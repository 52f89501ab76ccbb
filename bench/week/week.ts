/**
 * The week: single seats that a week of sales leaves in the demo theatre, with the orphan rule and
 * without it. It needs no services. Only `run` calls it.
 */
export { weekSuite } from './week-suite.ts';
