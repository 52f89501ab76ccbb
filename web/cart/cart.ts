/**
 * Cart: what the visitor holds, how long, and what stands between that and the checkout: the
 * companion's seat, a seat that would be left alone, places for friends, time that was over. It
 * draws the shop's cart.
 */
export { default as CartPanel } from './cart-panel.svelte';
export { default as ExpiredBanner } from './expired-banner.svelte';
export { default as FriendsDialog } from './friends-dialog.svelte';
export { default as OrphanDialog } from './orphan-dialog.svelte';
