import { distance, type Point } from './points.ts';

/** Distances from each seat to the next one. */
export function stepsBetween(points: readonly Point[]): number[] {
  const steps: number[] = [];
  for (let index = 1; index < points.length; index++) {
    const here = points[index];
    const before = points[index - 1];
    if (here && before) steps.push(distance(before, here));
  }
  return steps;
}

/** The lower quartile: gaps only ever make a step longer, so the usual step is among the short. */
export function usualStep(steps: readonly number[]): number | undefined {
  const sorted = [...steps].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 4)];
}

/** A step this many times the usual one is an aisle; a wheelchair space is about one and a half. */
const AISLE_STEPS = 1.75;

/** From this many steps on a row knows its own pitch; a shorter one is measured by its zone. */
const STEPS_TO_TELL = 4;

/** After which seats of a row there is an aisle. */
export function findAisles(steps: readonly number[], zone_step: number | undefined): boolean[] {
  const usual = (steps.length >= STEPS_TO_TELL ? usualStep(steps) : zone_step) ?? 0;
  return steps.map((step) => step > usual * AISLE_STEPS);
}
