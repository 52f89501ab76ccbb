/**
 * Worlds: an organization with one of everything in it (people, keys, layouts, events on sale and
 * in draft, holds, a checkout, tickets, webhooks with a delivery), made by its own API on a running
 * node. It knows which kinds of things there are and what their ids are called in answers; what is
 * done to them is up to whoever attacks.
 */
export { contradictions } from './contradictions.ts';
export { aFuzzWorld } from './fuzzed.ts';
export {
  anOrganizationWithAll,
  type Ids,
  type Organization,
  type WorldOptions,
} from './organizations.ts';
