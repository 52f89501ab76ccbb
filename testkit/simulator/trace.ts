import type { Say } from '#stores';
import { NAMES } from './hall.ts';

/** Who did what when, in the code's words. Nothing is put into words unless somebody reads it. */
export class Trace {
  readonly lines: string[] = [];
  readonly isKept: boolean;
  readonly #time_ms: () => number;

  constructor(isKept: boolean, time_ms: () => number) {
    this.isKept = isKept;
    this.#time_ms = time_ms;
  }

  readonly say: Say = (who, what) => {
    if (!this.isKept) return;
    const time = this.#time_ms().toFixed(1).padStart(9);
    this.lines.push(`${time} ms  ${named(who).padEnd(9)}  ${named(what())}`);
  };
}

/** Ids by the names that people in the hall have. */
function named(text: string): string {
  return text.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
    return NAMES.get(id) ?? `…${id.slice(-6)}`;
  });
}
