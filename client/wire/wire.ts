/**
 * Wire: the shapes that cross the network, each written once. The server validates and serialises
 * with them, the OpenAPI file shows them, the client has its types from them. It knows no server
 * and no database; both sides import it.
 */
export * from './accounts.ts';
export * from './audit.ts';
export * from './availability.ts';
export * from './basics.ts';
export * from './checkouts.ts';
export * from './demo.ts';
export * from './entries.ts';
export { ERRORS, type ErrorCode, ErrorReply } from './errors.ts';
export * from './events.ts';
export { Health } from './health.ts';
export * from './history.ts';
export * from './holds.ts';
export * from './layouts.ts';
export * from './lengthen.ts';
export * from './registry.ts';
export * from './seats.ts';
export * from './tickets.ts';
export * from './webhooks.ts';
