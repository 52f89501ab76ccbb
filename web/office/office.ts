/**
 * Office: the box office of one event: the live map with who has which seat and why, finding,
 * choosing by click, list and lasso, and what is done with the chosen: hold, sell, block, release,
 * reseat, void, refund. It reaches the server through the desk's client; what a deed leads to is
 * the server's, and is heard from the stream like everybody else's.
 */
export { default as OfficePage } from './office-page.svelte';
