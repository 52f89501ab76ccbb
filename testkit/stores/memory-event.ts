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
import type { GuardsOff } from './guards.ts';
import { contradictions } from './memory-guards.ts';
import { MemorySales } from './memory-sales.ts';

type Asked = ReturnType<Parameters<Store['transact']>[1]>;
type Opened = Parameters<Parameters<Store['transact']>[2]>[0];
type SeatRow = Readonly<{
  status: string;
  hold_id: string | null;
  until_ms: number | null;
  ticket_id: string | null;
  version: number;
}>;
type HoldRow = Readonly<{
  hold: Hold;
  seat_id: string | null;
  zone_id: string | null;
  until_ms: number;
  status: string;
}>;
type KeyRow = Readonly<{ name: Flush['keys'][number]; bodyHash: string; answer: string }>;

/** A row of the log with its text, as it is hashed. */
export type LogRow = Readonly<{ row: ChangeRow; text: string }>;

const MOST_ROWS = 1_000;

/** A write that does not find what it says it must. */
export class GuardError extends Error {}

/** The rows of one event. What is written finds what it must, as in the statement, or throws. */
export class MemoryEvent {
  readonly plan: BoardPlan;
  readonly first: BoardContent;
  sales = new MemorySales((holdId) => this.holds.get(holdId));
  log: LogRow[] = [];
  audit: (AuditRow & { hash: Buffer })[] = [];
  holds = new Map<string, HoldRow>();
  seats: SeatRow[];
  zones: ZoneCounts[];
  /** The live hold of each seat, as the unique index knows it. */
  live = new Map<string, string>();
  keys = new Map<string, KeyRow>();
  auditHead: ChainHead = { count: 0, hash: Buffer.alloc(32) };
  config: BoardConfig;
  #tasks: BoardContent['tasks'] = [];
  #released = new Set<string>();
  /** Rows travel as text, as they really do; else whoever reads shares them. */
  readonly #copies: boolean;

  constructor(plan: BoardPlan, config: BoardConfig, copies = true) {
    this.plan = plan;
    this.config = config;
    this.#copies = copies;
    const seat = { status: 'available', hold_id: null, until_ms: null, ticket_id: null };
    this.seats = Array.from({ length: plan.seatCount }, () => ({ ...seat, version: 1 }));
    this.zones = config.zones.map(() => ({ held: 0, sold: 0, blocked: 0 }));
    this.first = this.content();
  }

  get revision(): number {
    return this.log.at(-1)?.row.revision ?? 0;
  }

  get hash(): string {
    return this.log.at(-1)?.row.hash ?? '0'.repeat(64);
  }

  /** Everything at this moment. */
  content(): BoardContent {
    const words: readonly string[] = SEAT_WORDS;
    const live = [...this.holds.values()].filter(({ status }) => status === 'active');
    return {
      revision: this.revision,
      hash: this.hash,
      at_ms: this.log.at(-1)?.row.at_ms ?? 0,
      config: this.config,
      codes: Uint8Array.from(this.seats, ({ status, ticket_id }) => {
        // A ticket lies under the block.
        return status === 'blocked' && ticket_id !== null ? 7 : words.indexOf(status);
      }),
      versions: Uint32Array.from(this.seats, ({ version }) => version),
      counts: this.zones.map((counts) => ({ ...counts })),
      holds: live.map(({ hold, until_ms }) => ({ ...hold, until_ms })),
      checkouts: this.sales.open(),
      tasks: this.#tasks,
      released: this.config.zones.flatMap(({ zone_id }, zone) =>
        this.#released.has(zone_id) ? [zone] : [],
      ),
      keyed: [...new Set([...this.keys.values()].map(({ name }) => name.userId))],
      owners: [...this.sales.tickets.values()].flatMap(({ status, seat_id, user_id }) => {
        const ordinal = status === 'active' && seat_id ? this.plan.ordinalOf(seat_id) : undefined;
        const kept = ordinal !== undefined && this.plan.seating.companions.has(ordinal);
        return kept ? [[ordinal, user_id] as const] : [];
      }),
    };
  }

  board(): Board {
    return new Board(this.plan, this.content());
  }

  rowsFrom(revision: number, most = MOST_ROWS): ChangeRow[] {
    const from = Math.max(0, revision - 1);
    return this.log.slice(from, from + most).map(({ row, text }) => {
      if (row.revision <= revision) return { ...row, changes: [], keyed: [] };
      return this.#copies ? { ...row, ...JSON.parse(text) } : row;
    });
  }

