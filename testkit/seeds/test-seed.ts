import { type Random, seededRandom } from '@voelgoed/engine/kit';

/** Any number would do; it stays, so that runs can be compared. */
const FIXED = 20_261_118;

export function testSeed(given: string | undefined = process.env.SEED): number {
  if (given === undefined || given === '') return FIXED;
  const seed = Number(given);
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw new Error(`SEED: "${given}" is not a whole number from 0 on`);
  }
  return seed;
}

/** Randomness that a failing test can repeat: the seed is printed with its name. */
export function printedRandom(name: string): Random & { seed: number } {
  const seed = testSeed();
  console.log(`${name}: SEED=${seed}`);
  return { ...seededRandom(seed), seed };
}
