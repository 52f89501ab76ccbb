import { BestAvailableWish, BestOffers, Data, EventParams, HeldBest } from '@voelgoed/client/wire';
import type { BestRequest, OfferView } from '@voelgoed/engine/board';
import { type Held, type HoldWish, previewBestAvailable } from '@voelgoed/engine/workflows';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { callerOf, type Http, refuse, repliesOr, WITH_CREDENTIAL } from '#http';
import { refuseLimit } from '#limits';
import type { RouteContext } from './context.ts';
import { BEST, BUSY, cartView, hold } from './hold-requests.ts';
import { minutesSentence, refuseByBoard } from './hold-views.ts';

/** More than anybody compares, fewer than anybody scrolls. */
const OFFERS = 3;
const MISSING = 'There is no such event.';
const TOO_OFTEN = 'You have looked often in a short time. Please wait a moment.';

export function registerBestAvailable(http: Http, context: RouteContext): void {
  http.post(
    BEST,
    {
      config: { access: { kind: 'buyer' } },
      schema: {
        tags: ['holds'],
        ...WITH_CREDENTIAL,
        summary: 'Let the engine choose the best seats and hold them',
        description:
          'Side by side in one row if there is such a block, else split as the policy permits. ' +
          'With `preview` nothing is held: 200 with ranked offers.',
        params: EventParams,
        body: BestAvailableWish,
        response: repliesOr(
          { 200: Data(BestOffers), 201: Data(HeldBest) },
          'event_not_found',
          'event_not_available',
          'event_sales_closed',
          'zone_not_found',
          'zone_access_denied',
          'orphan_rule',
          'no_adjacent_seats',
          'no_available_seats',
          'wheelchair_limit',
          'hold_limit_reached',
          'body_too_large',
          'rate_limited',
          ...BUSY,
        ),
      },
    },
    async (request, reply) => {
      const { event_id } = request.params;
      const wish = wishOf(request.body);
      if (!wish) return refuse(reply, 'invalid_request', TOO_MANY);
      if (request.body.preview) return preview(context, request, reply, wish);
      return hold(context, request, reply, event_id, wish, (held) => bestView(event_id, held));
    },
  );
}

const TOO_MANY = '`accessible` and `for_user_ids` cannot be more than `quantity`.';

/** Null: more wheelchair spaces or people than seats. */
function wishOf(body: Static<typeof BestAvailableWish>): HoldWish | null {
  const { quantity, accessible = 0, for_user_ids = [], cart_token = null, source = 'web' } = body;
  if (accessible > quantity || for_user_ids.length > quantity) return null;
  const best: BestRequest = {
    quantity,
    zone_ids: body.zone_ids ?? [],
    price_cents: body.price_cents ?? null,
    categories: (body.categories ?? []) as BestRequest['categories'],
    accessible,
    together: body.together ?? false,
    general_admission: body.general_admission ?? false,
    people: for_user_ids.map((id) => id.toLowerCase()),
  };
  const insists = body.allow_orphan ? ({ orphans: 'allow' } as const) : {};
  return { items: [], best, cart_token, source: source as HoldWish['source'], ...insists };
}

/** Looking costs nobody a seat, but it costs time: as often as one may be refused. */
async function preview(
  { engine, limits }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  wish: HoldWish,
): Promise<FastifyReply> {
  const caller = callerOf(request);
  const { event_id } = request.params as { event_id: string };
  const looks = limits.refusals(caller);
  const often = looks.take();
  if (!often.ok) return refuseLimit(reply, looks, often, TOO_OFTEN);
  looks.tell();
  const { alternatives = OFFERS } = request.body as Static<typeof BestAvailableWish>;
  const found = await previewBestAvailable(engine, caller, event_id, wish, alternatives);
  switch (found.kind) {
    case 'event_not_found':
      return refuse(reply, 'event_not_found', MISSING);
    case 'refused':
      return refuseByBoard(reply, found.refusal, found.at_ms);
    case 'offers': {
      const server_time = new Date(found.at_ms).toISOString();
      const offers = found.offers.map(offerView);
      return reply.send({ data: { offers, server_time, revision: found.revision } });
    }
  }
}

function offerView({ zone_name, ...offer }: OfferView) {
  return { ...offer, block_name: zone_name };
}

function bestView(eventId: string, held: Held) {
  const cart = cartView(eventId, held);
  const { offer } = held;
  if (!offer) throw new Error('seats that were chosen have an offer');
  const { adjacent, rows, score } = offer;
  const minutes = minutesSentence(cart.expires_in_seconds);
  return { ...cart, adjacent, rows, score, message: `${offer.message}. Held for ${minutes}.` };
}
