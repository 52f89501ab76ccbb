import { type DoorSale, type NextAfter, wholeList } from '@voelgoed/client/client';
import { desk } from '#desk';
import { idAfter } from './id-after.ts';

/** As many tickets as the server gives at once. */
const PAGE = 500;

/** The sale of which a hold became part, also when its answer was lost; null: it was not sold. */
export async function saleOfHold(eventId: string, holdId: string): Promise<DoorSale | null> {
  const { boxOffice } = desk.client;
  // The list goes back in time from an id: its first hold is this one, or this one was not sold.
  const terms = { event_id: eventId, status: 'converted', before: idAfter(holdId) } as const;
  const [hold] = await boxOffice.allHolds({ ...terms, limit: 1 });
  const checkout_id = hold?.hold_id === holdId ? hold.checkout_id : null;
  if (checkout_id === null) return null;
  const tickets = await wholeList((next: NextAfter | undefined) =>
    boxOffice.tickets(eventId, { ...next, checkout_id, limit: PAGE }),
  );
  const [first] = tickets;
  if (!first) return null;
  const total_cents = tickets.reduce((sum, { price_cents }) => sum + price_cents, 0);
  const { currency, method } = first;
  const status = 'completed';
  return { checkout_id, status, method: method ?? '', total_cents, currency, tickets, revision: 0 };
}
