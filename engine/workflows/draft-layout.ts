import { assert, OperatingError, uuidv7 } from '#kit';
import {
  insertDraft,
  type LayoutVersionRow,
  listVersions,
  lockLayout,
  replaceDraft,
  type VenueRow,
} from '#layouts';
import type { Transaction } from '#postgres';
import type { Invalid, Problem } from '#reading';
import type { ReadLayout } from '#workshop';
import {
  type Caller,
  change,
  changed,
  type Done,
  type Engine,
  type KeyReused,
  replayOf,
} from './change.ts';
import { judgeLayout, type LayoutSource, layoutConfig, layoutVersions } from './layouts.ts';
import { lockedVenue, tooLargeFor } from './venue-capacity.ts';

export type DraftWish = Readonly<{
  /** Null: a new layout. Else the next version of that one, or its draft again. */
  layoutId: string | null;
  /** Needed for a new layout; a version stays in its venue. */
  venueId: string | null;
  /** Undefined: as in the version before. */
  name?: string | undefined;
  description?: string | null | undefined;
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
  | { kind: 'venue_not_found' }
  /** A version stays in its venue. */
  | { kind: 'other_venue' };

type Outcome = Done<Drafted> | Refusal | KeyReused;

/** Somebody else may activate a version between our reading and our writing: then read again. */
const TRIES = 5;

/**
 * Makes the draft of a layout, or replaces it. A seat stays the same seat over all versions: ids
 * are kept from the last version that was ever active, and then from the draft that is replaced.
 */
export async function draftLayout(
  engine: Engine,
  caller: Caller,
  wish: DraftWish,
): Promise<Outcome> {
  const replay = await replayOf<Drafted>(engine, caller);
  if (replay) return replay;
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const outcome = await tryDraft(engine, caller, wish);
    if (outcome.kind !== 'overtaken') return outcome;
  }
  const message = 'others keep changing this layout';
  throw new OperatingError('event_busy', message, { retryable: true });
}

async function tryDraft(
  engine: Engine,
  caller: Caller,
  wish: DraftWish,
): Promise<Outcome | { kind: 'overtaken' }> {
  const versions = wish.layoutId ? await layoutVersions(engine, caller, wish.layoutId) : [];
  const [newest] = versions;
  if (wish.layoutId && !newest) return { kind: 'not_found' };
  const venueId = newest?.venue_id ?? wish.venueId;
  if (wish.venueId !== null && wish.venueId !== venueId) return { kind: 'other_venue' };
  const read = await readSource(engine, caller, wish, versions);
  if (read.kind === 'invalid') return read;
  return change(engine, caller, 'layout.draft', async (transaction) => {
    const venue = venueId === null ? null : await lockedVenue(transaction, caller.scope, venueId);
    if (!venue) return { kind: 'venue_not_found' as const };
    const problems = tooLargeFor(venue, read.total_capacity);
    if (problems.length > 0) return { kind: 'invalid' as const, problems };
    if (!newest) return write(transaction, caller, wish, read, newVersion(engine, venue));
    const { organizationId } = caller.scope;
    await transaction.query(lockLayout(organizationId, newest.layout_id));
    const [now] = await transaction.query(listVersions(organizationId, newest.layout_id));
    // A draft that was only replaced meanwhile is replaced again: the last one counts.
    if (!now || now.version !== newest.version || now.status !== newest.status) {
      return { kind: 'overtaken' as const };
    }
    return write(transaction, caller, wish, read, nextVersion(now));
  });
}

/** The wish's own config, or a copy of the newest version, with ids from the versions before. */
async function readSource(
  engine: Engine,
  caller: Caller,
  wish: DraftWish,
  versions: readonly LayoutVersionRow[],
): Promise<ReadLayout | Invalid> {
  const [newest] = versions;
  const lastActive = versions.find((row) => row.activated_at !== null);
  const wanted = [lastActive, newest].filter((row) => row !== undefined);
  const texts = await Promise.all(
    [...new Set(wanted)].map(async (row) => (await layoutConfig(engine, caller, row)).toString()),
  );
  const source = wish.source ?? { kind: 'read', text: texts.at(-1) ?? '' };
  return judgeLayout(engine, caller, source, texts);
}

type Place = Readonly<{
  layoutId: string;
  version: number;
  venueId: string;
  name: string;
  description: string | null;
  replaces: boolean;
}>;

function newVersion(engine: Engine, venue: VenueRow): Place {
  const { venue_id: venueId, name } = venue;
  const first = { version: 1, description: null, replaces: false };
  return { layoutId: uuidv7(engine), venueId, name, ...first };
}

function nextVersion(newest: LayoutVersionRow): Place {
  const replaces = newest.status === 'draft';
  return {
    layoutId: newest.layout_id,
    version: replaces ? newest.version : newest.version + 1,
    venueId: newest.venue_id,
    name: newest.name,
    description: newest.description,
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
  const description = wish.description === undefined ? place.description : wish.description;
  const { config, seat_count, total_capacity } = read;
  const size = [config, seat_count, total_capacity] as const;
  const [layout] = place.replaces
    ? await transaction.query(
        replaceDraft(organizationId, layoutId, version, name, description, ...size),
      )
    : await transaction.query(
        insertDraft(organizationId, layoutId, version, venueId, name, description, ...size),
      );
  assert(layout, 'the draft was locked, so it is there');
  const entry = {
    action: place.replaces ? 'layout_draft_changed' : 'layout_drafted',
    entityType: 'layout',
    entityId: layoutId,
    changes: { version, seat_count, total_capacity },
  } as const;
  return changed<Drafted>({ layout, report: read.report }, [entry]);
}
