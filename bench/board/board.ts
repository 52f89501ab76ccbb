/**
 * The board alone: what a decision costs, what loading costs and how much memory a board keeps. It
 * knows boards and the store, and no other node. Only `run` calls it.
 */
export { decideSuite } from './decide-suite.ts';
export { loadSuite } from './load-suite.ts';
