/**
 * Limits: how much one user or one address may ask for in a while. It knows buckets and the words
 * of HTTP for them (429, Retry-After, RateLimit headers); what a seat costs and what was refused is
 * told to it. Routes take before they wish and give back what was refused.
 */
import type { BucketRate, Clock, Taken } from '@voelgoed/engine/kit';
import { TokenBuckets } from '@voelgoed/engine/kit';
import { holdRate, type SeatingPolicy } from '@voelgoed/engine/policies';
import type { Caller } from '@voelgoed/engine/workflows';
import type { FastifyReply } from 'fastify';
import { refuse } from '#http';

/** Buckets of as many users as a large sale has on one node; 100 bytes each. */
const MOST_BUCKETS = 200_000;
/** Somebody who is refused twice a second for a minute is a program. */
const REFUSED: BucketRate = { tokens: 120, seconds: 60, capacity: 120 };
/** The box office sells to a queue of people; a platform's server to all its buyers. */
const STAFF_FACTOR = 100;
const KEY_FACTOR = 10_000;

export type Limits = Readonly<{
  /** Seats a user may hold in a while; null: as many as they like. */
  holds(caller: Caller, policy: SeatingPolicy): Limit | null;
  /** Requests that end in a refusal have a bucket of their own. */
  refusals(caller: Caller): Limit;
  session(ip: string): Limit;
}>;

export type Limit = Readonly<{
  rate: BucketRate;
  take(count: number): Taken;
  giveBack(count: number): number;
}>;

export function createLimits(options: { clock: Clock; guestSessionsPerHour: number }): Limits {
  const buckets = new TokenBuckets(options.clock, MOST_BUCKETS);
  const sessions = options.guestSessionsPerHour;
  const sessionRate = { tokens: Math.max(sessions, 1), seconds: 3_600, capacity: sessions };
  const limit = (name: string, rate: BucketRate): Limit => ({
    rate,
    take: (count) => buckets.take(name, rate, count),
    giveBack: (count) => buckets.giveBack(name, rate, count),
  });
  return {
    holds: (caller, policy) => {
      const rate = rateOf(caller, policy);
      return rate && limit(`holds ${nameOf(caller)}`, rate);
    },
    refusals: (caller) => limit(`refused ${nameOf(caller)}`, refusedRate(caller)),
    session: (ip) => limit(`session ${ip}`, sessionRate),
  };
}

function nameOf({ scope, actor }: Caller): string {
  return `${scope.organizationId} ${actor.kind} ${actor.id}`;
}

function rateOf(caller: Caller, policy: SeatingPolicy): BucketRate | null {
  const rate = holdRate(policy);
  if (!rate) return null;
  const factor = factorOf(caller);
  const { seats, seconds, capacity } = rate;
  return { tokens: seats * factor, seconds, capacity: capacity * factor };
}

function refusedRate(caller: Caller): BucketRate {
  const factor = factorOf(caller);
  const { tokens, seconds, capacity } = REFUSED;
  return { tokens: tokens * factor, seconds, capacity: capacity * factor };
}

function factorOf({ actor, scopes }: Caller): number {
  if (actor.kind === 'key') return KEY_FACTOR;
  return scopes.has('holds:write') ? STAFF_FACTOR : 1;
}

/** Takes from a bucket; null, and an answer is sent, when it has too little. */
export function takeOrRefuse(
  reply: FastifyReply,
  limit: Limit,
  count: number,
  message: string,
): FastifyReply | null {
  const taken = limit.take(count);
  if (!taken.ok) return refuseLimit(reply, limit, taken, message);
  showLimit(reply, limit.rate, taken.remaining);
  return null;
}

export function refuseLimit(
  reply: FastifyReply,
  { rate }: Limit,
  { remaining, retry_after_s }: Taken,
  message: string,
): FastifyReply {
  showLimit(reply, rate, remaining);
  reply.header('retry-after', retry_after_s);
  return refuse(reply, 'rate_limited', message, { retry_after_seconds: retry_after_s });
}

/** What clients can pace themselves by. */
export function showLimit(reply: FastifyReply, rate: BucketRate, remaining: number): void {
  reply.header('ratelimit-limit', rate.capacity);
  reply.header('ratelimit-remaining', Math.max(0, remaining));
  reply.header('ratelimit-policy', `${rate.tokens};w=${rate.seconds}`);
}
