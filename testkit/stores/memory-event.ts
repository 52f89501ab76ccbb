import type { AuditRow, ChainHead } from '@voelgoed/engine/audit';
import {
  Board,
  type BoardConfig,
  type BoardContent,
  type BoardPlan,
  type ChangeRow,
  type Hold,
  SEAT_WORDS,
  type ZoneCounts,
} from '@voelgoed/engine/board';
import type { Flush, Store } from '@voelgoed/engine/registry';
import { MemorySales } from './memory-sales.ts';

type Asked = Parameters<Store['transact']>[1];
type Opened = Parameters<Parameters<Store['transact']>[2]>[0];
type SeatRow = {
  status: string;
  hold_id: string | null;
  until_ms: number | null;
  ticket_id: string | null;
  version: number;
};
type HoldRow = {
  hold: Hold;
  seat_id: string | null;
  zone_id: string | null;
  until_ms: number;
  status: string;
};
export type LogRow = Omit<ChangeRow, 'changes' | 'keyed'> & Readonly<{ text: string }>;

const MOST_ROWS = 1_000;
const NOTHING = { changes: [], keyed: [] };

/** A write that does not find what it says it must. */
export class GuardError extends Error {}

/** The rows of one event. What is written finds what it must, as in the statement, or throws. */
export class MemoryEvent {
  readonly plan: BoardPlan;
  readonly log: LogRow[] = [];
  readonly audit: (AuditRow & { hash: Buffer })[] = [];
  readonly holds = new Map<string, HoldRow>();
  readonly sales = new MemorySales((holdId) => this.holds.get(holdId));
  readonly seats: SeatRow[];
  readonly zones: ZoneCounts[];
  readonly first: BoardContent;
  #config: BoardConfig;
  #tasks: BoardContent['tasks'] = [];
  #auditHead: ChainHead = { count: 0, hash: Buffer.alloc(32) };
  readonly #keys = new Map<string, Opened['answers'][number]>();

  constructor(plan: BoardPlan, config: BoardConfig) {
    this.plan = plan;
    this.#config = config;
    this.seats = Array.from({ length: plan.seatCount }, () => {
      return { status: 'available', hold_id: null, until_ms: null, ticket_id: null, version: 1 };
    });
    this.zones = config.zones.map(() => ({ held: 0, sold: 0, blocked: 0 }));
    this.first = this.content();
  }

  get revision(): number {
    return this.log.length;
  }

  get hash(): string {
    return this.log.at(-1)?.hash ?? '0'.repeat(64);
  }

