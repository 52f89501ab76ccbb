import {
  BlockedSeats,
  BlockWish,
  CallerHoldWish,
  Data,
  EventBlock,
  EventBlocksQuery,
  HeldCart,
  IdParams,
  LengthenedHolds,
  LengthenWish,
  NextRows,
  Page,
  ReleaseWish,
  StaffRelease,
  StaffSeat,
  StaffSeatParams,
  Whitelist,
  ZoneParams,
} from '@voelgoed/client/wire';
import {
  blockSeats,
  eventBlocks,
  holdForCaller,
  lengthenHolds,
  readWhitelist,
  releaseByStaff,
  seatFacts,
  setWhitelist,
} from '@voelgoed/engine/workflows';
import { answerDone, callerOf, type Http, refuse, repliesOr, WITH_CREDENTIAL } from '#http';
import type { RouteContext } from './context.ts';
import { answerHold, cartView, itemsOf, TOO_MANY_PEOPLE } from './hold-requests.ts';
import { refuseByBoard } from './hold-views.ts';
import { oneMore, pageOf } from './pages.ts';
import { lengthenedView, staffReleaseView } from './release-views.ts';
import { eventBlockView, staffSeatView } from './staff-views.ts';

const TAGS = { tags: ['box office'], ...WITH_CREDENTIAL };
const READ = { access: { kind: 'scope', scope: 'holds:read' } } as const;
const WRITE = { access: { kind: 'scope', scope: 'holds:write' } } as const;
const BLOCK = { access: { kind: 'scope', scope: 'seats:block' } } as const;
const PLAN = { access: { kind: 'scope', scope: 'events:write' } } as const;
/** Ten thousand ids, which is more than anybody selects with a lasso. */
const BLOCK_BYTES = 512 * 1024;
const MISSING = 'There is no such event on sale.';
const BUSY = ['event_busy', 'outcome_unknown', 'idempotency_key_reused'] as const;

export function registerStaffSeats(http: Http, context: RouteContext): void {
  releaseRoute(http, context);
  blockRoutes(http, context);
  callerHolds(http, context);
  lengthenRoute(http, context);
  seatRoute(http, context);
  blockList(http, context);
  whitelistRoutes(http, context);
}

function releaseRoute(http: Http, { engine }: RouteContext): void {
  http.post(
    '/api/admin/seats/release',
    {
      config: { ...WRITE, long: true },
      schema: {
        ...TAGS,
        summary: 'Release holds of others: by id, of a user, of an event',
        description:
          'Holds of several events are released one event after the other. What is still held is ' +
          'in `not_released`, with the reason.',
        body: ReleaseWish,
        response: repliesOr(
          { 200: Data(StaffRelease) },
          'event_not_found',
          'body_too_large',
          ...BUSY,
        ),
      },
    },
    async (request, reply) => {
      const { hold_ids, user_id, event_id, reason, notes, force = false } = request.body;
      if (!hold_ids && !user_id && !event_id) {
        const message = 'Say which: `hold_ids`, `user_id` or `event_id`.';
        return refuse(reply, 'invalid_request', message);
      }
      const outcome = await releaseByStaff(engine, callerOf(request), {
        holdIds: hold_ids ?? null,
        userId: user_id?.toLowerCase() ?? null,
        eventId: event_id?.toLowerCase() ?? null,
        reason,
        notes: notes ?? null,
        force,
      });
      if (outcome.kind === 'event_not_found') return refuse(reply, 'event_not_found', MISSING);
      if (outcome.kind === 'key_reused') return answerDone(reply, outcome);
      const { replayed } = outcome;
      const answer = staffReleaseView(outcome);
      return answerDone(reply, { kind: 'done', answer, replayed });
    },
  );
}

function blockRoutes(http: Http, { engine }: RouteContext): void {
  for (const kind of ['block', 'unblock'] as const) {
    http.post(
      `/api/admin/events/:id/seats/${kind}`,
      {
        config: { ...BLOCK, long: true },
        bodyLimit: BLOCK_BYTES,
        schema: {
          ...TAGS,
          summary:
            kind === 'block' ? 'Take seats out of the sale' : 'Put blocked seats back on sale',
          description:
            'A held seat is taken from its holder, unless somebody is paying for it; a sold one ' +
            'keeps its ticket meanwhile.',
          params: IdParams,
          body: BlockWish,
          response: repliesOr(
            { 200: Data(BlockedSeats) },
            'event_not_found',
            'seat_not_found',
            ...(kind === 'unblock'
              ? (['seat_not_available'] as const)
              : (['payment_in_progress'] as const)),
            'body_too_large',
            ...BUSY,
          ),
        },
      },
      async (request, reply) => {
        const { seat_ids: seatIds, reason } = request.body;
        const wish = { kind, seatIds, reason };
        const outcome = await blockSeats(engine, callerOf(request), request.params.id, wish);
        switch (outcome.kind) {
          case 'event_not_found':
            return refuse(reply, 'event_not_found', MISSING);
          case 'refused':
            return refuseByBoard(reply, outcome.refusal, outcome.at_ms);
          case 'key_reused':
            return answerDone(reply, outcome);
          case 'done': {
            const { kind: status, ...rest } = outcome.answer;
            return answerDone(reply, { ...outcome, answer: { status, ...rest } });
          }
        }
      },
    );
  }
}

