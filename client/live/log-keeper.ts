import { pause } from '#host';
import type { ToldRow } from '#shapes';
import { again_ms, type KeeperTools } from './drawing-keeper.ts';

type LogTools = KeeperTools &
  Readonly<{ changes(after: number, signal: AbortSignal): Promise<readonly ToldRow[]> }>;

type LogFrame = Readonly<{ from: number; revision: number; rows: readonly ToldRow[] }>;

/**
 * Tells what happened row by row, in order, each once. What the stream has left out, while it was
 * away or because it was too much, is read from the log itself.
 */
export class LogKeeper {
  readonly #tools: LogTools;
  /** The last row that was told; null: it begins with the first state that is shown. */
  #told: number | null = null;
  #isBack = false;
  #histories = 0;
  #turn: Promise<void> = Promise.resolve();

  constructor(tools: LogTools) {
    this.#tools = tools;
  }

  connected(): void {
    this.#isBack = true;
  }

  /** The map is at this revision. */
  seen(revision: number): void {
    this.#told ??= revision;
    if (this.#isBack) this.#inTurn(() => this.#catchUp(revision));
    this.#isBack = false;
  }

  /** Another history, which has its own rows from here on. */
  begin(revision: number): void {
    this.#histories++;
    this.#inTurn(async () => {
      this.#told = revision;
    });
  }

  take({ from, revision, rows }: LogFrame): void {
    const history = this.#histories;
    this.#inTurn(async () => {
      if (from > (this.#told ?? from)) await this.#catchUp(revision);
      if (history === this.#histories) this.#tell(rows);
    });
  }

  async #catchUp(revision: number): Promise<void> {
    const { host, signal } = this.#tools;
    const history = this.#histories;
    const isOver = () => signal.aborted || history !== this.#histories;
    while (!isOver() && (this.#told ?? revision) < revision) {
      const rows = await this.#tools.changes(this.#told ?? revision, signal).catch(() => null);
      if (isOver()) return;
      const told = this.#told;
      this.#tell(rows ?? []);
      // Nothing, or nothing new: a node that is behind, or was asked too much already.
      if (this.#told === told) await pause(host, again_ms(host, 1), signal);
    }
  }

  #tell(rows: readonly ToldRow[]): void {
    const fresh = rows.filter(({ revision }) => revision > (this.#told ?? -1));
    if (fresh.length === 0) return;
    this.#told = fresh.at(-1)?.revision ?? this.#told;
    this.#tools.tell({ kind: 'log', rows: fresh });
  }

  #inTurn(work: () => Promise<void>): void {
    const history = this.#histories;
    this.#turn = this.#turn.then(() => (history === this.#histories ? work() : undefined));
  }
}
