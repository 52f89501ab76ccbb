import type { Clock, Timers } from '#kit';
import type { Telemetry } from '#telemetry';
import { wordsOf } from './failures.ts';
import { pendingMigrations, tooOldFor } from './migrations.ts';
import { statement } from './statement.ts';
import { type Reason, WORDS } from './states.ts';
import type { Transaction, TransactionOptions } from './transaction.ts';

/** An answer that takes longer is no help to a balancer. */
const ANSWER_MS = 1_000;
/** One write for each node and second, however many balancers ask. */
const EVERY_MS = 1_000;

/**
 * Proves that the server accepts writes. The sequence is refused by a read-only server and waits
 * for a synchronous standby, as every commit does, but needs no new block of the disk; so 256 kB
 * are written to a file that ends with the statement, which a full disk refuses.
 */
const writeProbe = statement<object>(
  'postgres.write_probe',
  `with rows as materialized
     (select repeat('x', 1024) as text from generate_series(1, 256))
   select setval('write_probe', 1), (select count(*) from rows)`,
);
/** Less than the rows take, so that they go to a file. */
const spill = statement<object>(
  'postgres.write_probe_memory',
  `select set_config('work_mem', '64kB', true)`,
);

const NOT_ASKED = 'not asked yet';

/** What it needs of Postgres. */
type Database = {
  transaction<Result>(
    scope: null,
    options: TransactionOptions & { pool: 'logins' },
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result>;
  readonly lastRefusal: Readonly<{ reason: Reason; at_ms: number }> | null;
};

export type WriteProbeOptions = Readonly<{
  postgres: Database;
  clock: Clock & Timers;
  telemetry: Telemetry;
}>;

/** What is known about the database: asked by a job and by /health/ready. */
export class WriteProbe {
  readonly #options: WriteProbeOptions;
  #words = NOT_ASKED;
  #asked_ms = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | null = null;

  constructor(options: WriteProbeOptions) {
    this.#options = options;
  }

  /** The last answer allows writing. */
  get isWritable(): boolean {
    return this.words === 'ok';
  }

  /**
   * `ok`, or why nothing can be written. A write that was refused since the last question was asked
   * is believed at once, and says more than silence.
   */
  get words(): string {
    const refusal = this.#options.postgres.lastRefusal;
    return refusal && refusal.at_ms >= this.#asked_ms ? WORDS[refusal.reason] : this.#words;
  }

  /** Asks unless that was done within the last second. Never fails, and takes a second at most. */
  async look(): Promise<string> {
    const { clock } = this.#options;
    if (!this.#asking && clock.monotonic() - this.#asked_ms >= EVERY_MS) {
      this.#asking = this.#ask().finally(() => {
        this.#asking = null;
      });
    }
    if (this.#asking) {
      const late = new AbortController();
      const limit = clock.sleep(ANSWER_MS, late.signal).catch(() => {});
      await Promise.race([this.#asking, limit]);
      late.abort();
    }
    return this.words;
  }

  async #ask(): Promise<void> {
    const { postgres, clock } = this.#options;
    const started_ms = clock.monotonic();
    this.#asked_ms = started_ms;
    const late = new AbortController();
    let isWritten = false;
    // Until the answer comes: silence is an answer, too.
    void clock
      .sleep(ANSWER_MS, late.signal)
      .then(() => this.#say(isWritten ? NO_COMMIT : 'does not answer'))
      .catch(() => {});
    try {
      const look = { name: 'write probe', pool: 'logins' } as const;
      const problem = await postgres.transaction(null, look, async (transaction) => {
        const problem = await schemaProblem(transaction);
        if (problem !== null) return problem;
        await transaction.exchange([spill(), writeProbe()]);
        isWritten = true;
        return null;
      });
      if (problem !== null) this.#say(problem);
      // One that came too late may have been cut short: a commit that waits in vain for its standby
      // ends by the limit of time, and says yes.
      else if (clock.monotonic() - started_ms < ANSWER_MS) this.#say('ok');
    } catch (error) {
      this.#say(wordsOf(error));
    } finally {
      late.abort();
    }
  }

  #say(words: string): void {
    if (words === this.#words) return;
    const first = this.#words === NOT_ASKED;
    this.#options.telemetry.emit({ kind: 'postgres.writable', state: words, first });
    this.#words = words;
  }
}

/** A schema may lack what this version needs, or what it needs may have been taken away. */
async function schemaProblem(transaction: Transaction): Promise<string | null> {
  const [pending] = await pendingMigrations(transaction);
  if (pending !== undefined) return `waits for migration ${pending}`;
  return tooOldFor(transaction);
}

const NO_COMMIT = 'does not commit (does its synchronous standby answer?)';
