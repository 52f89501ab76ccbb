import { availabilityOf, type Board, type BoardConfig } from '#board';
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
  const here = { revision: current.revision, digest: current.digest };
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
  const matches = board.revision === here.revision ? board.digest === here.digest : null;
  const { seats } = availabilityOf(board, Number.NEGATIVE_INFINITY);
  return { kind: 'board', board, seats, rows, matches };
}

/** What happened after a revision, with who and why; null: no such event on sale. */
export async function changesAfter(
  engine: Engine,
  event: EventRef,
  { after, limit }: { after: number; limit: number },
): Promise<readonly ToldRow[] | null> {
  const { scope, eventId } = event;
  return engine.postgres.transaction(scope, LOOK, async (transaction) => {
    const [head] = await transaction.query(findHeadRevision(scope.organizationId, eventId));
    if (!head) return null;
    const rows = await readChanges(transaction, event, after, limit);
    const told: ToldRow[] = [];
    let board: Board | null = null;
    for (const row of rows) {
      const isNew = row.changes.some(({ kind }) => kind === 'planned');
      // Ordinals are those of the plan in force, which a snapshot of its first revision has.
      if (!board || isNew) {
        board = await openSnapshot(transaction, event, row.revision, planOf(engine, event));
      }
      if (!board) continue;
      const known = await knownIn(transaction, event, board, row);
      told.push(tellRow(board, row, (id) => known.get(id)));
    }
    return told;
  });
}

async function knownIn(
  transaction: Transaction,
  { scope, eventId }: EventRef,
  board: Board,
  { changes }: LoggedRow,
): Promise<Map<string, HoldKnown>> {
  const ids = changes.flatMap((change) => {
    if (change.kind === 'ended') return change.holds;
    return change.kind === 'extended' ? change.holds.map(([id]) => id) : [];
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
