/**
 * Pretix: seating plans of pretix become configs of ours. This room knows the open format of those
 * plans, what in them has no words here, and tells in a report what it changed and left out. It
 * must not know how layouts are judged or stored, nor the shapes of the generator. The workshop
 * and tools call it.
 */
export { importPretix } from './import-pretix.ts';
export type { ImportReport } from './import-report.ts';
