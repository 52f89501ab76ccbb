import { assert } from '#kit';
import {
  insertGroups,
  insertSeats,
  insertZones,
  type LayoutVersionRow,
  listVersions,
  lockLayout,
  setStatus,
} from '#layouts';
import type { Transaction } from '#postgres';
import type { Problem } from '#reading';
import type { LayoutRows } from '#workshop';
import {
  type Caller,
  change,
  changed,
  type Done,
  type Engine,
  type KeyReused,
  replayOf,
} from './change.ts';
import { layoutConfig, layoutVersions } from './layouts.ts';
import { readSeatingPolicy } from './policy.ts';
import { lockedVenue, tooLargeFor } from './venue-capacity.ts';

type Refusal =
  | { kind: 'invalid'; problems: readonly Problem[] }
  | { kind: 'not_found' }
  /** Active or archived already, or changed while we looked. */
  | { kind: 'immutable'; status: string };

type Outcome = Done<LayoutVersionRow> | Refusal | KeyReused;

/**
 * Turns the draft active: from here on it never changes. Its zones, seats and groups become rows;
 * the version that was active before is archived, which keeps only new events from using it.
 */
export async function activateLayout(
  engine: Engine,
  caller: Caller,
  layoutId: string,
  version?: number,
): Promise<Outcome> {
  const replay = await replayOf<LayoutVersionRow>(engine, caller);
  if (replay) return replay;
  const versions = await layoutVersions(engine, caller, layoutId);
  const draft = versions.find((row) => row.version === (version ?? versions[0]?.version));
  if (!draft) return { kind: 'not_found' };
  const rows = await rowsOf(engine, caller, draft);
  if (rows?.kind === 'invalid') return rows;
  const outcome = await change(engine, caller, 'layout.activate', (transaction) =>
    activate(transaction, caller, draft, rows),
  );
  if (outcome.kind === 'done' && !outcome.replayed) {
    const before = versions.find((row) => row.status === 'active')?.version ?? null;
    tellVersions(engine, caller, draft, before);
  }
  return outcome;
}

/** Null when it is no draft: then only a repeated wish can still get an answer. */
async function rowsOf(engine: Engine, caller: Caller, draft: LayoutVersionRow) {
  if (draft.status !== 'draft') return null;
  const policy = await readSeatingPolicy(engine, caller);
  const text = (await layoutConfig(engine, caller, draft)).toString();
  return engine.workshop.do({ kind: 'rows', text, policy });
}

async function activate(
  transaction: Transaction,
  caller: Caller,
  draft: LayoutVersionRow,
  rows: LayoutRows | null,
) {
  const { organizationId } = caller.scope;
  const { layout_id: layoutId, version } = draft;
  await transaction.query(lockLayout(organizationId, layoutId));
  const versions = await transaction.query(listVersions(organizationId, layoutId));
  const now = versions.find((row) => row.version === version);
  if (!rows || now?.status !== 'draft' || now.changed_at !== draft.changed_at) {
    return { kind: 'immutable' as const, status: now?.status ?? 'draft' };
  }
  const venue = await lockedVenue(transaction, caller.scope, now.venue_id);
  const problems = venue ? tooLargeFor(venue, now.total_capacity) : [];
  if (problems.length > 0) return { kind: 'invalid' as const, problems };
  const before = versions.find((row) => row.status === 'active')?.version ?? null;
  if (before !== null) {
    await transaction.query(setStatus(organizationId, layoutId, before, 'archived'));
  }
  const [layout] = await transaction.query(setStatus(organizationId, layoutId, version, 'active'));
  assert(layout, 'the draft was locked, so it is there');
  const place = [organizationId, layoutId, version] as const;
  await transaction.query(insertZones(...place, rows.zones));
  await transaction.query(insertSeats(...place, rows.seats));
  await transaction.query(insertGroups(...place, rows.groups));
  const entry = {
    action: 'layout_activated',
    entityType: 'layout',
    entityId: layoutId,
    changes: { version_before: before, version_after: version },
  } as const;
  return changed(layout, [entry]);
}

function tellVersions(
  engine: Engine,
  { scope }: Caller,
  { venue_id, layout_id, version }: LayoutVersionRow,
  before: number | null,
): void {
  engine.telemetry.emit({
    kind: 'layout.version_changed',
    before,
    after: version,
    ids: { organization_id: scope.organizationId, venue_id, layout_id },
  });
}

/**
 * Archiving keeps new events from using the version; events that use it go on. Without a number the
 * active version is meant, else the draft.
 */
export async function archiveLayout(
  engine: Engine,
  caller: Caller,
  layoutId: string,
  version?: number,
): Promise<Outcome> {
  const { organizationId } = caller.scope;
  const all = await layoutVersions(engine, caller, layoutId);
  const meant = version ?? all.find((row) => row.status === 'active')?.version ?? all[0]?.version;
  const found = all.find((row) => row.version === meant);
  if (!found) return { kind: 'not_found' };
  return change(engine, caller, 'layout.archive', async (transaction) => {
    await transaction.query(lockLayout(organizationId, layoutId));
    const versions = await transaction.query(listVersions(organizationId, layoutId));
    const now = versions.find((row) => row.version === found.version);
    if (!now || now.status === 'archived') {
      return { kind: 'immutable' as const, status: now?.status ?? 'archived' };
    }
    const [layout] = await transaction.query(
      setStatus(organizationId, layoutId, found.version, 'archived'),
    );
    assert(layout, 'the version was locked, so it is there');
    const entry = {
      action: 'layout_archived',
      entityType: 'layout',
      entityId: layoutId,
      changes: { version: found.version, from: now.status },
    } as const;
    return changed(layout, [entry]);
  });
}