  /** Everything at this moment. */
  content(): BoardContent {
    const words: readonly string[] = SEAT_WORDS;
    const live = [...this.holds.values()].filter(({ status }) => status === 'active');
    return {
      revision: this.revision,
      hash: this.hash,
      at_ms: this.log.at(-1)?.at_ms ?? 0,
      config: this.#config,
      codes: Uint8Array.from(this.seats, ({ status, ticket_id }) => {
        // A ticket lies under the block.
        return status === 'blocked' && ticket_id !== null ? 7 : words.indexOf(status);
      }),
      versions: Uint32Array.from(this.seats, ({ version }) => version),
      counts: this.zones.map((counts) => ({ ...counts })),
      holds: live.map(({ hold, until_ms }) => ({ ...hold, until_ms })),
      checkouts: this.sales.open(),
      tasks: this.#tasks,
      keyed: [...new Set([...this.#keys.values()].map(({ userId }) => userId))],
    };
  }

  board(): Board {
    return new Board(this.plan, this.content());
  }

  rowsFrom(revision: number, most = MOST_ROWS): ChangeRow[] {
    const rows = this.log.slice(Math.max(0, revision - 1), Math.max(0, revision - 1) + most);
    return rows.map(({ text, ...row }) => {
      return { ...row, ...(row.revision > revision ? JSON.parse(text) : NOTHING) };
    });
  }

  open(asked: Asked, now_ms: number): Opened {
    const rows = this.rowsFrom(asked.revision);
    return {
      head: { revision: this.revision, hash: this.hash, audit: this.#auditHead },
      now_ms,
      organizationActive: true,
      rows,
      more: rows.length >= MOST_ROWS,
      answers: asked.keys.flatMap((key) => this.#keys.get(nameOf(key)) ?? []),
      memberships: new Map(asked.users.map((user) => [user, null])),
      sales: this.sales.answer(asked.sales),
      unsettledFlush:
        asked.unsettled === null ? null : (this.log[asked.unsettled - 1]?.flush_id ?? null),
    };
  }

  /** All of it, or an error and nothing. */
  write(flush: Flush, guarded = true): void {
    const found = guarded ? this.#contradictions(flush) : [];
    if (found.length > 0) throw new GuardError(found.join(', '));
    const { row, text, seats, newHolds, endedHolds, changedHolds } = flush;
    const { changes: _, keyed: __, ...kept } = row;
    this.log.push({ ...kept, text });
    this.audit.push(...flush.audit);
    this.#auditHead = { ...flush.auditHead };
    for (const { ordinal, status, hold, ticket } of seats) {
      const before = this.seats[ordinal];
      const version = (before?.version ?? 0) + 1;
      const ticket_id = ticket === undefined ? (before?.ticket_id ?? null) : ticket;
      const { hold_id = null, until_ms = null } = hold ?? {};
      this.seats[ordinal] = { status, hold_id, until_ms, ticket_id, version };
    }
    for (const { hold_id, end } of endedHolds) this.#row(hold_id).status = end.status;
    for (const { hold_id, until_ms, checkout_id } of changedHolds) {
      const before = this.#row(hold_id);
      const hold = { ...before.hold, checkout_id };
      this.holds.set(hold_id, { ...before, hold, until_ms });
    }
    for (const { hold, seat_id, zone_id, end } of newHolds) {
      const status = end?.status ?? 'active';
      const { until_ms } = hold;
      this.holds.set(hold.hold_id, { hold, seat_id, zone_id, until_ms, status });
    }
    if (flush.sales) this.sales.write(flush.sales, row.at_ms);
    for (const [zone, counts] of this.#countsAfter(flush)) this.zones[zone] = counts;
    for (const { bodyHash, answer, ...key } of flush.keys) {
      const stored = { bodyHash: bodyHash.toString('hex'), answer: JSON.parse(answer) as unknown };
      this.#keys.set(nameOf(key), { ...key, ...stored });
    }
    this.#config = flush.config ?? this.#config;
    this.#tasks = flush.tasks ?? this.#tasks;
  }

  #contradictions(flush: Flush): string[] {
    const ended = new Set(flush.endedHolds.map(({ hold_id }) => hold_id));
    const taken = new Set(
      [...this.holds.values()]
        .filter(({ hold, status }) => status === 'active' && !ended.has(hold.hold_id))
        .map(({ seat_id }) => seat_id),
    );
    const isLive = ({ hold_id }: { hold_id: string }) =>
      this.holds.get(hold_id)?.status === 'active';
    const checks: Record<string, boolean> = {
      revision: flush.row.revision === this.revision + 1,
      seats: flush.seats.every(({ ordinal, expected_version, expected_hold }) => {
        const seat = this.seats[ordinal];
        return seat?.version === expected_version && seat.hold_id === expected_hold;
      }),
      'ended holds': flush.endedHolds.every(isLive),
      'changed holds': flush.changedHolds.every(isLive),
      sales: flush.sales === null || this.sales.agreesWith(flush.sales),
      'new holds': flush.newHolds.every(({ hold }) => !this.holds.has(hold.hold_id)),
      'one live hold of a seat': flush.newHolds.every(
        ({ seat_id, end }) => seat_id === null || end !== null || !taken.has(seat_id),
      ),
      counters: [...this.#countsAfter(flush)].every(([zone, { held, sold, blocked }]) => {
        const capacity = this.#config.zones[zone]?.capacity ?? 0;
        return Math.min(held, sold, blocked) >= 0 && held + sold + blocked <= capacity;
      }),
      keys: flush.keys.every((key) => !this.#keys.has(nameOf(key))),
      trail: flush.auditHead.count === this.#auditHead.count + flush.audit.length,
    };
    return Object.keys(checks).filter((name) => !checks[name]);
  }

  #countsAfter({ zones }: Flush): Map<number, ZoneCounts> {
    return new Map(
      zones.map(({ zone_id, held, sold, blocked }) => {
        const zone = this.#config.zones.findIndex((one) => one.zone_id === zone_id);
        const before = this.zones[zone] ?? { held: 0, sold: 0, blocked: 0 };
        return [
          zone,
          {
            held: before.held + held,
            sold: before.sold + sold,
            blocked: before.blocked + blocked,
          },
        ];
      }),
    );
  }

  #row(holdId: string): HoldRow {
    const row = this.holds.get(holdId);
    if (!row) throw new GuardError('a hold that is not there');
    return row;
  }
}

function nameOf({ userId, route, key }: { userId: string; route: string; key: string }): string {
  return JSON.stringify([userId, route, key]);
}
