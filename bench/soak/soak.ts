/**
 * Soak: the mixture of an on-sale at a steady pace for as long as it is asked to, and what a node
 * is at the end against what it was at the beginning: memory, what keeps it alive, how late its
 * loop is, how soon it answers. It asks the node itself. Only `run` calls it.
 */
export { soakSuite } from './soak-suite.ts';
