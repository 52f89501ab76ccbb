import { systemClock } from '@voelgoed/engine/kit';
import type { Engine } from '@voelgoed/engine/workflows';
import type { Command } from 'commander';
import { EXIT, Failure } from './failures.ts';
import type { CliHost, Installation } from './host.ts';
import { type Column, table } from './table.ts';

/** How often a line about progress is written anew. */
const PROGRESS_MS = 200;

/** One run of one command: where its output goes, who does it, and how it ends. */
export class Session {
  readonly host: CliHost;
  exitCode: number = EXIT.done;
  #told_ms = Number.NEGATIVE_INFINITY;
  #showsProgress = false;

  constructor(host: CliHost) {
    this.host = host;
  }

  /** With an engine, or without a word about it. */
  engine(work: (engine: Engine, installation: Installation) => Promise<void>): Promise<void> {
    return this.host.withEngine(work);
  }

  say(line: string): void {
    this.host.out(`${line}\n`);
  }

  /** Rows for people, or the same as JSON for programs. */
  show<Row>(
    command: Command,
    rows: readonly Row[],
    columns: readonly Column<Row>[],
    none: string,
  ): void {
    if (isJson(command)) return this.json(rows);
    this.say(rows.length === 0 ? none : table(rows, columns));
  }

  /** One result: a sentence for people, all of it for programs. */
  result(command: Command, result: object, sentence: string): void {
    if (isJson(command)) this.json(result);
    else this.say(sentence);
  }

  json(value: unknown): void {
    this.say(JSON.stringify(value, null, 2));
  }

  /** It was looked at, and it is not as it should be. */
  found(): void {
    this.exitCode = EXIT.found;
  }

  /** How far it is: on a terminal only, and not between the lines of a result. */
  progress(text: string): void {
    const { host } = this;
    const now = systemClock.monotonic();
    if (!host.isTerminal || now - this.#told_ms < PROGRESS_MS) return;
    this.#told_ms = now;
    this.#showsProgress = true;
    host.err(`\r\u001b[K${text}`);
  }

  progressDone(): void {
    if (this.#showsProgress) this.host.err('\r\u001b[K');
    this.#showsProgress = false;
  }

  /** What cannot be taken back is said twice: by `--yes`, or to the question. */
  async confirm(yes: boolean | undefined, what: string): Promise<void> {
    if (yes) return;
    if (!this.host.isTerminal) {
      throw new Failure('refused', `${what}: nobody can be asked here, so say it with --yes`);
    }
    const answer = await this.host.ask(`${what}. Go on? [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('refused', 'Nothing was done.');
  }
}

export function isJson(command: Command): boolean {
  return command.optsWithGlobals().json === true;
}
