/**
 * The crowd: the load of the fault rig, as one process that plays buyers of several organizations,
 * a payment provider and open seat maps over HTTP, with tokens, keys and one monotonic clock, and
 * writes down every request in the words of `#history`. This room knows routes, answers and how
 * people behave; nodes are started, hurt and healed by whoever calls it, and what the history
 * means is judged elsewhere. For tests alone.
 */
export { CrowdProcess } from './crowd-process.ts';
export type { Report } from './messages.ts';
export {
  CART,
  type CrowdEvent,
  type CrowdOrganization,
  type CrowdStage,
  type CrowdWish,
  PERSON,
  type Returned,
} from './stage.ts';
export type { View } from './viewers.ts';
