import { Board, type BoardConfig, type BoardPlan, type ChangeRow, isBarrier } from '#board';
import { assert, nextTurn, systemClock } from '#kit';
import type { Transaction } from '#postgres';
import { readLog } from './flush.sql.ts';
import { findSnapshot } from './load.sql.ts';
import { hashRow, readRow } from './log.ts';
import type { EventRef } from './ports.ts';
import { unpackContent } from './snapshot.ts';

/** The log is read in pages, so that others have their turn. */
const PAGE = 500;
/** Looking back must not keep a sale waiting. */
const SLICE_MS = 5;

export type Replayed =
  | Readonly<{ kind: 'board'; board: Board; rows: number }>
  /** Older than what is kept, or not there yet. */
  | Readonly<{ kind: 'not_kept' }>
  /** This row does not follow from the one before it. */
  | Readonly<{ kind: 'broken'; revision: number }>;

type PlanOf = (layout: BoardConfig['layout'], seatCount: number) => Promise<BoardPlan>;

/** The youngest board that is kept at or before a revision; null: none is. */
export async function openSnapshot(
  transaction: Transaction,
  { scope, eventId }: EventRef,
  revision: number,
  planOf: PlanOf,
): Promise<Board | null> {
  const found = await transaction.query(findSnapshot(scope.organizationId, eventId, revision));
  if (!found[0]) return null;
  const content = await unpackContent(found[0].content);
  return new Board(await planOf(content.config.layout, content.codes.length), content);
}

/** A row with what it says, for people and for export. */
export type LoggedRow = ChangeRow;

/** Rows after a revision. */
export async function readChanges(
  transaction: Transaction,
  { scope, eventId }: EventRef,
  after: number,
  most: number,
): Promise<LoggedRow[]> {
  const query = readLog(scope.organizationId, eventId, after, most + 1);
  const rows = (await transaction.query(query)).filter(({ revision }) => revision > after);
  return rows.slice(0, most).map(({ text, ...row }) => {
    assert(text, 'rows after the first have their changes');
    return readRow({ ...row, text });
  });
}

/** The board as it was at a revision: the last snapshot before it, and the log from there. */
export async function replayBoard(
  transaction: Transaction,
  { scope, eventId }: EventRef,
  revision: number,
  planOf: PlanOf,
): Promise<Replayed> {
  const { organizationId } = scope;
  const board = await openSnapshot(transaction, { scope, eventId }, revision, planOf);
  if (!board) return { kind: 'not_kept' };
  let rows = 0;
  let until_ms = systemClock.monotonic() + SLICE_MS;
  while (board.revision < revision) {
    const page = await transaction.query(readLog(organizationId, eventId, board.revision, PAGE));
    const next = page.filter((row) => row.revision > board.revision && row.revision <= revision);
    if (next.length === 0) return { kind: 'not_kept' };
    for (const { text, ...row } of next) {
      assert(text, 'rows after the first have their changes');
      const expected = hashRow(eventId, board.hash, { ...row, text });
      const inOrder = row.revision === board.revision + 1;
      if (!inOrder || expected !== row.hash) return { kind: 'broken', revision: row.revision };
      const read: ChangeRow = readRow({ ...row, text });
      if (isBarrier(read)) return { kind: 'not_kept' };
      board.advance(read);
      rows++;
      if (systemClock.monotonic() < until_ms) continue;
      await nextTurn();
      until_ms = systemClock.monotonic() + SLICE_MS;
    }
  }
  return { kind: 'board', board, rows };
}
