import { type CheckoutEntry, listCheckouts, listRefunds, type RefundRow } from '#checkouts';
import { findEvent } from '#events';
import { NIL_ID } from '#kit';
import type { Statement, Transaction } from '#postgres';
import {
  type EntryRow,
  listEntries,
  listEventTickets,
  listTicketsOfSale,
  type TicketState,
} from '#tickets';
import type { Caller, Engine } from './change.ts';
import { type SignedTicket, signedTickets } from './own-tickets.ts';

type Of = Pick<Caller, 'scope'>;

/** Pages from the end: what has just happened is what one looks for. */
type Backwards = Readonly<{
  status: string | null;
  before?: string | undefined;
  limit: number;
}>;

/** Null: there is no such event. */
export function eventCheckouts(
  engine: Engine,
  caller: Of,
  eventId: string,
  { status, before, limit }: Backwards,
): Promise<CheckoutEntry[] | null> {
  const { organizationId } = caller.scope;
  const list = listCheckouts(organizationId, eventId, status, before ?? null, limit);
  return ofEvent(engine, caller, eventId, list);
}

/** Every scan of an event's tickets, also those that were denied. Null: no such event. */
export function eventEntries(
  engine: Engine,
  caller: Of,
  eventId: string,
  { status, before, limit }: Backwards,
): Promise<EntryRow[] | null> {
  const { organizationId } = caller.scope;
  const list = listEntries(organizationId, eventId, status, before ?? null, limit);
  return ofEvent(engine, caller, eventId, list);
}

export async function eventTickets(
  engine: Engine,
  caller: Of,
  eventId: string,
  page: {
    status: TicketState | null;
    needsReseating: boolean;
    inside: boolean;
    /** Null: of every sale. */
    checkoutId: string | null;
    after?: string | undefined;
    limit: number;
  },
): Promise<SignedTicket[] | null> {
  const { organizationId } = caller.scope;
  const { status, needsReseating, inside, checkoutId, after = NIL_ID, limit } = page;
  const filter = [organizationId, eventId, status, needsReseating, inside, after, limit] as const;
  const list =
    checkoutId === null ? listEventTickets(...filter) : listTicketsOfSale(...filter, checkoutId);
  const rows = await ofEvent(engine, caller, eventId, list);
  return rows && signedTickets(engine, organizationId, rows);
}

function ofEvent<Row>(
  { postgres }: Engine,
  { scope }: Of,
  eventId: string,
  list: Statement<Row>,
): Promise<Row[] | null> {
  return postgres.transaction(scope, { name: list.name }, async (transaction: Transaction) => {
    const [event] = await transaction.query(findEvent(scope.organizationId, eventId));
    return event ? transaction.query(list) : null;
  });
}

/** Money that is to be given back, or was. */
export function refundsDue(
  engine: Engine,
  { scope }: Of,
  page: {
    eventId: string | null;
    status: string | null;
    after: string | null;
    limit: number;
  },
): Promise<RefundRow[]> {
  const { eventId, status, after, limit } = page;
  return engine.postgres.ask(
    scope,
    listRefunds(scope.organizationId, eventId, status, after, limit),
  );
}