  open(asked: Asked, now_ms: number, clock: Opened['clock']): Opened {
    const rows = this.rowsFrom(asked.revision);
    return {
      head: { revision: this.revision, hash: this.hash, audit: this.auditHead },
      now_ms,
      clock,
      organizationActive: true,
      rows,
      more: rows.length >= MOST_ROWS,
      answers: asked.keys.flatMap((key) => {
        const { name, bodyHash, answer } = this.keys.get(nameOf(key)) ?? {};
        if (!name || !bodyHash || !answer) return [];
        const { userId, route, key: word } = name;
        return [{ userId, route, key: word, bodyHash, answer: JSON.parse(answer) as unknown }];
      }),
      memberships: new Map(asked.users.map((user) => [user, null])),
      owned: this.sales.ownedBy(asked.users),
      sales: this.sales.answer(asked.sales),
      unsettledFlush:
        asked.unsettled === null ? null : (this.log[asked.unsettled - 1]?.row.flush_id ?? null),
    };
  }

  /** All of it, or an error and nothing. */
  write(flush: Flush, off: GuardsOff): void {
    const found = contradictions(this, flush, off);
    if (found.length > 0) throw new GuardError(found.join(', '));
    const { row, text } = flush;
    this.log.push({ row, text });
    this.audit.push(...flush.audit);
    this.auditHead = flush.auditHead;
    this.#writeSeats(flush);
    this.#writeHolds(flush);
    if (flush.sales) this.sales.write(flush.sales, row.at_ms);
    for (const [zone, counts] of this.countsAfter(flush)) this.zones[zone] = counts;
    this.keep([...flush.keys, ...flush.idle]);
    for (const { zone_id, released } of flush.companions) {
      if (released) this.#released.add(zone_id);
      else this.#released.delete(zone_id);
    }
    this.config = flush.config ?? this.config;
    this.#tasks = flush.tasks ?? this.#tasks;
  }

  /** Keys with their answers. */
  keep(keys: Flush['keys']): void {
    for (const name of keys) {
      const { bodyHash, answer } = name;
      this.keys.set(nameOf(name), { name, bodyHash: bodyHash.toString('hex'), answer });
    }
  }

  /** Brings back what is now: a standby that has not heard of what comes after. */
  remember(): () => void {
    const { log, audit, auditHead, config } = this;
    const [rows, entries] = [log.length, audit.length];
    const kept = {
      holds: new Map(this.holds),
      seats: [...this.seats],
      zones: [...this.zones],
      live: new Map(this.live),
      keys: new Map(this.keys),
    };
    const [tasks, released, sales] = [
      this.#tasks,
      new Set(this.#released),
      this.sales.remember(),
    ] as const;
    return () => {
      this.log = this.log.slice(0, rows);
      this.audit = this.audit.slice(0, entries);
      Object.assign(this, kept, { auditHead, config });
      this.#tasks = tasks;
      this.#released = released;
      sales();
    };
  }

  countsAfter({ zones }: Flush): Map<number, ZoneCounts> {
    const after = new Map<number, ZoneCounts>();
    for (const { zone_id, held, sold, blocked } of zones) {
      const zone = this.config.zones.findIndex((one) => one.zone_id === zone_id);
      const before = this.zones[zone] ?? { held: 0, sold: 0, blocked: 0 };
      after.set(zone, {
        held: before.held + held,
        sold: before.sold + sold,
        blocked: before.blocked + blocked,
      });
    }
    return after;
  }

  #writeSeats({ seats }: Flush): void {
    for (const { ordinal, status, hold, ticket } of seats) {
      const before = this.seats[ordinal];
      const version = (before?.version ?? 0) + 1;
      const ticket_id = ticket === undefined ? (before?.ticket_id ?? null) : ticket;
      const { hold_id = null, until_ms = null } = hold ?? {};
      this.seats[ordinal] = { status, hold_id, until_ms, ticket_id, version };
    }
  }

  #writeHolds({ newHolds, endedHolds, changedHolds }: Flush): void {
    for (const { hold_id, end } of endedHolds) {
      const before = this.holds.get(hold_id);
      if (!before) continue;
      this.holds.set(hold_id, { ...before, status: end.status });
      if (before.seat_id && this.live.get(before.seat_id) === hold_id) {
        this.live.delete(before.seat_id);
      }
    }
    for (const { hold_id, until_ms, checkout_id, quantity } of changedHolds) {
      const before = this.holds.get(hold_id);
      if (!before) continue;
      const hold = { ...before.hold, checkout_id, quantity };
      this.holds.set(hold_id, { ...before, hold, until_ms });
    }
    for (const { hold, seat_id, zone_id, end } of newHolds) {
      const status = end?.status ?? 'active';
      const { until_ms } = hold;
      this.holds.set(hold.hold_id, { hold, seat_id, zone_id, until_ms, status });
      if (seat_id && !end) this.live.set(seat_id, hold.hold_id);
    }
  }
}

export function nameOf(key: { userId: string; route: string; key: string }): string {
  return `${key.userId} ${key.route} ${key.key}`;
}
