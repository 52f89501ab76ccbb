/**
 * Nodes: how soon one is ready, what it keeps in memory, and what several of them do together, on
 * one event and each on its own. It knows nodes as processes with an address. `run` calls it, and
 * `growth` for its line along nodes.
 */
export { nodesSuite } from './nodes-suite.ts';
export { severalNodes, withNodes } from './several-nodes.ts';
