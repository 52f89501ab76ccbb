import type * as shape from '#shapes';
import type { Call, Options } from './call.ts';

export type Buying = ReturnType<typeof buying>;

/** What everybody sees and buyers do. */
export function buying(call: Call) {
  return {
    /** Events as everybody sees them. */
    events: {
      /** What an organization has on sale. */
      list: (
        slug: string,
        { signal, timeout_ms, key, token, ...query }: Options & shape.PublicEventsQuery = {},
      ) => {
        const options = { signal, timeout_ms, key, token };
        return call('GET /api/organizations/:slug/events', { params: { slug }, query }, options);
      },
      get: (event_id: string, options?: Options) =>
        call('GET /api/events/:event_id', { params: { event_id } }, options),
      /**
       * The drawing: where every seat is. It never changes for a version of a layout; `isFresh`
       * asks again also where a browser has kept one.
       */
      seatmap: (event_id: string, options?: Options & { isFresh?: boolean }) => {
        const input = { params: { event_id }, ...(options?.isFresh ? { isFresh: true } : {}) };
        return call('GET /api/events/:event_id/seatmap', input, options);
      },
      /** Two bits per seat, and numbers per zone. `stateAt` reads the bits. */
      availability: (event_id: string, options?: Options) =>
        call('GET /api/events/:event_id/availability', { params: { event_id } }, options),
      occupancy: (event_id: string, options?: Options) =>
        call('GET /api/events/:event_id/occupancy', { params: { event_id } }, options),
      /** One seat, and whether it is yours: also a way to look after an answer got lost. */
      seat: (event_id: string, seat_id: string, options?: Options) =>
        call(
          'GET /api/events/:event_id/seats/:seat_id',
          { params: { event_id, seat_id } },
          options,
        ),
      /** A guest's session: a token that is good for this event, to buy with. */
      session: (event_id: string, options?: Options) =>
        call('POST /api/events/:event_id/sessions', { params: { event_id } }, options),
    },
    holds: holds(call),
    checkouts: checkouts(call),
    tickets: {
      /** Your tickets, of one checkout or all of them. */
      own: (query?: shape.OwnTicketsQuery, options?: Options) =>
        call('GET /api/tickets', { query }, options),
    },
    demo: {
      /** Demo mode alone: a token for anybody in any role. */
      session: (wish: shape.DemoSessionWish = {}, options?: Options) =>
        call('POST /api/demo/sessions', { body: wish }, options),
      /** Simulated buyers for an event of the demo; 0 stops them. */
      onSale: (wish: shape.OnSaleWish, options?: Options) =>
        call('POST /api/demo/on-sale', { body: wish }, options),
      /** How the simulated sale is getting on. */
      sale: (event_id: string, options?: Options) =>
        call('GET /api/demo/on-sale/:event_id', { params: { event_id } }, options),
    },
  };
}

/** Seats and places, kept for some minutes. */
function holds(call: Call) {
  return {
    /** One seat. */
    reserve: (event_id: string, seat_id: string, wish: shape.ReserveWish = {}, options?: Options) =>
      call(
        'POST /api/events/:event_id/seats/:seat_id/reserve',
        { params: { event_id, seat_id }, body: wish },
        options,
      ),
    /** Seats and places together: all of them or none. */
    create: (event_id: string, wish: shape.HoldWish, options?: Options) =>
      call('POST /api/events/:event_id/holds', { params: { event_id }, body: wish }, options),
    /** The best seats there are, chosen by the engine and held. */
    best: async (
      event_id: string,
      wish: Omit<shape.BestAvailableWish, 'preview' | 'alternatives'>,
      options?: Options,
    ): Promise<shape.HeldBest> => {
      const input = { params: { event_id }, body: wish };
      const held = await call('POST /api/events/:event_id/holds/best-available', input, options);
      return held as shape.HeldBest;
    },
    /** The same without holding anything: offers, the best first. */
    preview: async (
      event_id: string,
      wish: Omit<shape.BestAvailableWish, 'preview'>,
      options?: Options,
    ): Promise<shape.BestOffers> => {
      const input = { params: { event_id }, body: { ...wish, preview: true } };
      const offers = await call('POST /api/events/:event_id/holds/best-available', input, options);
      return offers as shape.BestOffers;
    },
    own: (event_id: string, options?: Options) =>
      call('GET /api/events/:event_id/holds', { params: { event_id } }, options),
    extend: (hold_id: string, options?: Options) =>
      call('POST /api/holds/:hold_id/extend', { params: { hold_id } }, options),
    /** Fewer places of a hold in a zone without seats; the others become free. */
    reduce: (hold_id: string, quantity: number, options?: Options) =>
      call('PATCH /api/holds/:hold_id', { params: { hold_id }, body: { quantity } }, options),
    release: (hold_id: string, options?: Options) =>
      call('DELETE /api/holds/:hold_id', { params: { hold_id } }, options),
    /** Everything you hold in an event. */
    releaseAll: (event_id: string, options?: Options) =>
      call('DELETE /api/events/:event_id/holds', { params: { event_id } }, options),
  };
}

/** From a hold to a ticket. */
function checkouts(call: Call) {
  return {
    start: (wish: shape.CheckoutWish, options?: Options) =>
      call('POST /api/checkouts', { body: wish }, options),
    get: (checkout_id: string, options?: Options) =>
      call('GET /api/checkouts/:id', { params: { id: checkout_id } }, options),
    /** Begins a payment; `pay_url` is where the buyer pays. */
    pay: (checkout_id: string, wish: shape.PayWish = {}, options?: Options) =>
      call('POST /api/checkouts/:id/pay', { params: { id: checkout_id }, body: wish }, options),
    cancel: (checkout_id: string, wish: shape.CancelWish = {}, options?: Options) =>
      call('POST /api/checkouts/:id/cancel', { params: { id: checkout_id }, body: wish }, options),
  };
}
