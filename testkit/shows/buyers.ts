import { type CallOptions, call, type Reply, tokenFor } from '#servers';

/** A buyer with a token of their own, who asks one node. */
export type Buyer = Readonly<{
  token: string;
  ask(route: string, options?: CallOptions): Promise<Reply>;
  reserve(eventId: string, seatId: string, options?: CallOptions): Promise<Reply>;
  hold(eventId: string, items: readonly object[], options?: CallOptions): Promise<Reply>;
}>;

export function aBuyer(address: string, organizationId: string, subject: string): Buyer {
  const token = tokenFor(organizationId, { role: 'customer', subject });
  const ask = (route: string, options: CallOptions = {}) =>
    call(address, route, { token, ...options });
  return {
    token,
    ask,
    reserve: (eventId, seatId, options) =>
      ask(`POST /api/events/${eventId}/seats/${seatId}/reserve`, options),
    hold: (eventId, items, options = {}) =>
      ask(`POST /api/events/${eventId}/holds`, { body: { items }, ...options }),
  };
}
