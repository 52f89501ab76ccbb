import {
  ChangedTicket,
  Data,
  DoorSale,
  EndTicketWish,
  IdParams,
  ReseatWish,
  SellWish,
} from '@voelgoed/client/wire';
import { endTicket, reseatTicket, sellAtDoor } from '@voelgoed/engine/workflows';
import type { FastifyReply } from 'fastify';
import { answerDone, callerOf, type Http, refuse, repliesOr, WITH_CREDENTIAL } from '#http';
import type { RouteContext } from './context.ts';
import { refuseByBoard } from './hold-views.ts';
import { staffTicketView } from './ticket-views.ts';

const TAGS = { tags: ['box office'], ...WITH_CREDENTIAL };
const SELL = { access: { kind: 'scope', scope: 'tickets:write' } } as const;
const REFUND = { access: { kind: 'scope', scope: 'refunds:write' } } as const;
const BUSY = ['event_busy', 'outcome_unknown', 'idempotency_key_reused'] as const;
const NAME_OF_HOLDER = '`buyer_name` names a caller; with `for_holder` the buyer keeps their name.';
const NO_TICKET = 'There is no such ticket.';

export function registerBoxOffice(http: Http, context: RouteContext): void {
  sellRoute(http, context);
  endRoutes(http, context);
  reseatRoute(http, context);
}

function sellRoute(http: Http, { engine }: RouteContext): void {
  http.post(
    '/api/admin/events/:id/sell',
    {
      config: SELL,
      schema: {
        ...TAGS,
        summary: 'Sell at the door: held seats of one person become tickets at once',
        description:
          'Nothing is charged here. `complimentary` tickets cost nothing. What a buyer holds in ' +
          'the shop is sold with `for_holder` alone, to that buyer; without it the answer is ' +
          '`seat_held_by_another_user`.',
        params: IdParams,
        body: SellWish,
        response: repliesOr(
          { 201: Data(DoorSale) },
          'event_not_found',
          'event_not_available',
          'hold_not_found',
          'hold_limit_reached',
          'seat_held_by_another_user',
          'payment_in_progress',
          'body_too_large',
          ...BUSY,
        ),
      },
    },
    async (request, reply) => {
      const { hold_ids: holdIds, method, for_holder = false, buyer_name } = request.body;
      if (for_holder && buyer_name !== undefined) {
        return refuse(reply, 'invalid_request', NAME_OF_HOLDER);
      }
      const sale = { holdIds, method, forHolder: for_holder, buyerName: buyer_name };
      const outcome = await sellAtDoor(engine, callerOf(request), request.params.id, sale);
      switch (outcome.kind) {
        case 'event_not_found':
          return refuse(reply, 'event_not_found', 'There is no such event on sale.');
        case 'refused':
          return refuseByBoard(reply, outcome.refusal, outcome.at_ms);
        case 'key_reused':
          return answerDone(reply, outcome);
        case 'done': {
          const tickets = outcome.answer.tickets.map(staffTicketView);
          const answer = { ...outcome.answer, status: 'completed', method, tickets };
          return answerDone(reply, { ...outcome, answer }, { status: 201 });
        }
      }
    },
  );
}

const ENDS = [
  { step: 'void', status: 'voided', config: SELL, summary: 'End a ticket without money back' },
  { step: 'refund', status: 'refunded', config: REFUND, summary: 'End a ticket and owe its price' },
] as const;

function endRoutes(http: Http, { engine }: RouteContext): void {
  for (const { step, status, config, summary } of ENDS) {
    http.post(
      `/api/admin/tickets/:id/${step}`,
      {
        config,
        schema: {
          ...TAGS,
          summary,
          description: 'The seat is on sale again at once, unless `block` keeps it out.',
          params: IdParams,
          body: EndTicketWish,
          response: repliesOr(
            { 200: Data(ChangedTicket) },
            'ticket_not_found',
            ...(step === 'void' ? (['checkout_closed'] as const) : []),
            'body_too_large',
            ...BUSY,
          ),
        },
      },
      async (request, reply) => {
        const { reason, block = false } = request.body;
        const end = { status, block, reason };
        return answerTicket(
          reply,
          await endTicket(engine, callerOf(request), request.params.id, end),
        );
      },
    );
  }
}

function reseatRoute(http: Http, { engine }: RouteContext): void {
  http.post(
    '/api/admin/tickets/:id/reseat',
    {
      config: SELL,
      schema: {
        ...TAGS,
        summary: 'Another seat for the same ticket: its code and its QR code stay good',
        params: IdParams,
        body: ReseatWish,
        response: repliesOr(
          { 200: Data(ChangedTicket) },
          'ticket_not_found',
          'seat_not_found',
          'seat_held_by_another_user',
          'seat_not_available',
          'checkout_closed',
          'body_too_large',
          ...BUSY,
        ),
      },
    },
    async (request, reply) => {
      const { seat_id, reason = 'reseated' } = request.body;
      const wish = { seatId: seat_id, reason };
      const outcome = await reseatTicket(engine, callerOf(request), request.params.id, wish);
      if (outcome.kind === 'no_seat') {
        const message = 'This ticket is for a zone without seats.';
        return refuse(reply, 'invalid_request', message, { reason: 'no_seat' });
      }
      return answerTicket(reply, outcome);
    },
  );
}

function answerTicket(
  reply: FastifyReply,
  outcome: Awaited<ReturnType<typeof endTicket>>,
): FastifyReply {
  switch (outcome.kind) {
    case 'ticket_not_found':
      return refuse(reply, 'ticket_not_found', NO_TICKET);
    case 'refused':
      return refuseByBoard(reply, outcome.refusal, outcome.at_ms);
    case 'key_reused':
      return answerDone(reply, outcome);
    case 'done': {
      const { revision } = outcome.answer;
      const answer = { ...staffTicketView(outcome.answer), revision };
      return answerDone(reply, { ...outcome, answer });
    }
  }
}
