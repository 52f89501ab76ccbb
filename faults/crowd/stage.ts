import type { Operation } from '#history';

/** An event that the crowd is let loose on. */
export type CrowdEvent = Readonly<{
  eventId: string;
  seats: readonly string[];
  zones: readonly string[];
}>;

/** A tenant with its events; `mark` is in the names of its zones and nobody else's. */
export type CrowdOrganization = Readonly<{
  organizationId: string;
  mark: string;
  events: readonly CrowdEvent[];
}>;

export type CrowdStage = Readonly<{
  organizations: readonly CrowdOrganization[];
  /** Where each node is reached. */
  addresses: readonly string[];
  authSecret: string;
  paymentSecret: string;
  historyFile: string;
  seed: number;
  /** For so long a slow viewer does not read. */
  slow_ms: number;
}>;

/** What a wish was, so that anybody can send it again. */
export type CrowdWish = Pick<Operation, 'wish' | 'asked' | 'user' | 'key'> &
  Readonly<{ event: string }>;

export type Returned = Pick<
  Operation,
  'outcome' | 'code' | 'replayed' | 'revision' | 'holds' | 'told'
>;

/** In no answer, no stream and no log: only tokens have it. */
export const PERSON = 'canary-person';
/** Carts are their buyers' alone. */
export const CART = 'cart~';
