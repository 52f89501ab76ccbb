/**
 * Pages: one component per address. Each opens its part of the shop, shows it while it loads, when
 * it is there, when it is empty and when it failed, and closes it when the visitor leaves.
 */
export { default as CheckoutPage } from './checkout-page.svelte';
export { default as ListPage } from './list-page.svelte';
export { default as NotFoundPage } from './not-found-page.svelte';
export { default as SaleBadge } from './sale-badge.svelte';
export { default as SaleClock } from './sale-clock.svelte';
export { default as TicketsPage } from './tickets-page.svelte';
