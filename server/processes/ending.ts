import { reasonOf, systemClock, type Timers } from '@voelgoed/engine/kit';

/** Longer than a node takes that drains its requests (10 s); supervisors give 30 s and more. */
const STEP_MS = 20_000;

export type EndingTools = Readonly<{
  exit(code: number): void;
  say(line: string): void;
  timers: Timers;
  /** How long one step may take. */
  step_ms: number;
}>;

const OF_PROCESS: EndingTools = {
  exit: (code) => process.exit(code),
  say: (line) => console.error(line),
  timers: systemClock,
  step_ms: STEP_MS,
};

/**
 * The end of a process: its steps in their order, once, and then its exit, whatever a step does. A
 * step that fails or hangs keeps neither the next one nor the exit back: a node that has to end
 * because its state is wrong may well be unable to stop, and one that lived on without a listener
 * would never be replaced.
 */
export class Ending {
  readonly #steps: readonly (() => unknown)[];
  readonly #tools: EndingTools;
  #ending: Promise<void> | null = null;

  constructor(steps: readonly (() => unknown)[], tools: Partial<EndingTools> = {}) {
    this.#steps = steps;
    this.#tools = { ...OF_PROCESS, ...tools };
  }

  get hasBegun(): boolean {
    return this.#ending !== null;
  }

  /** Never rejects; 0 becomes 1 when something could not be stopped. */
  end(code: number): Promise<void> {
    this.#ending ??= this.#end(code);
    return this.#ending;
  }

  async #end(wanted: number): Promise<void> {
    const { exit, say } = this.#tools;
    let code = wanted;
    for (const step of this.#steps) {
      const problem = await this.#problemOf(step);
      if (problem === null) continue;
      say(`It ends all the same: ${problem}`);
      code ||= 1;
    }
    exit(code);
  }

  /** Null: it is done. */
  async #problemOf(step: () => unknown): Promise<string | null> {
    const { timers, step_ms } = this.#tools;
    const over = new AbortController();
    const late = timers.sleep(step_ms, over.signal).then(
      () => `stopping has taken ${step_ms / 1_000} s`,
      () => null,
    );
    const work = (async () => {
      await step();
      return null;
    })().catch((error: unknown) => `stopping failed: ${reasonOf(error)}`);
    const problem = await Promise.race([work, late]);
    over.abort();
    return problem;
  }
}
