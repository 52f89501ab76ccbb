/**
 * Dashboard: one sale as it goes and as it went: how full it is, how fast it sells, how far people
 * come, what is refused; and the whole of it again on the map, step by step. It adds what the
 * stream says to what the API has counted; it changes nothing. Charts are fetched by this room
 * alone.
 */
export { default as DashboardPage } from './dashboard-page.svelte';
export { default as ReplayPage } from './replay-page.svelte';
