import { createClient, isFailure, type Ticket } from '@voelgoed/client/client';
import { clientFor } from './clients.ts';
import { guestEvents, tokenOf } from './session.ts';
import { settings } from './settings.ts';
import { keep, keysKept, recall } from './storage.ts';

/**
 * A guest's session is over long before the show begins, and nobody else can ask for a guest's
 * tickets: what was bought is kept in the browser, also for a door without a network.
 */
export function keepTickets(checkoutId: string, tickets: readonly Ticket[]): void {
  if (!settings.demo) keep(`tickets.${checkoutId}`, tickets);
}

/** Everything the visitor has bought, wherever they were a guest; the newest first. */
export async function ownTickets(): Promise<Ticket[]> {
  const asked = await Promise.allSettled(guestEvents().map(ticketsIn));
  const kept = keysKept('tickets.').flatMap((key) => recall<Ticket[]>(key) ?? []);
  const told = asked.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  const failures = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  // A session that is over hides nothing: what was bought with it is kept.
  const [failure] = failures.filter((reason) => !isFailure(reason, 'unauthorized'));
  if (failure && kept.length + told.length === 0) throw failure;
  // What the server says now counts more than what it said then.
  const all = new Map([...kept, ...told].map((ticket) => [ticket.ticket_id, ticket]));
  return [...all.values()].sort((one, other) => (one.ticket_id < other.ticket_id ? 1 : -1));
}

/** As the guest of then: a new guest in its place would have no tickets. */
function ticketsIn(eventId: string): Promise<Ticket[]> {
  const client = settings.demo
    ? clientFor(eventId)
    : createClient({ address: location.origin, token: tokenOf(eventId) });
  return client.tickets.own({ limit: 500 });
}
