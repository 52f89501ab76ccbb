import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '@voelgoed/engine/kit';
import { type Mode, simulateSeeds } from '#simulator';
import type { Guard } from '#stores';

export type WorkerTask = Readonly<{
  first: number;
  step: number;
  mode: Mode | 'both';
  commands: number;
  seconds: number;
  /** At least so many, however long it takes. */
  seeds: number;
  off: readonly Guard[];
}>;

// Thousands of errors are made whose stacks nobody reads; a failing seed is run again.
Error.stackTraceLimit = 0;
const { first, step, mode, commands, seconds, seeds, off } = workerData as WorkerTask;
const until_ms = systemClock.monotonic() + seconds * 1_000;
const isOver = (schedules: number) => schedules >= seeds && systemClock.monotonic() >= until_ms;
const used = process.threadCpuUsage();
const report = await simulateSeeds({ first, step, mode, commands, isOver }, { off: new Set(off) });
const { user, system } = process.threadCpuUsage(used);
parentPort?.postMessage({ report, cpu_ms: (user + system) / 1_000 });
