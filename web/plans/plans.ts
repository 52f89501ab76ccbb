/**
 * Plans: venues and their layouts: the list, one layout with its versions on the map, what differs
 * between two of them, and the ways to a new one: drawn from a few numbers, or from a file whose
 * problems are shown where they are. It knows configs and drawings; of events it knows nothing.
 */
export { default as DrawPage } from './draw-page.svelte';
export { everyLayout } from './every-layout.ts';
export { default as LayoutPage } from './layout-page.svelte';
export { slugOf } from './slug.ts';
export { default as VenuesPage } from './venues-page.svelte';
