import type { Membership, Role } from '#accounts';
import type { Board, ChangeRow } from '#board';
import { messageName } from '#board';
import { nextTurn, OperatingError } from '#kit';
import {
  type Connection,
  classify,
  type Finish,
  type Postgres,
  type Statement,
  stateOf,
  type Transaction,
} from '#postgres';
import type { OwnedRow } from '#tickets';
import type { ClockRead, NewDrift } from './database-time.ts';
import {
  type ClockRow,
  dropTasks,
  type LogRow,
  lockEvent,
  type OpenedRow,
  putConfig,
  putIdleKeys,
  putPeople,
  putTasks,
  readClock,
  readHeads,
  readLog,
  readMoreUnderLock,
  readUnderLock,
  setCompanions,
  setDrift,
} from './flush.sql.ts';
import { insertSnapshot } from './load.sql.ts';
import { loadBoard } from './load-board.ts';
import { PlanCache } from './load-plan.ts';
import { readRow } from './log.ts';
import {
  type Asked,
  type BoardHead,
  type Decision,
  type EventRef,
  type Flush,
  isFlush,
  type Keeping,
  type Opened,
  type Store,
  type Transacted,
  type Trouble,
} from './ports.ts';
import { readSales, type SalesRow, writeSales } from './sales.sql.ts';
import { MOST_ROWS } from './slot.ts';
import { packContent } from './snapshot.ts';
import { writeOf } from './write-of.ts';

/** As a careful client has in a day, many times over; 1 kB each. */
const MOST_IDLE_KEYS = 1_000;
const SNAPSHOT = 'isolation level repeatable read read only' as const;

/** The store that counts. */
export class PostgresStore implements Store {
  readonly #postgres: Postgres;
  readonly plans: PlanCache;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
    this.plans = new PlanCache(postgres);
  }

  load(event: EventRef): Promise<Board | null> {
    const { scope } = event;
    return this.#postgres.transaction(scope, { name: 'board.load', mode: SNAPSHOT }, (one) =>
      loadBoard(one, event, (layout, seats) => this.plans.get(scope, layout, seats), nextTurn),
    );
  }

  async transact(
    event: EventRef,
    ask: () => Asked,
    decide: (opened: Opened, asked: Asked) => Decision,
  ): Promise<Transacted> {
    try {
      return await this.#postgres.writers.use((connection) =>
        transact(connection, event, ask(), decide),
      );
    } catch (error) {
      return { kind: 'failed', trouble: troubleOf(error), error };
    }
  }

  async rowsFrom({ scope, eventId }: EventRef, revision: number, most: number) {
    const { organizationId } = scope;
    const rows = await this.#postgres.ask(scope, readLog(organizationId, eventId, revision, most));
    return rows.map(rowOf);
  }

  async heads(events: readonly EventRef[]): Promise<BoardHead[]> {
    const ids = events.map(({ eventId }) => eventId);
    const rows = await this.#postgres.ask(null, readHeads(ids));
    return rows.map(({ event_id, revision, hash }) => ({ eventId: event_id, revision, hash }));
  }

  async clock(): Promise<ClockRead> {
    const [row] = await this.#postgres.ask(null, readClock());
    return clockOf(row);
  }

  async setDrift({ epoch, drift_ms, isJump, from_ms, until_ms }: NewDrift): Promise<boolean> {
    const options = { name: 'clock.set_drift', pool: 'jobs' } as const;
    const set = (one: Transaction) =>
      one.query(setDrift(epoch, drift_ms, isJump, from_ms, until_ms));
    return (await this.#postgres.transaction(null, options, set)).length > 0;
  }

  async saveSnapshot({ scope, eventId }: EventRef, board: Board): Promise<void> {
    const content = board.content();
    const { revision, at_ms, hash } = content;
    const packed = await packContent(content);
    const options = { name: 'board.snapshot', pool: 'jobs' } as const;
    await this.#postgres.transaction(scope, options, (transaction) =>
      transaction.query(
        insertSnapshot(scope.organizationId, eventId, revision, at_ms, hash, packed),
      ),
    );
  }
}

