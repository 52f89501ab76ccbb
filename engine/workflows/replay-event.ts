import { availabilityOf, type Board, type BoardConfig, type ChangeRow, isBarrier } from '#board';
import { nextTurn, systemClock } from '#kit';
import type { Postgres, Transaction } from '#postgres';
import {
  type EventRef,
  findHeadRevision,
  type LoggedRow,
  openSnapshot,
  PostgresStore,
  pastHolds,
  readChanges,
  replayBoard,
  revisionAt,
} from '#registry';
import type { Engine } from './change.ts';
import { type MapChange, MapDiff } from './map-diff.ts';
import { type HoldKnown, type ToldRow, tellRow } from './told-changes.ts';

/** Drawings are read once, also for looking back. */
const stores = new WeakMap<Postgres, PostgresStore>();

function planOf(engine: Engine, { scope }: EventRef) {
  const store = stores.get(engine.postgres) ?? new PostgresStore(engine.postgres);
  stores.set(engine.postgres, store);
  return (layout: BoardConfig['layout'], seats: number) => store.plans.get(scope, layout, seats);
}

const LOOK = { name: 'board.replay', mode: 'isolation level repeatable read read only' } as const;

export type PastBoard = Readonly<{
  kind: 'board';
  board: Board;
  seats: Uint8Array;
  /** Rows that were applied to the snapshot it began with. */
  rows: number;
  /** Whether it is what is in memory; null: not the last revision. */
  matches: boolean | null;
}>;

type Missing = Readonly<{ kind: 'event_not_found' } | { kind: 'not_kept' }>;
type Broken = Readonly<{ kind: 'broken'; revision: number }>;

/** The board as it was: at a revision, at a time, or now, from snapshots and the log alone. */
export async function boardAt(
  engine: Engine,
  event: EventRef,
  when: { revision?: number | undefined; at?: string | undefined },
): Promise<PastBoard | Missing | Broken> {
  const current = await engine.registry.current(event);
  if (!current) return { kind: 'event_not_found' };
  const { revision } = current;
  const here = { revision, full: current.digest, bare: current.digestOf({ owners: false }) };
  const { organizationId } = event.scope;
  const replayed = await engine.postgres.transaction(event.scope, LOOK, async (transaction) => {
    const [found] =
      when.at === undefined
        ? [{ revision: when.revision ?? here.revision }]
        : await transaction.query(revisionAt(organizationId, event.eventId, when.at));
    if (!found) return { kind: 'not_kept' } as const;
    return replayBoard(transaction, event, found.revision, planOf(engine, event));
  });
  if (replayed.kind !== 'board') return replayed;
  const { board, rows } = replayed;
  const digest = board.knowsOwners ? here.full : here.bare;
  const matches = board.revision === here.revision ? board.digest === digest : null;
  const { seats } = availabilityOf(board, Number.NEGATIVE_INFINITY);
  return { kind: 'board', board, seats, rows, matches };
}

type Wanted = Readonly<{ after: number; limit: number; map?: boolean | undefined }>;
export type ReplayedRow = ToldRow & { map?: MapChange };

/**
 * What happened after a revision, with who and why, and on request what each row has changed on
 * the map; null: no such event on sale.
 */
export async function changesAfter(
  engine: Engine,
  event: EventRef,
  { after, limit, map = false }: Wanted,
): Promise<Readonly<{ rows: readonly ReplayedRow[]; next: number | null }> | null> {
  const { scope, eventId } = event;
  return engine.postgres.transaction(scope, LOOK, async (transaction) => {
    const [head] = await transaction.query(findHeadRevision(scope.organizationId, eventId));
    if (!head) return null;
    const found = await readChanges(transaction, event, after, limit + 1);
    const rows = found.slice(0, limit);
    const moving = map ? new Moving(engine, transaction, event) : null;
    await moving?.begin(after);
    const told: ReplayedRow[] = [];
    let board: Board | null = null;
    for (const row of rows) {
      // Ordinals are those of the plan in force, which a snapshot of its first revision has.
      if (!board || isBarrier(row)) {
        board = await openSnapshot(transaction, event, row.revision, planOf(engine, event));
      }
      if (!board) continue;
      const known = await knownIn(transaction, event, board, row);
      const moved = await moving?.take(row);
      const line = tellRow(board, row, (id) => known.get(id));
      told.push(moved ? { ...line, map: moved } : line);
    }
    const next = found.length > limit ? (rows.at(-1)?.revision ?? null) : null;
    return { rows: told, next };
  });
}

/** Looking back must not keep a sale waiting. */
const SLICE_MS = 5;

/** A board that goes through rows one by one, and says what is different after each. */
class Moving {
  readonly #engine: Engine;
  readonly #transaction: Transaction;
  readonly #event: EventRef;
  #now: { board: Board; diff: MapDiff } | null = null;
  #until_ms = 0;

  constructor(engine: Engine, transaction: Transaction, event: EventRef) {
    this.#engine = engine;
    this.#transaction = transaction;
    this.#event = event;
  }

  /** Where nothing is kept, or the log was altered, there is no map until the next plan. */
  async begin(revision: number): Promise<void> {
    const plan = planOf(this.#engine, this.#event);
    const replayed = await replayBoard(this.#transaction, this.#event, revision, plan);
    if (replayed.kind === 'board') this.#follow(replayed.board);
  }

  /** Null: the row cannot be told by what it changes, only by the board after it. */
  async take(row: ChangeRow): Promise<MapChange | null> {
    if (isBarrier(row)) {
      const plan = planOf(this.#engine, this.#event);
      const board = await openSnapshot(this.#transaction, this.#event, row.revision, plan);
      this.#now = null;
      if (board?.revision === row.revision) this.#follow(board);
      return null;
    }
    if (!this.#now) return null;
    if (systemClock.monotonic() > this.#until_ms) {
      await nextTurn();
      this.#until_ms = systemClock.monotonic() + SLICE_MS;
    }
    this.#now.board.advance(row);
    return this.#now.diff.next();
  }

  #follow(board: Board): void {
    this.#now = { board, diff: new MapDiff(board) };
  }
}

async function knownIn(
  transaction: Transaction,
  { scope, eventId }: EventRef,
  board: Board,
  { changes }: LoggedRow,
): Promise<Map<string, HoldKnown>> {
  const ids = changes.flatMap((change) => {
    if (change.kind === 'ended') return change.holds;
    if (change.kind === 'checkout_started') return change.items.map(([id]) => id);
    const lives = change.kind === 'extended' || change.kind === 'reduced';
    return lives ? change.holds.map(([id]) => id) : [];
  });
  if (ids.length === 0) return new Map();
  const rows = await transaction.query(pastHolds(scope.organizationId, eventId, ids));
  return new Map(
    rows.map(({ hold_id, user_id, seat_id, zone_id, quantity }) => {
      const ordinal = seat_id === null ? -1 : (board.plan.ordinalOf(seat_id) ?? -1);
      const zone = board.config.zones.findIndex((one) => one.zone_id === zone_id);
      return [hold_id, { user_id, ordinal, zone, quantity }];
    }),
  );
}

/** Rows of one reading of an export. */
const PAGE = 500;

/** Every row of the log that is kept, as it is sealed: whoever has them can verify them. */
export async function* exportLog(
  engine: Engine,
  event: EventRef,
  after: number,
): AsyncGenerator<LoggedRow> {
  for (let from = after; ; ) {
    const page = await engine.postgres.transaction(event.scope, LOOK, (transaction) =>
      readChanges(transaction, event, from, PAGE),
    );
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    from = last.revision;
  }
}
