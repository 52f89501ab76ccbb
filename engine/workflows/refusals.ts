import { countedOf } from '#board';
import { type Clock, NIL_ID, type Random, reasonOf, uuidv7 } from '#kit';
import type { Postgres } from '#postgres';
import { type Scope, scopeOf } from '#scope';
import type { Telemetry } from '#telemetry';
import { insertRefusals } from './refusals.sql.ts';

/** Rows per second that are written one by one; what is beyond is counted per event and code. */
const MOST_ROWS = 500;
/** Of one user among them: who asks without a pause leaves room for the others. */
const MOST_ROWS_OF_USER = 20;
/** Of one organization in a minute: what is refused to its buyers leaves room for other tenants. */
const MOST_ROWS_OF_ORGANIZATION = 3_000;
const MINUTE_MS = 60_000;
/**
 * Codes of requests that did not come to the board, which notes what it refuses itself. A client
 * that goes on gets them without end: the first of a minute says when, where and to whom.
 */
export const TURNED_AWAY: ReadonlySet<string> = new Set([
  'event_not_found',
  'rate_limited',
  'event_busy',
  'outcome_unknown',
  'overloaded',
  'unavailable',
]);
/** Counts per second by event and code; what is beyond is counted per organization and code. */
const MOST_COUNTS = 1_000;
/** A wish for a whole row of seats is told by its first few. */
const MOST_PLACES = 10;
/** A browser says who it is in about 120. */
const AGENT_CHARACTERS = 256;

type Row = {
  organizationId: string;
  event_id: string;
  at_ms: number;
  code: string;
  user_id: string | null;
  seat_ids: readonly string[];
  zone_ids: readonly string[];
  ip_hash: string | null;
  user_agent: string | null;
  times: number;
};

export type Refusal = Omit<Row, 'organizationId' | 'times' | 'user_id' | 'ip_hash'> &
  Readonly<{
    user_id: string;
    /** The hashes by which boards count an address. */
    ip: string | null;
  }>;

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
  readonly #rowsOf = new Map<string, number>();
  readonly #counted = new Map<string, Row>();
  #minute = 0;
  readonly #rowsInMinute = new Map<string, number>();
  readonly #onceInMinute = new Set<string>();

  constructor(tools: RefusalTools) {
    this.#tools = tools;
  }

  note({ organizationId }: Scope, { ip, ...refusal }: Refusal): void {
    const { event_id, at_ms, code, user_id } = refusal;
    if (!this.#takesRoom(organizationId, user_id, code)) {
      return this.count({ organizationId, event_id, at_ms, code });
    }
    this.#rows.push({
      ...refusal,
      organizationId,
      seat_ids: refusal.seat_ids.slice(0, MOST_PLACES),
      zone_ids: refusal.zone_ids.slice(0, MOST_PLACES),
      ip_hash: ip === null ? null : countedOf(ip).address,
      user_agent: refusal.user_agent?.slice(0, AGENT_CHARACTERS) ?? null,
      times: 1,
    });
  }

  /** Is there room for a row of its own? Then it has it. */
  #takesRoom(organizationId: string, userId: string, code: string): boolean {
    this.#beginMinute();
    const own = this.#rowsOf.get(userId) ?? 0;
    const all = this.#rowsInMinute.get(organizationId) ?? 0;
    const once = TURNED_AWAY.has(code) ? `${organizationId} ${userId} ${code}` : null;
    if (this.#rows.length >= MOST_ROWS || own >= MOST_ROWS_OF_USER) return false;
    if (all >= MOST_ROWS_OF_ORGANIZATION) return false;
    if (once !== null && this.#onceInMinute.has(once)) return false;
    if (once !== null) this.#onceInMinute.add(once);
    this.#rowsOf.set(userId, own + 1);
    this.#rowsInMinute.set(organizationId, all + 1);
    return true;
  }

  #beginMinute(): void {
    const minute = Math.floor(this.#tools.clock.now() / MINUTE_MS);
    if (minute === this.#minute) return;
    this.#minute = minute;
    this.#rowsInMinute.clear();
    this.#onceInMinute.clear();
  }

  /** One that nothing more is known of, or that there is no room for. */
  count(about: Pick<Row, 'organizationId' | 'event_id' | 'at_ms' | 'code'>): void {
    const key = `${about.organizationId} ${about.event_id} ${about.code}`;
    const counted = this.#counted.get(key);
    if (counted) {
      counted.times++;
    } else if (this.#counted.size >= MOST_COUNTS && about.event_id !== NIL_ID) {
      this.count({ ...about, event_id: NIL_ID });
    } else {
      this.#counted.set(key, { ...about, ...NOTHING_KNOWN, times: 1 });
    }
  }

  /** Writes what has gathered; what cannot be written is lost, and said so. */
  async flush(): Promise<void> {
    const rows = [...this.#rows, ...this.#counted.values()];
    this.#rows = [];
    this.#rowsOf.clear();
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

const NOTHING_KNOWN = {
  user_id: null,
  seat_ids: [],
  zone_ids: [],
  ip_hash: null,
  user_agent: null,
} as const;
