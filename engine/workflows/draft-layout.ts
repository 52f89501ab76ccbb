import { assert, OperatingError, uuidv7 } from '#kit';
import {
  insertDraft,
  type LayoutVersionRow,
  listVersions,
  lockLayout,
  replaceDraft,
  setStatus,
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
import {
  judgeLayout,
  type LayoutSource,
  layoutConfig,
  layoutSpec,
  layoutVersions,
} from './layouts.ts';
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
  /** The newest version as its writer has seen it: another one now refuses. */
  seen?: Readonly<{ version: number; revision?: number | undefined }> | undefined;
  /** A draft that is there stays as an archived version, and this becomes the next one. */
  keepsDraft?: boolean | undefined;
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
  | { kind: 'other_venue' }
  /** Another one has written since. */
  | { kind: 'changed_since'; newest: LayoutVersionRow };

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
  if (newest && isOther(newest, wish)) return { kind: 'changed_since', newest };
  const read = await readSource(engine, caller, wish, versions);
  if (read.kind === 'invalid') return read;
  const spec = await specOf(engine, caller, wish, newest);
  return change(engine, caller, 'layout.draft', async (transaction) => {
    const venue = venueId === null ? null : await lockedVenue(transaction, caller.scope, venueId);
    if (!venue) return { kind: 'venue_not_found' as const };
    const problems = tooLargeFor(venue, read.total_capacity);
    if (problems.length > 0) return { kind: 'invalid' as const, problems };
    const drawn = { ...read, spec };
    if (!newest) return write(transaction, caller, wish, drawn, newVersion(engine, venue));
    const { organizationId } = caller.scope;
    await transaction.query(lockLayout(organizationId, newest.layout_id));
    const [now] = await transaction.query(listVersions(organizationId, newest.layout_id));
    if (now && isOther(now, wish)) return { kind: 'changed_since' as const, newest: now };
    // A draft that was only replaced meanwhile is replaced again: the last one counts.
    if (!now || now.version !== newest.version || now.status !== newest.status) {
      return { kind: 'overtaken' as const };
    }
    return write(transaction, caller, wish, drawn, nextVersion(now, wish.keepsDraft === true));
  });
}

function isOther(newest: LayoutVersionRow, { seen }: DraftWish): boolean {
  if (!seen) return false;
  const { version, revision = newest.revision } = seen;
  return newest.version !== version || newest.revision !== revision;
}

/** A spec that is longer than any form's is drawn and not kept. */
const LONGEST_SPEC = 200_000;

/** What the generator draws it from; a copy keeps that of the version it is a copy of. */
async function specOf(
  engine: Engine,
  caller: Caller,
  { source }: DraftWish,
  newest: LayoutVersionRow | undefined,
): Promise<string | null> {
  if (!source && newest) return layoutSpec(engine, caller, newest);
  return source?.kind === 'generate' && source.text.length <= LONGEST_SPEC ? source.text : null;
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
  /** A draft that makes room for this one and stays as an archived version. */
  setsAside: number | null;
}>;

function newVersion(engine: Engine, venue: VenueRow): Place {
  const { venue_id: venueId, name } = venue;
  const first = { version: 1, description: null, replaces: false, setsAside: null };
  return { layoutId: uuidv7(engine), venueId, name, ...first };
}

function nextVersion(newest: LayoutVersionRow, keepsDraft: boolean): Place {
  const isDraft = newest.status === 'draft';
  const replaces = isDraft && !keepsDraft;
  return {
    layoutId: newest.layout_id,
    version: replaces ? newest.version : newest.version + 1,
    venueId: newest.venue_id,
    name: newest.name,
    description: newest.description,
    replaces,
    setsAside: isDraft && keepsDraft ? newest.version : null,
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
  const { actor } = caller;
  const by = actor.kind === 'user' ? actor.id : null;
  const size = [config, seat_count, total_capacity, read.spec ?? null, by] as const;
  if (place.setsAside !== null) {
    await transaction.query(setStatus(organizationId, layoutId, place.setsAside, 'archived'));
  }
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
  return changed<Drafted>({ layout, report: read.report }, [...setAside(place), entry]);
}

function setAside({ layoutId, setsAside }: Place) {
  if (setsAside === null) return [];
  const changes = { version: setsAside, from: 'draft' };
  return [
    { action: 'layout_archived', entityType: 'layout', entityId: layoutId, changes },
  ] as const;
}
