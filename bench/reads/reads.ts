/**
 * Looking without buying: what is left (whole, and unchanged since the last look), the event, its
 * numbers, one seat, the drawing; beside a route that does nothing. It knows a node as a process
 * with an address. Only `run` calls it.
 */
export { readsSuite } from './reads-suite.ts';
