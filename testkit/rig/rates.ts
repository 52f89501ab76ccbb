import { systemClock } from '@voelgoed/engine/kit';
import type { CrowdProcess } from '@voelgoed/faults/crowd';
import { machine_ms } from '@voelgoed/faults/hammer';

/** As much as before, and within this time of healing. */
const SHARE = 0.95;
const WITHIN_MS = 5_000;
const WINDOW_MS = 1_000;
const EVERY_MS = 200;

/** How many requests get an answer that is one: done, or refused by a rule. */
export class Rates {
  readonly #crowd: CrowdProcess;

  constructor(crowd: CrowdProcess) {
    this.#crowd = crowd;
  }

  async answered(): Promise<number> {
    const { counts } = await this.#crowd.tell({ kind: 'report' });
    return counts.done + counts.refused;
  }

  /** Answers per second while something goes on. */
  async during(work: () => Promise<unknown>): Promise<number> {
    const [before, from_ms] = [await this.answered(), machine_ms()];
    await work();
    const answered = (await this.answered()) - before;
    return (answered * 1_000) / (machine_ms() - from_ms);
  }
}

/** How long it took until as much was answered as before; null: longer than it may. */
export async function recovery(
  rates: Rates,
  before_per_s: number,
  factor: number,
): Promise<number | null> {
  const healed_ms = machine_ms();
  const samples: { at_ms: number; answered: number }[] = [];
  for (;;) {
    const now = { at_ms: machine_ms(), answered: await rates.answered() };
    samples.push(now);
    const from = samples.findLast(({ at_ms }) => at_ms <= now.at_ms - WINDOW_MS);
    if (from) {
      const per_s = ((now.answered - from.answered) * 1_000) / (now.at_ms - from.at_ms);
      if (per_s >= before_per_s * SHARE) return Math.max(0, from.at_ms - healed_ms);
    }
    if (now.at_ms > healed_ms + WITHIN_MS * factor + WINDOW_MS) return null;
    await systemClock.sleep(EVERY_MS);
  }
}
