import type { Board } from '#board';
import { NIL_ID } from '#kit';
import { ipHash } from './address-hash.ts';
import { namesIn, seatsCalled, usersCalled } from './audit-search.ts';
import type { Caller, Engine } from './change.ts';
import { buyerIdOf } from './hold-seats.ts';
import {
  type LookedRow,
  listRefusals,
  listRefusalsOfEvent,
  listRefusalsOfUsers,
  type RefusalRow,
} from './refusals.sql.ts';

/** All conditions that are there must be met. */
export type RefusalSearch = Readonly<{
  eventId?: string | undefined;
  /** A label, which needs the event, or an id. */
  seat?: string | undefined;
  /** An id, or an address of e-mail. */
  user?: string | undefined;
  code?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** Refusals before this one, for paging. */
  before?: string | undefined;
  limit: number;
}>;

type Place = Readonly<{ id: string; name: string | null }>;

/** A refusal with what people call the user, the seats and the zones that it names. */
export type FoundRefusal = Omit<RefusalRow, 'event_id' | 'seat_ids' | 'zone_ids'> &
  Readonly<{
    /** Null: counts of several events, or there is no such event. */
    event_id: string | null;
    user_name: string | null;
    seats: Place[];
    zones: Place[];
  }>;

type Outcome =
  | Readonly<{
      kind: 'found';
      refusals: FoundRefusal[];
      /** Where the next page begins; undefined: there is none. */
      next: string | undefined;
    }>
  | Readonly<{ kind: 'event_not_found' | 'seat_not_found' | 'user_not_found' | 'email_refused' }>;

/**
 * Rows that one page looks at. A node writes up to 500 a second, and a search for one code or seat
 * among millions is answered in several pages, each at most this dear.
 */
const STRETCH = 20_000;

/** Reads what was refused, newest first. A page may be empty while there is a next one. */
export async function readRefusals(
  engine: Engine,
  caller: Pick<Caller, 'scope' | 'scopes'>,
  search: RefusalSearch,
): Promise<Outcome> {
  const { scope, scopes } = caller;
  const { eventId, seat } = search;
  const asked = eventId === undefined ? null : await engine.registry.board({ scope, eventId });
  const seatIds = seat === undefined ? null : seatsCalled(asked, seat);
  if (seatIds?.length === 0) return { kind: asked ? 'seat_not_found' : 'event_not_found' };
  return engine.postgres.transaction(scope, { name: 'refusals.read' }, async (transaction) => {
    const userIds = await usersCalled(transaction, caller, search.user);
    if (userIds === 'email_refused') return { kind: userIds };
    if (userIds?.length === 0) return { kind: 'user_not_found' };
    const looked = await transaction.query(listOf(scope.organizationId, search, seatIds, userIds));
    const { rows, next } = pageOf(looked, search.limit);
    const nameOf = scopes.has('tickets:read')
      ? await namesIn(
          transaction,
          scope,
          rows.map(({ user_id }) => user_id),
        )
      : () => null;
    const refusals = rows.map(({ event_id, seat_ids, zone_ids, ...row }) => {
      const board = asked ?? engine.registry.loadedBoard({ scope, eventId: event_id });
      return {
        ...row,
        event_id: event_id === NIL_ID ? null : event_id,
        user_name: nameOf(row.user_id),
        seats: seat_ids.map((id) => ({ id, name: labelOf(board, id) })),
        zones: zone_ids.map((id) => ({ id, name: zoneNamed(board, id) })),
      };
    });
    return { kind: 'found', refusals, next };
  });
}

function listOf(
  organizationId: string,
  search: RefusalSearch,
  seatIds: readonly string[] | null,
  userIds: readonly string[] | undefined,
) {
  const { eventId, code = null, from = null, to = null, before = null, limit } = search;
  const page = [before, limit + 1, STRETCH] as const;
  const conditions = [organizationId, code, seatIds, from, to, ...page] as const;
  if (userIds) return listRefusalsOfUsers(...conditions, eventId ?? null, userIds);
  return eventId === undefined
    ? listRefusals(...conditions)
    : listRefusalsOfEvent(...conditions, eventId);
}

function pageOf(
  looked: readonly LookedRow[],
  limit: number,
): { rows: RefusalRow[]; next: string | undefined } {
  const found = looked.filter((row) => row.refusal_id !== null);
  const rows = found.slice(0, limit);
  if (found.length > limit) return { rows, next: rows.at(-1)?.refusal_id };
  return { rows, next: looked[0]?.stretch_end ?? undefined };
}

function labelOf(board: Board | null, seatId: string): string | null {
  const ordinal = board?.plan.ordinalOf(seatId);
  return board && ordinal !== undefined ? board.plan.labelOf(ordinal) : null;
}

function zoneNamed(board: Board | null, zoneId: string): string | null {
  return board?.config.zones.find(({ zone_id }) => zone_id === zoneId)?.name ?? null;
}

/**
 * Notes a request that came to no board: beyond a limit, about an event that is not there, or at a
 * moment when a service did not answer. Ids of events that are not there are made up by clients, in
 * any number, and are not kept.
 */
export function noteTurnedAway(
  engine: Engine,
  caller: Pick<Caller, 'scope' | 'actor' | 'ip' | 'userAgent'>,
  asked: Readonly<{
    code: string;
    eventId: string;
    seatIds: readonly string[];
    zoneIds: readonly string[];
  }>,
): void {
  const { scope, actor, userAgent: user_agent } = caller;
  const isThere = asked.code !== 'event_not_found';
  engine.refusals.note(scope, {
    event_id: isThere ? asked.eventId : NIL_ID,
    at_ms: engine.clock.now(),
    code: asked.code,
    user_id: buyerIdOf(scope.organizationId, actor),
    seat_ids: asked.seatIds,
    zone_ids: asked.zoneIds,
    ip: ipHash(engine, caller),
    user_agent,
  });
}
