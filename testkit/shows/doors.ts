import { systemClock } from '@voelgoed/engine/kit';
import type { CallOptions, Reply } from '#servers';
import type { Buyer } from './buyers.ts';

type Ask = (route: string, options?: CallOptions) => Promise<Reply>;

export type SoldTicket = { ticket_id: string; code: string; qr: string; checkout_id: string };

/** What staff do to tickets: sell at the door, open the event, scan. */
export function aDoor(ask: Ask) {
  const sell = (eventId: string, hold_ids: readonly unknown[], options: CallOptions = {}) =>
    ask(`POST /api/admin/events/${eventId}/sell`, {
      body: { hold_ids, method: 'cash', for_holder: true },
      ...options,
    });
  return {
    sell,
    /** Holds for a buyer and sells it to them: their tickets, in the order of the items. */
    sellTo: async (
      who: Buyer,
      eventId: string,
      items: readonly object[],
    ): Promise<SoldTicket[]> => {
      const held = await who.hold(eventId, items);
      const holds = held.data.holds as { hold_id: string }[] | undefined;
      if (!holds) throw new Error(JSON.stringify(held.body));
      const sold = await sell(
        eventId,
        holds.map(({ hold_id }) => hold_id),
      );
      if (sold.status !== 201) throw new Error(JSON.stringify(sold.body));
      return sold.data.tickets as SoldTicket[];
    },
    /** Opens the doors of an event that lasts from today to tomorrow; the days come back. */
    openDoors: async (eventId: string): Promise<[string, string]> => {
      const now_ms = systemClock.now();
      const dayAfter = (days: number) =>
        new Date(now_ms + days * 86_400_000).toISOString().slice(0, 10);
      const days: [string, string] = [dayAfter(0), dayAfter(1)];
      const times = { starts_at: `${days[0]}T00:00:00Z`, ends_at: `${days[1]}T22:00:00Z` };
      const changed = await ask(`PATCH /api/admin/events/${eventId}`, { body: times });
      if (String(changed.data?.days) !== String(days))
        throw new Error(JSON.stringify(changed.body));
      await ask(`POST /api/admin/events/${eventId}/open`);
      return days;
    },
    scan: (code: string, body: object = {}, options: CallOptions = {}) =>
      ask(`POST /api/tickets/${encodeURIComponent(code)}/entries`, {
        body: { direction: 'in', ...body },
        ...options,
      }),
  };
}

/** What a scan was answered: status, and if denied why. */
export const verdict = ({ status, data }: Reply) => [status, data.status, data.reason];
export const ADMITTED = [200, 'admitted', null];
export const denied = (reason: string) => [200, 'denied', reason];
