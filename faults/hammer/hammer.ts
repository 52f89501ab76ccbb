/**
 * The hammer: node processes that do nothing but wish, as fast and as unfairly as many buyers do,
 * and write down what they were told. This room knows how to start such a process, how to make it
 * stop at a bad moment, and how its guards are taken away for control tests. What the history
 * means is judged by `#history`. Tests and the fault rig call it; the product may not.
 */
export { openDetour } from './detour.ts';
export type { Hammer } from './hammer-process.ts';
export type { Again, LoadOrder, NodeSettings } from './messages.ts';
export { machine_ms } from './recorder.ts';
export { Run, type Stage } from './run.ts';
