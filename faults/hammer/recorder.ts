import { openSync, writeSync } from 'node:fs';
import type { HistoryLine, Operation } from '#history';
import type { Again } from './messages.ts';

/** The machine's monotonic clock: the same for all processes, and nobody can set it. */
export function machine_ms(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000;
}

type Returned = Pick<Operation, 'outcome' | 'code' | 'replayed' | 'revision' | 'holds'>;

/**
 * Writes history as it happens. Each line is in the kernel's hands before the next step, so that
 * kill -9 takes nothing away: a wish is never sent before it is written down.
 */
export class Recorder {
  readonly #node: string;
  readonly #file: number;
  #last = 0;

  constructor(node: string, file: string) {
    this.#node = node;
    this.#file = openSync(file, 'a');
  }

  async record(wish: Again, send: () => Promise<Returned>): Promise<Returned> {
    const node = this.#node;
    const number = ++this.#last;
    const { asked, user, key } = wish;
    const invoked = { node, number, wish: wish.wish, asked, user, key };
    this.#write({ kind: 'invoked', ...invoked, invoked_ms: machine_ms() });
    const returned = await send();
    this.#write({ kind: 'returned', node, number, returned_ms: machine_ms(), ...returned });
    return returned;
  }

  mark(name: string): void {
    this.#write({ kind: 'mark', name, at_ms: machine_ms() });
  }

  #write(line: HistoryLine): void {
    writeSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}
