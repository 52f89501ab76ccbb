/**
 * Growth: the same load on halls, programmes, sales and fleets of different sizes, to see whether
 * anything becomes slower that should not. Everything is a ratio to the smallest of its line. It
 * knows nodes as processes with an address. Only `run` calls it.
 */
export { growthSuite } from './growth-suite.ts';
