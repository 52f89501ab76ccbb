/**
 * What counting costs: processor time per hold of a node that counts everything, against one where
 * nobody counts, in turns on the same machine. It knows two nodes and a load.
 */
export { telemetrySuite } from './telemetry-suite.ts';
