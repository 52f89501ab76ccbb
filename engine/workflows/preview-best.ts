import { listStandings } from '#accounts';
import {
  Draft,
  endDue,
  type Facts,
  type HoldCommand,
  NO_SALES,
  type OfferView,
  previewBest,
} from '#board';
import { listOwned } from '#tickets';
import type { Caller, Engine } from './change.ts';
import { commandOf, type EventMissing, type HoldRefusal, type HoldWish } from './hold-seats.ts';

export type Preview = Readonly<{
  kind: 'offers';
  offers: readonly OfferView[];
  revision: number;
  at_ms: number;
}>;

/**
 * What a wish for the best seats would get now, read from memory: nothing is held, so another may
 * have it a moment later.
 */
export async function previewBestAvailable(
  engine: Engine,
  caller: Caller,
  eventId: string,
  wish: HoldWish,
  most: number,
): Promise<Preview | HoldRefusal | EventMissing> {
  const command = commandOf(engine, caller, wish);
  let known: Known = { memberships: new Map(), owned: new Map() };
  for (;;) {
    const board = await engine.registry.board({ scope: caller.scope, eventId });
    if (!board) return { kind: 'event_not_found' };
    const at_ms = engine.registry.now(board);
    const draft = new Draft(board, at_ms);
    // What is over by now is free, also before anybody has swept it away.
    endDue(board, draft, at_ms);
    const facts = factsAt(at_ms, caller, known);
    const found = previewBest(draft, command, facts, most);
    if (found.kind === 'needs_membership') {
      known = await knownOf(engine, caller, eventId, command);
      continue;
    }
    if (found.kind === 'refused') return { kind: 'refused', refusal: found, at_ms };
    return { ...found, revision: board.revision, at_ms };
  }
}

/** What only the database says about people. */
type Known = Pick<Facts, 'memberships' | 'owned'>;

function factsAt(now_ms: number, { suspended }: Caller, known: Known): Facts {
  const organizationActive = suspended !== true;
  const nothing = { newId: () => '', demoHoldSeconds: null, ...NO_SALES };
  return { now_ms, organizationActive, ...known, ...nothing };
}

/** Everybody whom the wish is for, members or not, so that nobody is asked for twice. */
async function knownOf(
  { postgres }: Engine,
  { scope }: Caller,
  eventId: string,
  { user_id, best }: HoldCommand,
): Promise<Known> {
  const users = [user_id, ...(best?.people ?? [])];
  const rows = await postgres.ask(scope, listStandings(scope.organizationId, users));
  const found = new Map(rows.map(({ user_id: id, ...standing }) => [id, standing]));
  const owned = await postgres.ask(scope, listOwned(scope.organizationId, eventId, users));
  return {
    memberships: new Map(users.map((id) => [id, found.get(id) ?? null])),
    owned: new Map(users.map((id) => [id, owned.filter((one) => one.user_id === id)])),
  };
}
