import type { Clock, Timers } from '@voelgoed/engine/kit';
import { type Simulation, START_MS } from './simulation.ts';

/**
 * One process on one machine: it can be killed, and stopped for a while. What happens to it goes
 * through `deliver`; a dead one hears nothing, a stopped one hears it when it goes on.
 */
export class Machine {
  readonly name: string;
  readonly simulation: Simulation;
  /** Its clock is wrong by so much. */
  skew_ms: number;
  /** Stops at its next decision, between the lock and the write, for so long. */
  stopsDeciding_ms = 0;
  #alive = true;
  #stopped_ms = Number.NEGATIVE_INFINITY;
  readonly #since_ms: number;

  constructor(name: string, simulation: Simulation, skew_ms: number, since_ms: number) {
    this.name = name;
    this.simulation = simulation;
    this.skew_ms = skew_ms;
    this.#since_ms = since_ms;
  }

  get isAlive(): boolean {
    return this.#alive;
  }

  get isStopped(): boolean {
    return this.simulation.time_ms < this.#stopped_ms;
  }

  kill(): void {
    this.#alive = false;
  }

  stop(duration_ms: number): void {
    this.#stopped_ms = Math.max(this.#stopped_ms, this.simulation.time_ms + duration_ms);
  }

  deliver(work: () => void): void {
    if (!this.#alive) return;
    if (!this.isStopped) return work();
    const rest_ms = this.#stopped_ms - this.simulation.time_ms;
    this.simulation.after(rest_ms, () => this.deliver(work));
  }

  after(delay_ms: number, work: () => void): void {
    this.simulation.after(delay_ms, () => this.deliver(work));
  }

  clock(): Clock & Timers {
    const { simulation } = this;
    return {
      now: () => START_MS + simulation.time_ms + this.skew_ms,
      monotonic: () => this.#since_ms + simulation.time_ms,
      sleep: (delay_ms, signal) => this.#sleep(delay_ms, signal),
    };
  }

  #sleep(delay_ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      this.after(delay_ms, resolve);
    });
  }
}