function callerHolds(http: Http, { engine }: RouteContext): void {
  http.post(
    '/api/admin/events/:id/holds',
    {
      config: WRITE,
      schema: {
        ...TAGS,
        summary: 'Hold for somebody on the telephone or at the counter',
        params: IdParams,
        body: CallerHoldWish,
        response: repliesOr(
          { 200: Data(HeldCart), 201: Data(HeldCart) },
          'event_not_found',
          'event_not_available',
          'seat_not_found',
          'zone_not_found',
          'seat_held_by_another_user',
          'seat_not_available',
          'block_at_capacity',
          'body_too_large',
          ...BUSY,
        ),
      },
    },
    async (request, reply) => {
      const { caller_id, hold_minutes, notes } = request.body;
      const { id } = request.params;
      const items = itemsOf(request.body.items);
      if (!items) return refuse(reply, 'invalid_request', TOO_MANY_PEOPLE);
      const outcome = await holdForCaller(engine, callerOf(request), id, {
        items,
        for: request.body.for,
        callerId: caller_id?.toLowerCase() ?? null,
        minutes: hold_minutes ?? null,
        notes: notes ?? null,
      });
      return answerHold(reply, outcome, (held) => cartView(id, held));
    },
  );
}

function lengthenRoute(http: Http, { engine }: RouteContext): void {
  http.post(
    '/api/admin/holds/extend',
    {
      config: { ...WRITE, long: true },
      schema: {
        ...TAGS,
        summary: 'Give callers more time: at most an hour from now',
        description:
          'Only holds of the box office. Holds of several events are extended one event after ' +
          'the other; what was not extended is in `not_extended`, with the reason.',
        body: LengthenWish,
        response: repliesOr({ 200: Data(LengthenedHolds) }, 'body_too_large', ...BUSY),
      },
    },
    async (request, reply) => {
      const { hold_ids: holdIds, minutes } = request.body;
      const outcome = await lengthenHolds(engine, callerOf(request), { holdIds, minutes });
      if (outcome.kind === 'key_reused') return answerDone(reply, outcome);
      const { replayed } = outcome;
      return answerDone(reply, { kind: 'done', answer: lengthenedView(outcome), replayed });
    },
  );
}

function seatRoute(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/admin/events/:id/seats/:seat_id',
    {
      config: READ,
      schema: {
        ...TAGS,
        summary: 'Why a seat is not to be had: who has it, its ticket, or who closed it',
        description: 'The ticket is there for those who may read tickets.',
        params: StaffSeatParams,
        response: repliesOr({ 200: Data(StaffSeat) }, 'event_not_found', 'seat_not_found'),
      },
    },
    async (request, reply) => {
      const { id, seat_id } = request.params;
      const facts = await seatFacts(engine, callerOf(request), id, seat_id);
      if ('kind' in facts) {
        const message = facts.kind === 'seat_not_found' ? 'The event has no such seat.' : MISSING;
        return refuse(reply, facts.kind, message) as never;
      }
      return { data: staffSeatView(id, facts) as never };
    },
  );
}

function blockList(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/admin/events/:id/blocks',
    {
      config: READ,
      schema: {
        ...TAGS,
        summary: 'Which seats are out of the sale, by whom and why, the newest block first',
        description:
          'A seat is in the block that closed it last. Seats that were closed since the event ' +
          'was planned are at the end, without a `block_id`; with `is_cut` also those whose ' +
          'block is older than the newest 2,000 entries, which are looked through.',
        params: IdParams,
        querystring: EventBlocksQuery,
        response: repliesOr({ 200: Page(EventBlock, NextRows) }, 'event_not_found'),
      },
    },
    async (request, reply) => {
      const { before = null, limit = 100 } = request.query;
      const page = { before, limit: oneMore(limit) };
      const found = await eventBlocks(engine, callerOf(request), request.params.id, page);
      if (!found) return refuse(reply, 'event_not_found', MISSING) as never;
      const rows = found.blocks.map((block) => eventBlockView(found.board, block));
      return pageOf(rows, limit, ({ block_id }) => ({ before: block_id ?? 1 }));
    },
  );
}

function whitelistRoutes(http: Http, { engine }: RouteContext): void {
  const route = '/api/admin/events/:id/zones/:zone_id/whitelist';
  const codes = ['event_not_found', 'zone_not_found', 'event_not_available', ...BUSY] as const;
  http.get(
    route,
    {
      config: { access: { kind: 'scope', scope: 'members:read' } },
      schema: {
        ...TAGS,
        summary: 'Who may enter a zone that is open to named people only',
        params: ZoneParams,
        response: repliesOr({ 200: Data(Whitelist) }, 'event_not_found'),
      },
    },
    async (request, reply) => {
      const { id, zone_id } = request.params;
      const user_ids = await readWhitelist(engine, callerOf(request), id, zone_id);
      if (!user_ids) return refuse(reply, 'event_not_found', MISSING) as never;
      return { data: { user_ids } };
    },
  );
  http.put(
    route,
    {
      config: PLAN,
      bodyLimit: BLOCK_BYTES,
      schema: {
        ...TAGS,
        summary: 'Name the people who may enter a zone, all of them at once',
        params: ZoneParams,
        body: Whitelist,
        response: repliesOr({ 200: Data(Whitelist) }, ...codes, 'body_too_large'),
      },
    },
    async (request, reply) => {
      const { id, zone_id } = request.params;
      const caller = callerOf(request);
      const outcome = await setWhitelist(engine, caller, id, zone_id, request.body.user_ids);
      switch (outcome.kind) {
        case 'not_found':
          return refuse(reply, 'event_not_found', 'There is no such event.');
        case 'zone_not_found':
          return refuse(reply, 'zone_not_found', 'The event has no such zone.');
        case 'wrong_state': {
          const message = `The event is ${outcome.status}, so this cannot be done to it.`;
          return refuse(reply, 'event_not_available', message, { status: outcome.status });
        }
        case 'invalid': {
          const { problems } = outcome;
          return refuse(reply, 'invalid_request', 'The list is not valid.', { problems });
        }
        default:
          return answerDone(reply, outcome);
      }
    },
  );
}
