/**
 * Processes: where the parts are put together and where the environment is read. A node is
 * everything that serves; the entry points `start.ts` and `cli.ts` add services around it. Nothing
 * imports this room but tests.
 */
export { watchBugs } from './bugs.ts';
export { Ending } from './ending.ts';
export { type RunningNode, startNode } from './node.ts';
