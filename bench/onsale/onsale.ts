/**
 * An on-sale over HTTP: of a hundred requests 70 look, 20 hold, 5 give back and 5 check out, beside
 * a route that does nothing. It knows a node as a process with an address. Only `run` calls it.
 */
export { onSaleSuite } from './onsale-suite.ts';
