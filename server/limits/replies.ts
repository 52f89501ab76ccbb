import type { BucketRate, Taken } from '@voelgoed/engine/kit';
import type { FastifyReply } from 'fastify';
import { refuse } from '#http';
import type { Limit } from './buckets.ts';

/** Takes from a bucket; null, and an answer is sent, when it has too little. */
export async function takeOrRefuse(
  reply: FastifyReply,
  limit: Limit,
  count: number,
  message: string,
): Promise<FastifyReply | null> {
  const taken = await limit.take(count);
  if (!taken.ok) return refuseLimit(reply, limit, taken, message);
  showLimit(reply, limit.rate, taken.remaining);
  return null;
}

export function refuseLimit(
  reply: FastifyReply,
  { rate }: Pick<Limit, 'rate'>,
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
