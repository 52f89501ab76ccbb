import type { Happening, Telemetry } from '@voelgoed/engine/telemetry';
import type { RoundReport } from './round.ts';

/** Counts what the engine says about itself. */
export class Counts implements Telemetry {
  #statements = new Map<string, { count: number; total_ms: number }>();
  #flushes = 0;
  #wishes = 0;

  clear(): void {
    this.#statements.clear();
    this.#flushes = 0;
    this.#wishes = 0;
  }

  emit(happening: Happening): void {
    if (happening.kind === 'flush.trouble') throw new Error(happening.reason);
    if (happening.kind === 'flush.done') {
      this.#flushes++;
      this.#wishes += happening.wishes;
    }
    if (happening.kind !== 'postgres.statement') return;
    const { name, duration_ms } = happening;
    const known = this.#statements.get(name) ?? { count: 0, total_ms: 0 };
    this.#statements.set(name, {
      count: known.count + 1,
      total_ms: known.total_ms + duration_ms,
    });
  }

  report(): Pick<RoundReport, 'statements' | 'flushes' | 'wishes'> {
    const statements = Object.fromEntries(this.#statements);
    return { statements, flushes: this.#flushes, wishes: this.#wishes };
  }
}
