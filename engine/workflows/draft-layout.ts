import { assert, uuidv7 } from '#kit';
import {
  findVenue,
  insertDraft,
  type LayoutVersionRow,
  listVersions,
  lockLayout,
  replaceDraft,
  type VenueRow,
} from '#layouts';
import type { Transaction } from '#postgres';
import type { Problem } from '#reading';
import type { ReadLayout } from '#workshop';
import { type Caller, change, changed, type Done, type Engine, type KeyReused } from './change.ts';
import { judgeLayout, type LayoutSource, layoutConfig, layoutVersions } from './layouts.ts';

export type DraftWish = Readonly<{
  /** Null: a new layout. Else the next version of that one, or its draft again. */
  layoutId: string | null;
  /** Needed for a new layout; a version stays in its venue. */
  venueId: string | null;
  name: string | null;
  description: string | null;
  /** Null: a copy of the newest version. */
  source: LayoutSource | null;
}>;

export type Drafted = Readonly<{
  layout: LayoutVersionRow;
  report: ReadLayout['report'];
}>;

type Refusal =
  | { kind: 'invalid'; problems: readonly Problem[] }
  | { kind: 'not_found' }
  | { kind: 'venue_not_found' };

type Outcome = Done<Drafted> | Refusal | KeyReused;

/** Somebody else may write a version between our reading and our writing: then read again. */
const TRIES = 3;

/**
 * Makes the draft of a layout, or replaces it. Ids of seats and zones are kept from the newest
 * version, so that a seat stays the same seat over all versions.
 */
export async function draftLayout(
  engine: Engine,
  caller: Caller,
  wish: DraftWish,
): Promise<Outcome> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await tryDraft(engine, caller, wish);
    if (outcome.kind !== 'overtaken') return outcome;
    assert(attempt < TRIES, 'a layout is not changed three times in a second');
  }
}

async function tryDraft(
  engine: Engine,
  caller: Caller,
  wish: DraftWish,
): Promise<Outcome | { kind: 'overtaken' }> {
  const versions = wish.layoutId ? await layoutVersions(engine, caller, wish.layoutId) : [];
  const [newest] = versions;
  if (wish.layoutId && !newest) return { kind: 'not_found' };
  const previous = newest ? (await layoutConfig(engine, caller, newest)).toString() : null;
  const source = wish.source ?? { kind: 'read', text: previous ?? '' };
  const read = await judgeLayout(engine, caller, source, previous);
  if (read.kind === 'invalid') return read;
  return change(engine, caller, 'layout.draft', async (transaction) => {
    const venue = await venueOf(transaction, caller, newest?.venue_id ?? wish.venueId);
    if (!venue) return { kind: 'venue_not_found' as const };
    const problems = tooLargeFor(venue, read);
    if (problems.length > 0) return { kind: 'invalid' as const, problems };
    if (!newest) return write(transaction, caller, wish, read, newVersion(engine, venue));
    const { organizationId } = caller.scope;
    await transaction.query(lockLayout(organizationId, newest.layout_id));
    const [now] = await transaction.query(listVersions(organizationId, newest.layout_id));
    if (now?.version !== newest.version || now.changed_at !== newest.changed_at) {
      return { kind: 'overtaken' as const };
    }
    return write(transaction, caller, wish, read, nextVersion(newest, now.status));
  });
}

async function venueOf(
  transaction: Transaction,
  caller: Caller,
  venueId: string | null,
): Promise<VenueRow | null> {
  if (venueId === null) return null;
  const [venue] = await transaction.query(findVenue(caller.scope.organizationId, venueId));
  return venue ?? null;
}

function tooLargeFor(venue: VenueRow, read: ReadLayout): Problem[] {
  if (venue.max_capacity === null || read.total_capacity <= venue.max_capacity) return [];
  const message =
    `The layout has ${read.total_capacity} places, ` +
    `but the venue may hold ${venue.max_capacity}.`;
  return [{ path: 'zones', code: 'over_venue_capacity', message }];
}

type Place = Readonly<{
  layoutId: string;
  version: number;
  venueId: string;
  name: string;
  replaces: boolean;
}>;

function newVersion(engine: Engine, venue: VenueRow): Place {
  const place = { version: 1, venueId: venue.venue_id, name: venue.name, replaces: false };
  return { layoutId: uuidv7(engine), ...place };
}

function nextVersion(newest: LayoutVersionRow, status: string): Place {
  const replaces = status === 'draft';
  return {
    layoutId: newest.layout_id,
    version: replaces ? newest.version : newest.version + 1,
    venueId: newest.venue_id,
    name: newest.name,
    replaces,
  };
}

async function write(
  transaction: Transaction,
  caller: Caller,
  wish: DraftWish,
  read: ReadLayout,
  place: Place,
) {
  const { organizationId } = caller.scope;
  const { layoutId, version, venueId } = place;
  const name = wish.name ?? read.name ?? place.name;
  const { config, seat_count, total_capacity } = read;
  const size = [config, seat_count, total_capacity] as const;
  const [layout] = place.replaces
    ? await transaction.query(
        replaceDraft(organizationId, layoutId, version, name, wish.description, ...size),
      )
    : await transaction.query(
        insertDraft(organizationId, layoutId, version, venueId, name, wish.description, ...size),
      );
  assert(layout, 'the draft was locked, so it is there');
  const entry = {
    action: place.replaces ? 'layout_draft_changed' : 'layout_drafted',
    entityType: 'layout',
    entityId: layoutId,
    changes: { version, seat_count, total_capacity },
  };
  return changed<Drafted>({ layout, report: read.report }, [entry]);
}
