import { type ActorRow, actorsCalled, namesOfActors, namesOfUsers } from '#accounts';
import { type AuditQuery, type AuditRecord, ORGANIZATION_CHAIN, readTrail } from '#audit';
import type { Board } from '#board';
import { isOperatingError, isUuid } from '#kit';
import type { Transaction } from '#postgres';
import type { EventRef } from '#registry';
import type { Scope } from '#scope';
import {
  aboutCheckout,
  aboutSeats,
  aboutUsers,
  eventOfCheckout,
  usersByEmail,
} from './audit-search.sql.ts';
import type { Caller, Engine } from './change.ts';

/** What an audit log is searched for: all conditions that are there must be met. */
export type AuditSearch = Omit<AuditQuery, 'chainId' | 'sequences' | 'actorIds'> &
  Readonly<{
    actorId?: string | undefined;
    /** Who did it: an id, or a part of the name of a member or an API key. */
    actor?: string | undefined;
    /** The log of this event; else that of the checkout's event, else the organization's own. */
    eventId?: string | undefined;
    /** A label, or an id. */
    seat?: string | undefined;
    /** Whom it happened to: an id, or an address of e-mail. */
    user?: string | undefined;
    checkoutId?: string | undefined;
  }>;

/** An entry with what people call the seats and the user that it names. */
export type FoundEntry = AuditRecord &
  Readonly<{
    seat_labels: string[];
    user_id: string | null;
    user_name: string | null;
    /** Null: it has none, or is not known. */
    actor_name: string | null;
    /** Its name was erased on purpose. */
    actor_erased?: true;
  }>;

export type SearchRefused = Readonly<{
  kind:
    | 'event_not_found'
    | 'seat_not_found'
    | 'checkout_not_found'
    | 'user_not_found'
    | 'actor_not_found'
    | 'actor_vague'
    /** Who may not read tickets does not learn whose addresses are known. */
    | 'email_refused';
}>;

type Of = Pick<Caller, 'scope' | 'scopes'>;

/** More people than this do not share an address. */
const MOST_USERS = 20;
/** A name that more than these have tells nobody apart. */
const MOST_ACTORS = 100;
/** A row of seats that was blocked is known by its first few. */
const MOST_LABELS = 10;

/** Searches an audit log, newest first. */
export async function searchAudit(
  engine: Engine,
  caller: Of,
  search: AuditSearch,
): Promise<{ kind: 'found'; entries: FoundEntry[] } | SearchRefused> {
  const { scope } = caller;
  const { eventId: wanted, seat, user, checkoutId, actorId, actor, ...query } = search;
  const eventId = wanted ?? (await ownEvent(engine, scope, checkoutId));
  if (checkoutId !== undefined && eventId === undefined) return { kind: 'checkout_not_found' };
  const event = eventId === undefined ? null : { scope, eventId };
  const board = event && (await boardOf(engine, event, seat !== undefined));
  const seatIds = seat === undefined ? undefined : seatsCalled(board, seat);
  if (seat !== undefined && !board) return { kind: 'event_not_found' };
  if (seatIds?.length === 0) return { kind: 'seat_not_found' };
  return engine.postgres.transaction(scope, { name: 'audit.search' }, async (transaction) => {
    const userIds = await usersCalled(transaction, caller, user);
    if (userIds === 'email_refused') return { kind: userIds };
    if (userIds?.length === 0) return { kind: 'user_not_found' };
    const actorIds = await actorsFor(transaction, scope, actor ?? actorId);
    if (typeof actorIds === 'string') return { kind: actorIds };
    const chainId = eventId ?? ORGANIZATION_CHAIN;
    const about = { seatIds, userIds, checkoutId };
    const sequences = await sequencesAbout(transaction, scope, chainId, about);
    const rows = await readTrail(transaction, scope, { ...query, actorIds, chainId, sequences });
    return { kind: 'found', entries: await entriesOf(transaction, caller, board, rows) };
  });
}

async function entriesOf(
  transaction: Transaction,
  { scope, scopes }: Of,
  board: Board | null,
  rows: readonly AuditRecord[],
): Promise<FoundEntry[]> {
  const mayTickets = scopes.has('tickets:read');
  const nameOf = mayTickets ? await namesIn(transaction, scope, rows.map(userOf)) : () => null;
  // Customers have names for those who may read tickets; the staff has for all who read this.
  const acted = rows.filter(({ actor_role }) => mayTickets || actor_role !== 'customer');
  const actors = await actorsOf(transaction, scope, acted);
  const shown = new Set(acted);
  return rows.map((row) => {
    const user_id = userOf(row);
    const found = shown.has(row) ? actors.get(row.actor_id) : undefined;
    return {
      ...row,
      seat_labels: board ? labelsIn(board, row) : [],
      user_id,
      user_name: nameOf(user_id),
      actor_name: found?.name ?? null,
      ...(found?.erased ? { actor_erased: true as const } : {}),
    };
  });
}

async function actorsOf(
  transaction: Transaction,
  { organizationId }: Scope,
  rows: readonly AuditRecord[],
): Promise<Map<string | null, ActorRow>> {
  const ids = [...new Set(rows.flatMap(({ actor_id }) => (actor_id === null ? [] : [actor_id])))];
  if (ids.length === 0) return new Map();
  const found = await transaction.query(namesOfActors(organizationId, ids));
  return new Map(found.map((one) => [one.id, one]));
}

