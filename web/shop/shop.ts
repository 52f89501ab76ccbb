/**
 * Shop: everything the pages know and do, without a pixel: who the visitor is, the open event and
 * its live map, the cart with its time, offers, the checkout, tickets, and what is said to the
 * visitor meanwhile. It reaches the server through the typed client alone. Components draw what is
 * here and call what is here; they keep no state of the shop themselves.
 */
export type { CartLine, CartRow } from './cart-line.ts';
export { CheckoutShop } from './checkout.svelte.ts';
export { anybody } from './clients.ts';
export { DemoSale } from './demo-sale.svelte.ts';
export { EventShop } from './event.svelte.ts';
export { lastCart } from './last-cart.svelte.ts';
export { type Followed, LiveHall } from './live-hall.svelte.ts';
export { announce, notices } from './notices.svelte.ts';
export { type Offer, OfferSearch } from './offers.svelte.ts';
export { appearance, readPreferences, setAppearance, setLanguage } from './preferences.svelte.ts';
export { reasonOf } from './reason.ts';
export { router } from './router.svelte.ts';
export type { Row, Seat } from './seat-plan.ts';
export { becomeSomebodyElse } from './session.ts';
export { settings } from './settings.ts';
export { keep, recall } from './storage.ts';
export { ownTickets } from './tickets.ts';
