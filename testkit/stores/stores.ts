/**
 * Stores: the truth in memory, for running the event writer through thousands of schedules. A
 * simulation owns time and chance, so that a seed repeats a run exactly; the store keeps one event
 * with the semantics the writer relies on (a lock with a timeout, reading under it, one guarded
 * write, answers that get lost); a simulated sale lets nodes sell it to clients that lose patience.
 * It knows the registry's ports and nothing of Postgres.
 */

export { paymentProblems } from './payment-problems.ts';
export { seedsFor } from './seeds.ts';
export { type Op, SimulatedSale } from './simulated-sale.ts';
