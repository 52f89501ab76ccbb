/**
 * Overload: three times as many wishes as a node can fulfil, with the gate and, as a control,
 * without it; what is left of its best, how soon it is itself again, and what a small neighbour
 * notices. All figures are ratios of one run, because the machine is somebody's.
 */
export { overloadSuite } from './overload-suite.ts';
