import { printedRandom } from '#builders';

/**
 * Seeds for so many schedules. The first is printed and random; SEED repeats one that failed, and
 * SCHEDULES asks for more than a test has time for.
 */
export function seedsFor(name: string, schedules: number): number[] {
  const { seed } = printedRandom(name);
  const { SEED, SCHEDULES } = process.env;
  const count = SEED ? 1 : Number(SCHEDULES ?? schedules);
  return Array.from({ length: count }, (_, index) => seed + index);
}
