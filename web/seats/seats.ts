/**
 * Seats: the ways to choose: the map, the list that has every seat as well, the search for the best
 * ones, and places without numbers. They draw the open event and pass wishes on to its cart; what
 * a wish leads to is the shop's business.
 */
export { aislesOf } from './aisles.ts';
export { default as BestPanel } from './best-panel.svelte';
export { default as LegendBar } from './legend-bar.svelte';
export { default as MapPanel } from './map-panel.svelte';
export { default as OccupancyBar } from './occupancy-bar.svelte';
export { default as PlacesPanel } from './places-panel.svelte';
export { stepFrom } from './row-steps.ts';
export { default as SeatList } from './seat-list.svelte';
export { SeatView } from './seat-view.svelte.ts';
export { default as SignBar } from './sign-bar.svelte';
export { staffThemeFor, themeFor } from './tiers.ts';
