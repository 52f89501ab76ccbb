import {
  type DoorSale,
  type HoldEntry,
  type NextAfter,
  type NextBefore,
  wholeList,
} from '@voelgoed/client/client';
import { desk } from '#desk';
import { idAfter } from './id-after.ts';

/** As many as the server gives at once. */
const PAGE = 500;

/** The sale of which a hold became part, also when its answer was lost; null: it was not sold. */
export async function saleOfHold(eventId: string, holdId: string): Promise<DoorSale | null> {
  const { boxOffice } = desk.client;
  // The list goes back in time from an id: its first hold is this one, or this one was not sold.
  const terms = { event_id: eventId, status: 'converted', before: idAfter(holdId) } as const;
  const [hold] = await boxOffice.allHolds({ ...terms, limit: 1 });
  if (hold?.hold_id !== holdId) return null;
  const checkout_id = hold.checkout_id ?? (await checkoutOf(eventId, hold));
  const tickets = await wholeList((next: NextAfter | undefined) =>
    boxOffice.tickets(eventId, { ...next, checkout_id, limit: PAGE }),
  );
  const [first] = tickets;
  if (!first) throw new Error('a sale has tickets');
  const total_cents = tickets.reduce((sum, { price_cents }) => sum + price_cents, 0);
  const { currency, method } = first;
  const status = 'completed';
  return { checkout_id, status, method: method ?? '', total_cents, currency, tickets, revision: 0 };
}

/** A sale at the door ends its holds in the moment in which it is made. */
async function checkoutOf(eventId: string, hold: HoldEntry): Promise<string> {
  const { boxOffice } = desk.client;
  for (let next: NextBefore | undefined; ; ) {
    const page = await boxOffice.checkouts(eventId, { ...next, status: 'completed', limit: PAGE });
    const sale = page.find(
      ({ user_id, closed_at }) => user_id === hold.user_id && closed_at === hold.ended_at,
    );
    if (sale) return sale.checkout_id;
    const isOlder = page.some(({ created_at }) => created_at < hold.created_at);
    next = page.next;
    if (isOlder || next === undefined) throw new Error('a hold that was sold has a sale');
  }
}