async function transact(
  connection: Connection,
  { scope, eventId }: EventRef,
  asked: Asked,
  decide: (opened: Opened, asked: Asked) => Decision,
): Promise<Transacted> {
  const { organizationId } = scope;
  const [heads, reads, sales] = await connection.begin(organizationId, [
    lockEvent(organizationId, eventId),
    question(organizationId, eventId, asked),
    ...salesQuestion(organizationId, eventId, asked),
  ]);
  const found = (sales ?? []) as SalesRow[];
  const opened = openedOf(asked, heads as HeadRow[], reads as OpenedRow[], found);
  const flush = decide(opened, asked);
  if (!flush) {
    await connection.rollback();
    return { kind: 'nothing' };
  }
  if (flush === 'commit') return transactedBy(await connection.commit());
  if (!isFlush(flush)) {
    return transactedBy(await connection.finish(keepIdle(organizationId, eventId, flush)));
  }
  const statements = [...flush.also, ...rareWrites(organizationId, eventId, flush)];
  const write = writeOf(organizationId, eventId, flush);
  return transactedBy(await connection.finish(write, statements));
}

function transactedBy(finish: Finish<unknown>): Transacted {
  if (finish.kind === 'committed') return { kind: 'committed' };
  if (finish.kind === 'unknown') return finish;
  return { kind: 'failed', trouble: troubleOf(finish.error), error: finish.error };
}

type HeadRow = {
  revision: number;
  lineage_head: Buffer;
  audit_count: number;
  audit_head: Buffer;
};

function question(organizationId: string, eventId: string, asked: Asked): Statement<unknown> {
  const { revision, keys, users, unsettled } = asked;
  if (keys.length === 0 && users.length === 0 && unsettled === null) {
    return readUnderLock(organizationId, eventId, revision, MOST_ROWS);
  }
  return readMoreUnderLock(
    organizationId,
    eventId,
    revision,
    MOST_ROWS,
    keys.map(({ userId }) => userId),
    keys.map(({ route }) => route),
    keys.map(({ key }) => key),
    users,
    unsettled,
  );
}

function salesQuestion(
  organizationId: string,
  eventId: string,
  { sales }: Asked,
): Statement<unknown>[] {
  if (!sales) return [];
  const { checkouts, messages, tickets } = sales;
  const providers = messages.map(({ provider }) => provider);
  const ids = messages.map(({ message_id }) => message_id);
  return [readSales(organizationId, eventId, checkouts, providers, ids, tickets)];
}

function openedOf(
  asked: Asked,
  [head]: readonly HeadRow[],
  [read]: readonly OpenedRow[],
  [sales]: readonly SalesRow[],
): Opened {
  const rows = read?.rows ?? [];
  const members = new Map((read?.members ?? []).map((one) => [one.user_id, memberOf(one)]));
  return {
    head: head
      ? {
          revision: head.revision,
          hash: head.lineage_head.toString('hex'),
          audit: { count: head.audit_count, hash: head.audit_head },
        }
      : null,
    now_ms: read?.now_ms ?? 0,
    clock: clockOf(read).state,
    organizationActive: read?.organization === 'active',
    rows: rows.map(rowOf),
    more: rows.length >= MOST_ROWS,
    answers: read?.answers ?? [],
    memberships: new Map(asked.users.map((user) => [user, members.get(user) ?? null])),
    owned: ownedBy(asked.users, read?.owned ?? []),
    sales: {
      checkouts: new Map((sales?.checkouts ?? []).map((one) => [one.checkout_id, one])),
      messages: new Map((sales?.messages ?? []).map((one) => [messageName(one), one])),
      tickets: new Map((sales?.tickets ?? []).map((one) => [one.ticket_id, one])),
    },
    unsettledFlush: read?.unsettled ?? null,
  };
}

/** Of everybody who was asked about, also of those who have nothing. */
function ownedBy(users: readonly string[], rows: readonly OwnedRow[]): Opened['owned'] {
  return new Map(users.map((user) => [user, rows.filter(({ user_id }) => user_id === user)]));
}

