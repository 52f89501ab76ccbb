/**
 * Best available over HTTP: the engine chooses a pair and holds it, in halls that are empty and in
 * halls that are almost sold out, beside a pair that the buyer names. It knows a node as a process
 * with an address. Only `run` calls it.
 */
export { bestSuite } from './best-suite.ts';
