/**
 * Measuring: medians, spreads, the longest silence of the event loop, the bytes that things keep.
 * It knows numbers and the runtime and nothing of seats. Suites call it.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemClock } from '@voelgoed/engine/kit';

/** One line of the table. */
export type Figure = Readonly<{
  suite: string;
  name: string;
  unit: string;
  median: number;
  /** The smallest and the largest run, so that nobody takes noise for news. */
  least: number;
  most: number;
  runs: number;
  /** What the design promises: below, or above. */
  target?: Target;
  /** What would be better still; nothing is missed when it is not reached. */
  goal?: Target;
  note?: string;
  /** Of something that this product is compared with, not of the product. */
  reference?: true;
  /** A point of a line in a plot: along what, and where. */
  point?: Readonly<{ along: string; at: number }>;
}>;

export type Target = Readonly<{ below: number }> | Readonly<{ above: number }>;

export type Naming = Pick<Figure, 'suite' | 'name' | 'unit'> &
  Partial<Pick<Figure, 'target' | 'goal' | 'note' | 'reference' | 'point'>>;

/** A round without a value (nothing was done that could be divided by) is not a run. */
export function figureOf(values: readonly number[], naming: Naming): Figure {
  const sorted = sortedNumbers(values.filter((value) => !Number.isNaN(value)));
  return {
    ...naming,
    median: percentile(sorted, 50),
    least: sorted[0] ?? Number.NaN,
    most: sorted.at(-1) ?? Number.NaN,
    runs: sorted.length,
  };
}

export function median(values: readonly number[]): number {
  return percentile(sortedNumbers(values), 50);
}

/** Of values that are in order already. */
export function percentile(sorted: readonly number[], percent: number): number {
  const index = Math.ceil((sorted.length * percent) / 100) - 1;
  return sorted[Math.min(Math.max(index, 0), sorted.length - 1)] ?? Number.NaN;
}

export function isKept({ median: value, target }: Figure): boolean {
  return !target || reaches(value, target);
}

/** Something that was not measured reaches nothing. */
export function reaches(value: number, target: Target): boolean {
  return 'below' in target ? value < target.below : value > target.above;
}

/** Round by round: what both have suffered in the same minute is not in it. */
export function ratiosOf(ours: readonly number[], theirs: readonly number[]): number[] {
  return ours.map((value, round) => value / (theirs[round] ?? Number.NaN));
}

export function sortedNumbers(values: readonly number[]): number[] {
  return [...values].sort((one, other) => one - other);
}

/** Processor time of this thread: on a shared machine it says more than the clock on the wall. */
export function threadMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** The same clock in all processes of this machine. */
export function machineMilliseconds(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export async function timed<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; took_ms: number; blocked_ms: number }> {
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  // The monitor's first turn only starts its clock.
  await systemClock.sleep(5);
  loop.reset();
  const started = systemClock.monotonic();
  const result = await work();
  const took_ms = systemClock.monotonic() - started;
  await systemClock.sleep(2);
  loop.disable();
  return { result, took_ms, blocked_ms: loop.max / 1e6 };
}

/** Bytes on the heap that are reachable, after everything else was collected. */
export function keptBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
