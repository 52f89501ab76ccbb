import { findCheckout } from '#checkouts';
import { NIL_ID } from '#kit';
import { listOwnTickets, listSoldTickets, type TicketRow, validUntil_ms } from '#tickets';
import type { Caller, Engine } from './change.ts';
import { buyerOf } from './hold-seats.ts';

/** A ticket with what its QR code says; null when it opens no door any more. */
export type SignedTicket = TicketRow & Readonly<{ qr: string | null; qr_valid_until: string }>;

/**
 * What the caller has bought: all of one checkout in the order of its seats, or page by page. A
 * guest's session is good for its own event alone.
 */
export async function ownTickets(
  engine: Engine,
  caller: Caller,
  page: { checkoutId: string | null; after?: string | undefined; limit: number },
): Promise<SignedTicket[] | { kind: 'checkout_not_found' }> {
  const { scope, guestOf = null } = caller;
  const { organizationId } = scope;
  const { checkoutId, after = NIL_ID, limit } = page;
  const user = await buyerOf(engine, caller);
  return engine.postgres.transaction(scope, { name: 'tickets.own' }, async (transaction) => {
    if (checkoutId !== null) {
      const [row] = await transaction.query(findCheckout(organizationId, checkoutId));
      const own = row?.checkout.user_id === user && (guestOf ?? row.event_id) === row.event_id;
      if (!own) return { kind: 'checkout_not_found' as const };
    }
    const rows = await transaction.query(
      checkoutId === null
        ? listOwnTickets(organizationId, user, guestOf, after, limit)
        : listSoldTickets(organizationId, checkoutId),
    );
    return signedTickets(engine, organizationId, rows);
  });
}

export function signedTickets(
  { tickets }: Engine,
  organizationId: string,
  rows: readonly TicketRow[],
): SignedTicket[] {
  return rows.map((row) => ({
    ...row,
    qr: row.status === 'active' ? tickets.sign(organizationId, row) : null,
    qr_valid_until: new Date(validUntil_ms(row.ends_at)).toISOString(),
  }));
}
