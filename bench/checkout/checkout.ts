/**
 * Purchases over HTTP, from the free seat to the ticket: hold, checkout, payment begun, the
 * provider's signed message; beside holds alone. It knows a node as a process with an address.
 * Only `run` calls it.
 */
export { checkoutSuite } from './checkout-suite.ts';
