import type { BucketRate, Taken } from '@voelgoed/engine/kit';
import { type AnyReply, refuse } from '#http';
import type { Limit } from './buckets.ts';

/** Takes from a bucket; null, and an answer is sent, when it has too little. */
export async function takeOrRefuse<Reply extends AnyReply>(
  reply: Reply,
  limit: Limit,
  count: number,
  message: string,
): Promise<Reply | null> {
  const taken = await limit.take(count);
  if (!taken.ok) return refuseLimit(reply, limit, taken, message);
  showLimit(reply, limit.rate, taken.remaining);
  return null;
}

export function refuseLimit<Reply extends AnyReply>(
  reply: Reply,
  { rate }: Pick<Limit, 'rate'>,
  { remaining, retry_after_s }: Taken,
  message: string,
): Reply {
  showLimit(reply, rate, remaining);
  reply.header('retry-after', retry_after_s);
  return refuse(reply, 'rate_limited', message, { retry_after_seconds: retry_after_s });
}

/** What clients can pace themselves by. */
export function showLimit(reply: AnyReply, rate: BucketRate, remaining: number): void {
  reply.headers(limitHeaders(rate, remaining));
}

export function limitHeaders({ capacity, tokens, seconds }: BucketRate, remaining: number) {
  return {
    'ratelimit-limit': capacity,
    'ratelimit-remaining': Math.max(0, remaining),
    'ratelimit-policy': `${tokens};w=${seconds}`,
  };
}
