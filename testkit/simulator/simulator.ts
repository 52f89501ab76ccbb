/**
 * The simulator: nodes with the real board, writer, feed and warm tier sell one event in a world
 * of which nothing is real: time, network, database, Redis and the machines themselves. A seed is a
 * schedule of commands and faults and repeats exactly; what came of it is judged against the
 * promises. It knows the engine by its doors and ports; nothing that ships knows the simulator.
 */
export { runSchedule } from './run.ts';
export { type Mode, scheduleOf } from './schedule.ts';
export { modeOf, type SeedsFailure, type SeedsReport, simulateSeeds } from './seeds.ts';
export { shrink } from './shrink.ts';
