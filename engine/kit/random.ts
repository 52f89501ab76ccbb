import { randomBytes, randomInt } from 'node:crypto';

/** Randomness as a port: `next` is in [0, 1), `bytes` is for ids and secrets. */
export type Random = {
  next(): number;
  bytes(count: number): Uint8Array;
};

/** The operating system's cryptographic source. */
export const systemRandom: Random = {
  next: () => randomInt(0x1_0000_0000) / 0x1_0000_0000,
  bytes: (count) => randomBytes(count),
};

/** mulberry32: the same seed gives the same run. For tests and simulations, never for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next32 = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return {
    next: () => next32() / 0x1_0000_0000,
    bytes: (count) => Uint8Array.from({ length: count }, () => next32() & 0xff),
  };
}
