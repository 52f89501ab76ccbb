import type { Ticket } from '@voelgoed/client/client';
import { clientFor } from './clients.ts';
import { guestEvents } from './session.ts';

/** Everything the visitor has bought, wherever they were a guest; the newest first. */
export async function ownTickets(): Promise<Ticket[]> {
  const lists = await Promise.all(
    guestEvents().map((eventId) => clientFor(eventId).tickets.own({ limit: 500 })),
  );
  return lists.flat().reverse();
}
