import type * as shape from '#shapes';
import type { Call, Options } from './call.ts';

export type Selling = ReturnType<typeof selling>;

/** What staff do while an event sells and takes place. */
export function selling(call: Call) {
  return {
    boxOffice: { ...seats(call), ...tickets(call) },
    scanner: {
      /** Lets somebody in or out, or not: denied is an answer, too. */
      scan: (code: string, wish: shape.EntryWish, options?: Options) =>
        call('POST /api/tickets/:code/entries', { params: { code }, body: wish }, options),
    },
  };
}

function seats(call: Call) {
  return {
    /** Releases holds of others: by id, of a user, of an event. */
    release: (wish: shape.ReleaseWish, options?: Options) =>
      call('POST /api/admin/seats/release', { body: wish }, options),
    /** Takes seats out of the sale. */
    block: (event_id: string, wish: shape.BlockWish, options?: Options) =>
      call(
        'POST /api/admin/events/:id/seats/block',
        { params: { id: event_id }, body: wish },
        options,
      ),
    unblock: (event_id: string, wish: shape.BlockWish, options?: Options) =>
      call(
        'POST /api/admin/events/:id/seats/unblock',
        { params: { id: event_id }, body: wish },
        options,
      ),
    /** One seat: who has it until when, its ticket, or by whom it was closed and why. */
    seat: (event_id: string, seat_id: string, options?: Options) =>
      call(
        'GET /api/admin/events/:id/seats/:seat_id',
        { params: { id: event_id, seat_id } },
        options,
      ),
    /** Which seats are out of the sale, by whom and why, the newest first. */
    blocks: (event_id: string, query?: shape.EventBlocksQuery, options?: Options) =>
      call('GET /api/admin/events/:id/blocks', { params: { id: event_id }, query }, options),
    /** Who holds what in an event. */
    holds: (event_id: string, query?: shape.EventHoldsQuery, options?: Options) =>
      call('GET /api/admin/events/:id/holds', { params: { id: event_id }, query }, options),
    /** Holds of all events, the youngest first; also those that have ended. */
    allHolds: (query?: shape.HoldsQuery, options?: Options) =>
      call('GET /api/admin/holds', { query }, options),
    /** For somebody on the telephone or at the counter. */
    hold: (event_id: string, wish: shape.CallerHoldWish, options?: Options) =>
      call('POST /api/admin/events/:id/holds', { params: { id: event_id }, body: wish }, options),
    /** More time for callers; holds of the shop keep theirs. */
    lengthen: (wish: shape.LengthenWish, options?: Options) =>
      call('POST /api/admin/holds/extend', { body: wish }, options),
    /** At the door: held seats become tickets at once. */
    sell: (event_id: string, wish: shape.SellWish, options?: Options) =>
      call('POST /api/admin/events/:id/sell', { params: { id: event_id }, body: wish }, options),
    /** How full it is, and how well. */
    occupancy: (event_id: string, options?: Options) =>
      call('GET /api/admin/events/:id/occupancy', { params: { id: event_id } }, options),
    checkouts: (event_id: string, query?: shape.CheckoutsQuery, options?: Options) =>
      call('GET /api/admin/events/:id/checkouts', { params: { id: event_id }, query }, options),
    /** Every scan, newest first. */
    entries: (event_id: string, query?: shape.EntriesQuery, options?: Options) =>
      call('GET /api/admin/events/:id/entries', { params: { id: event_id }, query }, options),
  };
}

function tickets(call: Call) {
  return {
    tickets: (event_id: string, query?: shape.EventTicketsQuery, options?: Options) =>
      call('GET /api/admin/events/:id/tickets', { params: { id: event_id }, query }, options),
    voidTicket: (ticket_id: string, wish: shape.EndTicketWish, options?: Options) =>
      call('POST /api/admin/tickets/:id/void', { params: { id: ticket_id }, body: wish }, options),
    refundTicket: (ticket_id: string, wish: shape.EndTicketWish, options?: Options) =>
      call(
        'POST /api/admin/tickets/:id/refund',
        { params: { id: ticket_id }, body: wish },
        options,
      ),
    /** Another seat for the same ticket. */
    reseatTicket: (ticket_id: string, wish: shape.ReseatWish, options?: Options) =>
      call(
        'POST /api/admin/tickets/:id/reseat',
        { params: { id: ticket_id }, body: wish },
        options,
      ),
    /** Money that is to be given back, or was. */
    refunds: (query?: shape.RefundsQuery, options?: Options) =>
      call('GET /api/admin/refunds', { query }, options),
    /** Tickets and people: by code, seat, name, address or id. */
    search: (query: shape.SearchQuery, options?: Options) =>
      call('GET /api/admin/search', { query }, options),
  };
}
