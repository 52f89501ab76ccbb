import { systemClock } from '@voelgoed/engine/kit';
import type { CrowdProcess } from '@voelgoed/faults/crowd';
import { machine_ms } from '@voelgoed/faults/hammer';
import { processorUsed } from './processor.ts';

/** As much as before, and within this time of healing. */
const SHARE = 0.95;
const WITHIN_MS = 5_000;
const WINDOW_MS = 1_000;
const EVERY_MS = 250;
/** A machine that is never idle is full, of others as well as of us. */
const FULL = 0.05;
/** What we get done with a second of the processor varies by so much. */
const EFFORT = 0.8;

type Sample = Readonly<{ at_ms: number; answered: number; own_s: number; idle_s: number }>;

/** Answers per second, by the clock and by the processor time that we got for them. */
export type Rate = Readonly<{ per_s: number; per_cpu_s: number; idle: number }>;

/** How many requests get an answer that is one: done, or refused by a rule. */
export class Rates {
  readonly #crowd: CrowdProcess;

  constructor(crowd: CrowdProcess) {
    this.#crowd = crowd;
  }

  async sample(): Promise<Sample> {
    const { counts } = await this.#crowd.tell({ kind: 'report' });
    return { at_ms: machine_ms(), answered: counts.done + counts.refused, ...processorUsed() };
  }

  /** The rate while something goes on. */
  async measured(work: () => Promise<unknown>): Promise<Rate> {
    const before = await this.sample();
    await work();
    return rateBetween(before, await this.sample());
  }

  /** Answers per second while something goes on. */
  async during(work: () => Promise<unknown>): Promise<number> {
    return (await this.measured(work)).per_s;
  }
}

function rateBetween(from: Sample, to: Sample): Rate {
  const seconds = (to.at_ms - from.at_ms) / 1_000;
  const answered = to.answered - from.answered;
  const own_s = Math.max(0.01, to.own_s - from.own_s);
  const idle = (to.idle_s - from.idle_s) / seconds;
  return { per_s: answered / seconds, per_cpu_s: answered / own_s, idle };
}

/**
 * As much as before. Where the machine is full and others take from us, as much for every second
 * of the processor that we get.
 */
function isAsBefore(now: Rate, before: Rate): boolean {
  if (now.per_s >= before.per_s * SHARE) return true;
  return now.idle < FULL && now.per_cpu_s >= before.per_cpu_s * EFFORT;
}

/** How long it took until as much was answered as before; null: longer than it may. */
export async function recovery(rates: Rates, before: Rate, factor: number): Promise<number | null> {
  const healed_ms = machine_ms();
  const samples: Sample[] = [];
  for (;;) {
    const now = await rates.sample();
    samples.push(now);
    const from = samples.findLast(({ at_ms }) => at_ms <= now.at_ms - WINDOW_MS);
    if (from && isAsBefore(rateBetween(from, now), before)) {
      return Math.max(0, from.at_ms - healed_ms);
    }
    if (now.at_ms > healed_ms + WITHIN_MS * factor + WINDOW_MS) return null;
    await systemClock.sleep(EVERY_MS);
  }
}