/** What a person or an API key is called in the audit log now; null: it has no name. */
export async function nameOfActor(
  { postgres }: Engine,
  scope: Scope,
  actorId: string,
): Promise<string | null> {
  const [found] = await postgres.ask(scope, namesOfActors(scope.organizationId, [actorId]));
  return found?.name ?? null;
}

/** Undefined: whoever it was. Those who are called exactly so hide those who are only partly. */
async function actorsFor(
  transaction: Transaction,
  { organizationId }: Scope,
  actor: string | undefined,
): Promise<string[] | undefined | 'actor_not_found' | 'actor_vague'> {
  if (actor === undefined) return undefined;
  if (isUuid(actor)) return [actor.toLowerCase()];
  const found = await transaction.query(actorsCalled(organizationId, actor, MOST_ACTORS + 1));
  if (found.length === 0) return 'actor_not_found';
  const exact = found.filter((one) => one.exact);
  if (exact.length === 0 && found.length > MOST_ACTORS) return 'actor_vague';
  return (exact.length > 0 ? exact : found).map(({ id }) => id);
}

/** An event whose board cannot be loaded has a log that can be read all the same, by ids. */
function boardOf({ registry }: Engine, event: EventRef, isNeeded: boolean): Promise<Board | null> {
  return registry.board(event).catch((error) => {
    if (isNeeded || !isOperatingError(error)) throw error;
    return null;
  });
}

async function ownEvent(
  { postgres }: Engine,
  scope: Scope,
  checkoutId: string | undefined,
): Promise<string | undefined> {
  if (checkoutId === undefined) return undefined;
  const [row] = await postgres.ask(scope, eventOfCheckout(scope.organizationId, checkoutId));
  return row?.event_id;
}

/** A seat by its label in the event's plan or by its id, which may be of an earlier plan. */
export function seatsCalled(board: Pick<Board, 'plan'> | null, seat: string): string[] {
  if (isUuid(seat)) return [seat.toLowerCase()];
  if (!board) return [];
  const { plan } = board;
  for (let ordinal = 0; ordinal < plan.seatCount; ordinal++) {
    if (plan.labelOf(ordinal) === seat) return [plan.seatIdOf(ordinal)];
  }
  return [];
}

/** Undefined: no user was asked for; empty: there is none with this address. */
export async function usersCalled(
  transaction: Transaction,
  { scope, scopes }: Of,
  user: string | undefined,
): Promise<string[] | undefined | 'email_refused'> {
  if (user === undefined) return undefined;
  if (isUuid(user)) return [user.toLowerCase()];
  if (!scopes.has('tickets:read')) return 'email_refused';
  const rows = await transaction.query(usersByEmail(scope.organizationId, user, MOST_USERS));
  return rows.map(({ user_id }) => user_id);
}

/** Names by user, of those who have one. */
export async function namesIn(
  transaction: Transaction,
  { organizationId }: Scope,
  userIds: readonly (string | null)[],
): Promise<(userId: string | null) => string | null> {
  const ids = [...new Set(userIds.filter((id) => id !== null))];
  const rows = ids.length > 0 ? await transaction.query(namesOfUsers(organizationId, ids)) : [];
  const names = new Map(rows.map(({ user_id, name }) => [user_id, name]));
  return (userId) => (userId === null ? null : (names.get(userId) ?? null));
}

type About = Readonly<{
  seatIds: readonly string[] | undefined;
  userIds: readonly string[] | undefined;
  checkoutId: string | undefined;
}>;

/** Entries that are about all of it; undefined: nothing was asked for. */
async function sequencesAbout(
  transaction: Transaction,
  { organizationId }: Scope,
  chainId: string,
  { seatIds, userIds, checkoutId }: About,
): Promise<number[] | undefined> {
  const place = [organizationId, chainId] as const;
  const wanted = [
    ...(seatIds ? [aboutSeats(...place, seatIds)] : []),
    ...(userIds ? [aboutUsers(...place, userIds)] : []),
    ...(checkoutId ? [aboutCheckout(...place, checkoutId)] : []),
  ];
  let both: Set<number> | undefined;
  for (const one of wanted) {
    const found = new Set((await transaction.query(one)).map(({ sequence }) => sequence));
    both = both?.intersection(found) ?? found;
  }
  return both && [...both];
}

/** Whom an entry is about, as it says itself. */
function userOf({ changes }: AuditRecord): string | null {
  const { user_id } = changes as { user_id?: unknown };
  return typeof user_id === 'string' ? user_id : null;
}

type Named = Readonly<{
  seat_id?: unknown;
  seats?: unknown;
  from?: unknown;
  to?: unknown;
  tickets?: unknown;
}>;

function labelsIn({ plan }: Board, { changes }: AuditRecord): string[] {
  const { seat_id, seats, from, to, tickets } = changes as Named;
  const sold = Array.isArray(tickets) ? tickets.map((one: Named) => one.seat_id) : [];
  const ids: unknown[] = [seat_id, from, to, ...(Array.isArray(seats) ? seats : []), ...sold];
  const labels = ids.flatMap((id) => {
    const ordinal = typeof id === 'string' ? plan.ordinalOf(id) : undefined;
    return ordinal === undefined ? [] : [plan.labelOf(ordinal)];
  });
  return labels.slice(0, MOST_LABELS);
}
