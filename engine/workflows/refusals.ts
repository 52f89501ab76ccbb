import type { Refused } from '#board';
import { type Clock, type Random, reasonOf, uuidv7 } from '#kit';
import type { Postgres } from '#postgres';
import { type Scope, scopeOf } from '#scope';
import type { Telemetry } from '#telemetry';
import { insertRefusals } from './refusals.sql.ts';

/** Rows per second that are written one by one; what is beyond is counted per event and code. */
const MOST_ROWS = 500;
/** A wish for a whole row of seats is told by its first few. */
const MOST_SEATS = 10;

type Row = {
  organizationId: string;
  event_id: string;
  at_ms: number;
  code: string;
  user_id: string | null;
  seat_ids: string[];
  times: number;
};

type RefusalTools = Readonly<{
  postgres: Postgres;
  clock: Clock;
  random: Random;
  telemetry: Telemetry;
}>;

/**
 * Wishes that were refused, for disputes and for seeing what buyers run into. Kept in memory and
 * written once a second, because a refusal must never cost a commit of its own.
 */
export class RefusalLog {
  readonly #tools: RefusalTools;
  #rows: Row[] = [];
  /** By event, which is of one organization, and by code. */
  readonly #counted = new Map<string, Map<string, Row>>();

  constructor(tools: RefusalTools) {
    this.#tools = tools;
  }

  note(
    { organizationId }: Scope,
    event_id: string,
    { user_id, refusal, at_ms }: { user_id: string; refusal: Refused; at_ms: number },
  ): void {
    const { code, items } = refusal;
    const isFull = this.#rows.length >= MOST_ROWS;
    const counted = isFull ? this.#counted.get(event_id)?.get(code) : undefined;
    if (counted) {
      counted.times++;
      return;
    }
    const about = { organizationId, event_id, at_ms, code };
    if (!isFull) {
      const seat_ids = items.flatMap(({ seat_id }) => seat_id ?? []).slice(0, MOST_SEATS);
      this.#rows.push({ ...about, user_id, seat_ids, times: 1 });
      return;
    }
    const ofEvent = this.#counted.get(event_id) ?? new Map<string, Row>();
    ofEvent.set(code, { ...about, user_id: null, seat_ids: [], times: 1 });
    this.#counted.set(event_id, ofEvent);
  }

  /** Writes what has gathered; what cannot be written is lost, and said so. */
  async flush(): Promise<void> {
    const counted = [...this.#counted.values()].flatMap((ofEvent) => [...ofEvent.values()]);
    const rows = [...this.#rows, ...counted];
    this.#rows = [];
    this.#counted.clear();
    for (const [organizationId, own] of Map.groupBy(rows, (row) => row.organizationId)) {
      const text = JSON.stringify(own.map((row) => ({ ...row, refusal_id: uuidv7(this.#tools) })));
      const options = { name: 'refusals.write', pool: 'jobs' } as const;
      await this.#tools.postgres
        .transaction(scopeOf(organizationId), options, (transaction) =>
          transaction.query(insertRefusals(organizationId, text)),
        )
        .catch((error) => {
          const reason = `${own.length} refusals were not written: ${reasonOf(error)}`;
          const ids = { organization_id: organizationId };
          this.#tools.telemetry.emit({ kind: 'job.failed', job: 'refusals', reason, ids });
        });
    }
  }
}
