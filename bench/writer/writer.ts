/**
 * The writer under load, without HTTP: buyers on one, two and three nodes of one event, beside the
 * plain way of doing it in the same run; a stampede on one seat; and the same load with parts of
 * the schema taken away. It knows the registry's door and node processes. Only `run` calls it.
 */
export type { Bench } from '#contest';
export { conflictSuite } from './conflict-suite.ts';
export { Fleet } from './fleet.ts';
export { schemaSuite } from './schema-suite.ts';
export { writerSuite } from './writer-suite.ts';