function clockOf(row: ClockRow | undefined): ClockRead {
  const { now_ms = 0, slewing_since_ms = null } = row ?? {};
  const state = {
    epoch: row?.epoch ?? 0,
    drift_ms: row?.drift_ms ?? 0,
    jumps: row?.jumps ?? 0,
    slewing_since_ms,
    changed_ms: row?.changed_ms ?? 0,
  };
  return { wall_ms: now_ms, state };
}

function memberOf({ role, tier, active }: { role: string; tier: string | null; active: boolean }) {
  return { role: role as Role, tier, active } satisfies Membership;
}

/** The board's own row comes without its changes. */
function rowOf({ text, ...row }: LogRow): ChangeRow {
  return readRow({ ...row, text: text ?? '{"changes":[],"keyed":[]}' });
}

function rareWrites(organizationId: string, eventId: string, flush: Flush): Statement<unknown>[] {
  const { config, tasks, sales, companions, people, idle } = flush;
  const writes: Statement<unknown>[] = [];
  if (sales) {
    writes.push(
      writeSales(
        organizationId,
        eventId,
        flush.row.at_ms,
        JSON.stringify(sales.checkouts),
        JSON.stringify(sales.attempts),
        JSON.stringify(sales.messages),
        JSON.stringify(sales.refunds),
        JSON.stringify(sales.refunded),
        JSON.stringify(sales.tickets),
        JSON.stringify(sales.ended),
        JSON.stringify(sales.reseated),
      ),
    );
  }
  if (companions.length > 0) {
    const zones = companions.map(({ zone_id }) => zone_id);
    const released = companions.map((one) => one.released);
    writes.push(setCompanions(organizationId, eventId, zones, released));
  }
  if (people.length > 0) {
    const holds = people.map(({ hold_id }) => hold_id);
    const users = people.map(({ user_id }) => user_id);
    writes.push(putPeople(organizationId, eventId, holds, users));
  }
  if (config) {
    const policy = JSON.stringify(config.policy);
    writes.push(putConfig(organizationId, eventId, config.version, policy));
  }
  if (idle.length > 0) {
    writes.push(keepIdle(organizationId, eventId, { at_ms: flush.row.at_ms, idle }));
  }
  if (tasks) {
    writes.push(
      tasks.length > 0
        ? putTasks(organizationId, eventId, JSON.stringify(tasks))
        : dropTasks(organizationId, eventId),
    );
  }
  return writes;
}

function keepIdle(organizationId: string, eventId: string, { at_ms, idle }: Keeping) {
  return putIdleKeys(
    organizationId,
    eventId,
    at_ms,
    idle.map(({ userId }) => userId),
    idle.map(({ route }) => route),
    idle.map(({ key }) => key),
    idle.map(({ bodyHash }) => bodyHash.toString('hex')),
    idle.map(({ answer }) => answer),
    MOST_IDLE_KEYS,
  );
}

/** Last guards behind the flush's own: when one of these speaks, the board was wrong. */
export const LAST_GUARDS = [
  'seat_holds_one_active',
  'event_zones_check',
  'seat_changes_pkey',
  'audit_log_pkey',
  'checkouts_open',
  'payment_attempts_checkout_id_place_key',
  'payment_messages_pkey',
  'refunds_due_attempt',
  'refunds_due_ticket',
  'tickets_one_per_seat',
];

function troubleOf(error: unknown): Trouble {
  if (error instanceof OperatingError) {
    return error.code === 'overloaded' ? 'overloaded' : 'unavailable';
  }
  const state = stateOf(error) ?? '';
  const { constraint } = (error ?? {}) as { constraint?: string };
  if (state === 'VG010' || (constraint && LAST_GUARDS.includes(constraint))) return 'guard';
  if (/^(22|23)/.test(state)) return 'poison';
  const failure = classify(error);
  if (failure === 'conflict') return 'conflict';
  return failure === 'final' ? 'fault' : 'unavailable';
}
