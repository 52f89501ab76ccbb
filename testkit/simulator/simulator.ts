/**
 * The simulator: nodes with the real board, writer, feed and warm tier sell one event in a world
 * of which nothing is real: time, network, database, Redis and the machines themselves. A seed is a
 * schedule of commands and faults and repeats exactly; what came of it is judged against the
 * promises. It knows the engine by its doors and ports; nothing that ships knows the simulator.
 */
export { type RunSettings, runSchedule } from './run.ts';
export { FAULT_KINDS, type Mode, type Schedule, scheduleOf } from './schedule.ts';
export { modeOf, type SeedsFailure, type SeedsReport, simulateSeeds } from './seeds.ts';
export { kindOf, shrink } from './shrink.ts';
export { World } from './world.ts';
