/**
 * Event: the page of one event, with its map, list, best seats and cart. It is fetched when a
 * visitor opens an event: nothing else in the shop draws a hall.
 */
export { default as EventPage } from './event-page.svelte';
