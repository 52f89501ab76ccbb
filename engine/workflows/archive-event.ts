import { type AuditRow, readChainPage } from '#audit';
import { assert, NIL_ID } from '#kit';
import { type Transaction, withClient } from '#postgres';
import { type EventRef, PostgresStore, readChanges } from '#registry';
import { countBehind, PRUNE_HISTORY, RECORD_PAGES } from './archive.sql.ts';
import { ARCHIVE_FORMAT, type ArchiveHead, type ArchiveLine } from './archive-file.ts';
import { auditHead } from './audit-trail.ts';
import { type Caller, change, changed, type Engine } from './change.ts';
import { readEvent } from './events.ts';

const PAGE = 500;
const LOOK = {
  name: 'event.archive',
  mode: 'isolation level repeatable read read only',
  pool: 'jobs',
} as const;

/**
 * Everything that is kept of an event, line by line: its log and its trail as they are sealed, and
 * what buyers, payments and doors left. What is committed while it is read is not part of it.
 * Nothing comes when there is no such event, or when it was never on sale.
 */
export async function* exportEvent(
  engine: Engine,
  event: EventRef,
): AsyncGenerator<ArchiveLine, void> {
  const head = await headOf(engine, event);
  if (!head) return;
  yield head;
  yield* logOf(engine, event, head.revision);
  yield* trailOf(engine, event, head.audit_count);
  yield* recordsOf(engine, event);
}

/** Board and trail move in one commit: read between two of them, they would not fit. */
async function headOf(engine: Engine, event: EventRef): Promise<ArchiveHead | null> {
  const { scope, eventId } = event;
  const detail = await readEvent(engine, { scope }, eventId);
  const board = await engine.registry.current(event);
  const audit = board && (await auditHead(engine, { scope }, eventId));
  const after = await engine.registry.current(event);
  if (!detail || !board || !audit || !after) return null;
  if (after.revision !== board.revision) return headOf(engine, event);
  return {
    kind: 'archive',
    format: ARCHIVE_FORMAT,
    organization_id: scope.organizationId,
    event_id: eventId,
    event: detail,
    revision: board.revision,
    hash: board.hash,
    audit_count: audit.count,
    audit_hash: audit.hash.toString('hex'),
  };
}

async function* logOf(
  engine: Engine,
  event: EventRef,
  last: number,
): AsyncGenerator<ArchiveLine, void> {
  for (let after = 0; after < last; ) {
    const page = await look(engine, event, (transaction) =>
      readChanges(transaction, event, after, PAGE),
    );
    if (page.length === 0) return;
    for (const row of page) {
      if (row.revision <= last) yield { kind: 'change', ...row };
      after = row.revision;
    }
  }
}

async function* trailOf(
  engine: Engine,
  event: EventRef,
  last: number,
): AsyncGenerator<ArchiveLine, void> {
  const { organizationId } = event.scope;
  for (let after = 0; after < last; ) {
    const page = await look(engine, event, (transaction) =>
      transaction.query(readChainPage(organizationId, event.eventId, after, PAGE)),
    );
    if (page.length === 0) return;
    for (const { hash, ...row } of page) {
      const plain: AuditRow = row;
      if (row.sequence <= last) yield { kind: 'audit', row: plain, hash: hash.toString('hex') };
      after = row.sequence;
    }
  }
}

async function* recordsOf(engine: Engine, event: EventRef): AsyncGenerator<ArchiveLine, void> {
  const { organizationId } = event.scope;
  for (const [of, pageOf] of RECORD_PAGES) {
    for (let after = NIL_ID; ; ) {
      const page = await look(engine, event, (transaction) =>
        transaction.query(pageOf(organizationId, event.eventId, after, PAGE)),
      );
      for (const { record } of page) yield { kind: 'record', of, record };
      if (page.length < PAGE) break;
      after = page.at(-1)?.id ?? after;
    }
  }
}

function look<Result>(
  { postgres }: Engine,
  { scope }: EventRef,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return postgres.transaction(scope, LOOK, work);
}

export type Pruned =
  | Readonly<{ kind: 'pruned'; changes: number; snapshots: number; kept: number }>
  | Readonly<{ kind: 'not_archived'; status: string }>
  | Readonly<{ kind: 'event_not_found' }>
  /** So many endpoints have not been told everything yet. */
  | Readonly<{ kind: 'webhooks_behind'; behind: number }>
  /** Something happened after the archive was written. */
  | Readonly<{ kind: 'moved_on'; revision: number }>;

/**
 * Takes out of Postgres what an archive has: the log before its last row and older snapshots. The
 * board stays as it is, with a snapshot of its last revision; so does the audit trail.
 */
export async function pruneHistory(
  engine: Engine,
  caller: Caller,
  { eventId, revision, ownerUrl }: { eventId: string; revision: number; ownerUrl: string },
): Promise<Pruned> {
  const { scope } = caller;
  const { organizationId } = scope;
  const event = await readEvent(engine, caller, eventId);
  const board = event && (await engine.registry.current({ scope, eventId }));
  if (!event || !board) return { kind: 'event_not_found' };
  if (event.status !== 'archived') return { kind: 'not_archived', status: event.status };
  if (board.revision !== revision) return { kind: 'moved_on', revision: board.revision };
  const [row] = await engine.postgres.ask(
    scope,
    countBehind(organizationId, eventId, revision),
    LOOK,
  );
  if (row && row.behind > 0) return { kind: 'webhooks_behind', behind: row.behind };
  await new PostgresStore(engine.postgres).saveSnapshot({ scope, eventId }, board);
  const gone = await deleteHistory(ownerUrl, organizationId, eventId, revision);
  const entry = {
    action: 'event_history_archived',
    entityType: 'event',
    entityId: eventId,
    changes: { revision, ...gone },
  } as const;
  const noted = await change(engine, caller, 'event.prune_history', async () =>
    changed({}, [entry]),
  );
  assert(noted.kind === 'done', 'nothing stands in the way of an entry');
  return { kind: 'pruned', ...gone, kept: revision };
}

/** Row level security is forced on the owner, too: the organization is set as for everybody. */
function deleteHistory(
  ownerUrl: string,
  organizationId: string,
  eventId: string,
  revision: number,
): Promise<{ changes: number; snapshots: number }> {
  return withClient(ownerUrl, async (client) => {
    await client.query('begin');
    await client.query(PRUNE_HISTORY.scope, [organizationId]);
    const values = [organizationId, eventId, revision];
    const log = await client.query(PRUNE_HISTORY.log, values);
    const snapshots = await client.query(PRUNE_HISTORY.snapshots, values);
    await client.query('commit');
    return { changes: log.rowCount ?? 0, snapshots: snapshots.rowCount ?? 0 };
  });
}
