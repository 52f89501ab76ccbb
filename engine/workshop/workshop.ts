/**
 * The workshop: what a process keeps so that whole layouts never hold up its buyers: a thread that
 * judges, generates, imports and compares them, and a cache of the configs that cannot change any
 * more. It knows which tasks there are and what they answer. It must not know who asks and why, nor
 * write a layout. Workflows give it tasks; the process that starts makes one and closes it.
 */
export { LayoutCache } from './layout-cache.ts';
export type { LayoutRows, OpenedWish, ReadLayout } from './layout-tasks.ts';
export { Workshop } from './layout-workshop.ts';
