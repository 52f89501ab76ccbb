import { forgetOldest } from './bounded.ts';
import type { Clock } from './clock.ts';

/** `tokens` come back within `seconds`; at most `capacity` are saved up. */
export type BucketRate = Readonly<{ tokens: number; seconds: number; capacity: number }>;

export type Taken = Readonly<{
  ok: boolean;
  /** What is left, rounded down. */
  remaining: number;
  /** Until what was asked for would be there; 0 when it was given. */
  retry_after_s: number;
}>;

type Bucket = { readonly name: string; tokens: number; at_ms: number; moved_ms: number };

/** Until a bucket with so many tokens has as many as are wanted, or as it can have. */
export function retryAfter_s(rate: BucketRate, tokens: number, wanted: number): number {
  const missing = Math.min(wanted, rate.capacity) - tokens;
  return Math.max(1, Math.ceil((missing * rate.seconds) / rate.tokens));
}

/**
 * Token buckets by name. Only so many are remembered; the longest unused is forgotten first, which
 * fills it. A library counts in windows; here what was refused has to be given back exactly, and
 * tests own the clock.
 */
export class TokenBuckets {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Clock, most: number) {
    this.#clock = clock;
    this.#most = most;
  }

  take(name: string, rate: BucketRate, count: number): Taken {
    const bucket = this.#bucket(name, rate);
    if (bucket.tokens >= count) {
      bucket.tokens -= count;
      return { ok: true, remaining: Math.floor(bucket.tokens), retry_after_s: 0 };
    }
    const retry_after_s = retryAfter_s(rate, bucket.tokens, count);
    return { ok: false, remaining: Math.floor(bucket.tokens), retry_after_s };
  }

  /** What was taken for something that did not happen. */
  giveBack(name: string, rate: BucketRate, count: number): number {
    const bucket = this.#bucket(name, rate);
    bucket.tokens = Math.min(rate.capacity, bucket.tokens + count);
    return Math.floor(bucket.tokens);
  }

  /** What is in it, without taking anything. */
  left(name: string, rate: BucketRate): number {
    const bucket = this.#buckets.get(name);
    return Math.floor(bucket ? filled(bucket, rate, this.#clock.monotonic()) : rate.capacity);
  }

  #bucket(name: string, rate: BucketRate): Bucket {
    const now = this.#clock.monotonic();
    const known = this.#buckets.get(name);
    const bucket = known ?? { name, tokens: rate.capacity, at_ms: now, moved_ms: now };
    bucket.tokens = filled(bucket, rate, now);
    bucket.at_ms = now;
    // Moving one to the end of the line costs more than all the rest: once a second is enough.
    if (known && now - bucket.moved_ms < MOVED_MS) return bucket;
    bucket.moved_ms = now;
    // By the name that is there: a new one for every move would be copied from one generation of
    // the heap to the next.
    this.#buckets.delete(bucket.name);
    this.#buckets.set(bucket.name, bucket);
    forgetOldest(this.#buckets, this.#most);
    return bucket;
  }
}

const MOVED_MS = 1_000;

function filled({ tokens, at_ms }: Bucket, rate: BucketRate, now_ms: number): number {
  const refill = ((now_ms - at_ms) / 1_000) * (rate.tokens / rate.seconds);
  return Math.min(rate.capacity, tokens + refill);
}
