import {
  Data,
  Event,
  EventChange,
  EventInList,
  EventLayoutChoice,
  EventMigration,
  EventSearch,
  EventStakes,
  EventWithPlan,
  IdParams,
  MigrationReport,
  NewEvent,
  NextAfter,
  Page,
  PriceList,
  StepReason,
} from '@voelgoed/client/wire';
import type { EventStep } from '@voelgoed/engine/events';
import type { AccessMode, ZoneType } from '@voelgoed/engine/policies';
import {
  changeEvent,
  chooseLayout,
  createEvent,
  type EventRefusal,
  eventFigures,
  figuresOf,
  type LayoutChoice,
  listAllEvents,
  migrateEvent,
  readEvent,
  setPrices,
  stepEvent,
} from '@voelgoed/engine/workflows';
import type { FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import { answerDone, callerOf, type Http, refuse, repliesOr, WITH_CREDENTIAL } from '#http';
import type { RouteContext } from './context.ts';
import { oneMore, pageOf } from './pages.ts';

const TAGS = { tags: ['events'], ...WITH_CREDENTIAL };
const READ = { access: { kind: 'scope', scope: 'events:read' } } as const;
const WRITE = { access: { kind: 'scope', scope: 'events:write' } } as const;
const PUBLISH = { access: { kind: 'scope', scope: 'events:publish' } } as const;
/** Blocking or mapping every seat of the largest layout is about 8 MB of ids. */
const PLAN_BYTES = 16 * 1024 * 1024;
const FIGURES = { access: { kind: 'scope', scope: 'figures:read' } } as const;
const MISSING = 'There is no such event.';
const NO_LAYOUT = 'There is no such active layout.';
const IN_USE = 'Places are held or sold: migrate the layout instead.';
const TAKEN = 'It would take places from people who hold or have bought them: see the lists.';
const SEVERAL = 'The event cannot be like this: `details.problems` says why.';
const LAYOUT_CODES = ['not_found', 'policy_locked', 'layout_in_use', 'body_too_large'] as const;
const CODES = ['event_not_found', 'event_not_available', 'idempotency_key_reused'] as const;

/** Events whose tickets are counted in one list. */
const MOST_COUNTED = 50;

export function registerEvents(http: Http, context: RouteContext): void {
  readEvents(http, context);
  countEvents(http, context);
  planEvents(http, context);
  furnishEvents(http, context);
  migrateEvents(http, context);
  stepEvents(http, context);
}

function readEvents(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/admin/events',
    {
      config: READ,
      schema: {
        ...TAGS,
        summary: 'Events of every state',
        querystring: EventSearch,
        description:
          'With `figures` each has its places, tickets and takings, which are counted for each ' +
          'question: 50 events at most. They are null when there was no time to count them.',
        response: repliesOr({ 200: Page(EventInList, NextAfter) }),
      },
    },
    async (request, reply) => {
      const { figures: isCounted = false, ...search } = request.query;
      const { limit = isCounted ? MOST_COUNTED : 100 } = request.query;
      const caller = callerOf(request);
      if (isCounted && !caller.scopes.has('figures:read')) {
        const scope = 'figures:read';
        return refuse(reply, 'forbidden', `This needs the scope ${scope}.`, { scope }) as never;
      }
      if (isCounted && limit > MOST_COUNTED) {
        const message = `With figures the limit is ${MOST_COUNTED} events.`;
        const problems = [{ path: 'query/limit', message: `is more than ${MOST_COUNTED}` }];
        return refuse(reply, 'invalid_request', message, { problems }) as never;
      }
      const rows = await listAllEvents(engine, caller, { ...search, limit: oneMore(limit) });
      const page = pageOf(rows, limit, ({ event_id }) => ({ after: event_id }));
      if (!isCounted) return page;
      const counted = await figuresOf(
        engine,
        caller,
        page.data.map(({ event_id }) => event_id),
      );
      const data = page.data.map((row) => ({
        ...row,
        figures: counted?.get(row.event_id) ?? null,
      }));
      return { ...page, data };
    },
  );

  http.get(
    '/api/admin/events/:id',
    {
      config: READ,
      schema: {
        ...TAGS,
        summary: 'One event with its layout, overrides and prices',
        params: IdParams,
        response: repliesOr({ 200: Data(EventWithPlan) }, 'event_not_found'),
      },
    },
    async (request, reply) => {
      const event = await readEvent(engine, callerOf(request), request.params.id);
      if (!event) return refuse(reply, 'event_not_found', MISSING) as never;
      return { data: event };
    },
  );
}

function countEvents(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/admin/events/:id/figures',
    {
      config: FIGURES,
      schema: {
        ...TAGS,
        summary: 'What an event has sold, and what its cancelling would concern',
        params: IdParams,
        response: repliesOr({ 200: Data(EventStakes) }, 'event_not_found'),
      },
    },
    async (request, reply) => {
      const figures = await eventFigures(engine, callerOf(request), request.params.id);
      if (!figures) return refuse(reply, 'event_not_found', MISSING) as never;
      return { data: figures };
    },
  );
}

function planEvents(http: Http, { engine }: RouteContext): void {
  http.post(
    '/api/admin/events',
    {
      config: WRITE,
      schema: {
        ...TAGS,
        summary: 'A new event, as a draft',
        body: NewEvent,
        response: repliesOr({ 201: Data(Event) }, 'idempotency_key_reused'),
      },
    },
    async (request, reply) => {
      const { body } = request;
      const wanted = {
        description: null,
        venue_id: null,
        sale_starts_at: null,
        sale_ends_at: null,
        ...body,
      };
      return answer(reply, await createEvent(engine, callerOf(request), wanted), 201);
    },
  );

  http.patch(
    '/api/admin/events/:id',
    {
      config: WRITE,
      schema: {
        ...TAGS,
        summary: 'Change an event; a postponed one gets its new date so',
        params: IdParams,
        body: EventChange,
        response: repliesOr({ 200: Data(Event) }, ...CODES, 'layout_in_use'),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      return answer(reply, await changeEvent(engine, callerOf(request), id, request.body));
    },
  );
}

function furnishEvents(http: Http, { engine }: RouteContext): void {
  http.put(
    '/api/admin/events/:id/layout',
    {
      config: { ...WRITE, long: true },
      bodyLimit: PLAN_BYTES,
      schema: {
        ...TAGS,
        summary: 'Pin a layout version with overrides, or name zones of general admission',
        params: IdParams,
        body: EventLayoutChoice,
        response: repliesOr({ 200: Data(EventWithPlan) }, ...CODES, ...LAYOUT_CODES),
      },
    },
    async (request, reply) => {
      const choice = choiceOf(request.body);
      if (!choice) {
        const problems = [{ path: 'body', message: 'needs either layout_id or zones' }];
        return refuse(reply, 'invalid_request', 'The request is not valid.', { problems });
      }
      const { id } = request.params;
      const outcome = await chooseLayout(engine, callerOf(request), id, choice);
      if (outcome.kind === 'layout_not_found') return refuse(reply, 'not_found', NO_LAYOUT);
      if (outcome.kind === 'in_use') {
        const { report } = outcome;
        return refuse(reply, 'layout_in_use', report ? TAKEN : IN_USE, report ? { ...report } : {});
      }
      if (outcome.kind === 'unpriced') {
        const { problems } = outcome;
        return refuse(reply, 'invalid_request', 'Send the prices along.', { problems });
      }
      return answer(reply, outcome);
    },
  );

  http.put(
    '/api/admin/events/:id/prices',
    {
      config: WRITE,
      schema: {
        ...TAGS,
        summary: 'One price per zone, in cents of the event’s currency',
        params: IdParams,
        body: PriceList,
        response: repliesOr({ 200: Data(EventWithPlan) }, ...CODES),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      return answer(reply, await setPrices(engine, callerOf(request), id, request.body.prices));
    },
  );
}

function migrateEvents(http: Http, { engine }: RouteContext): void {
  http.post(
    '/api/admin/events/:id/layout/migrate',
    {
      config: { ...PUBLISH, long: true },
      bodyLimit: PLAN_BYTES,
      schema: {
        ...TAGS,
        summary: 'Another layout under an event on sale; a dry run tells what it would mean',
        description: 'It is only done when nobody who holds or has bought a place loses it.',
        params: IdParams,
        body: EventMigration,
        response: repliesOr({ 200: Data(MigrationReport) }, ...CODES, ...LAYOUT_CODES),
      },
    },
    async (request, reply) => {
      const { layout_id, layout_version, mapping = {}, overrides, prices } = request.body;
      const zoneMapping = request.body.zone_mapping ?? {};
      const wish = {
        layoutId: layout_id,
        version: layout_version,
        mapping,
        zoneMapping,
        overrides,
        prices,
        dryRun: request.body.dry_run ?? false,
      };
      const outcome = await migrateEvent(engine, callerOf(request), request.params.id, wish);
      if (outcome.kind === 'layout_not_found') return refuse(reply, 'not_found', NO_LAYOUT);
      if (outcome.kind === 'in_use') {
        const message = 'Somebody would lose a place: see the lists, and map those places.';
        return refuse(reply, 'layout_in_use', message, { ...outcome.report });
      }
      return answer(reply, outcome);
    },
  );
}

function choiceOf(body: Static<typeof EventLayoutChoice>): LayoutChoice | null {
  const { layout_id, layout_version: version, zones, overrides = null, prices } = body;
  if ((layout_id === undefined) === (zones === undefined)) return null;
  if (layout_id !== undefined) {
    return { kind: 'layout', layoutId: layout_id, version, overrides, prices };
  }
  const open = (zones ?? []).map((zone) => ({
    ...zone,
    zone_type: zone.zone_type as ZoneType,
    access_mode: (zone.access_mode ?? 'public') as AccessMode,
    membership_tier: zone.membership_tier ?? null,
    allowed_roles: zone.allowed_roles ?? [],
  }));
  return { kind: 'open', zones: open, overrides, prices };
}

const STEPS: Readonly<Record<EventStep, { config: typeof WRITE | typeof PUBLISH; does: string }>> =
  {
    publish: { config: PUBLISH, does: 'Put it on sale with everything that can be bought' },
    open: { config: WRITE, does: 'The doors are open' },
    end: { config: WRITE, does: 'It is over' },
    cancel: { config: PUBLISH, does: 'It will not take place' },
    postpone: { config: PUBLISH, does: 'It will take place later' },
    archive: { config: PUBLISH, does: 'Put it away' },
  };

function stepEvents(http: Http, { engine }: RouteContext): void {
  for (const [step, { config, does }] of Object.entries(STEPS)) {
    http.post(
      `/api/admin/events/:id/${step}`,
      {
        config: { ...config, long: step === 'publish' },
        schema: {
          ...TAGS,
          summary: does,
          params: IdParams,
          body: StepReason,
          response: repliesOr({ 200: Data(Event) }, ...CODES, 'policy_locked'),
        },
      },
      async (request, reply) => {
        const { id } = request.params;
        const { reason = null } = request.body;
        const caller = callerOf(request);
        return answer(reply, await stepEvent(engine, caller, id, step as EventStep, reason));
      },
    );
  }
}

type Answered = Exclude<Parameters<typeof answerDone>[1], { kind: 'not_found' }> | EventRefusal;

function answer(reply: FastifyReply, outcome: Answered, status: 200 | 201 = 200): FastifyReply {
  switch (outcome.kind) {
    case 'not_found':
      return refuse(reply, 'event_not_found', MISSING);
    case 'wrong_state': {
      const message = `The event is ${outcome.status}, so this cannot be done to it.`;
      return refuse(reply, 'event_not_available', message, { status: outcome.status });
    }
    case 'invalid': {
      const { problems } = outcome;
      const own = (['policy_locked', 'layout_in_use'] as const).find((known) =>
        problems.every(({ code }) => code === known),
      );
      const code = own ?? 'invalid_request';
      const [only, ...others] = problems;
      const message = others.length === 0 ? only?.message : undefined;
      return refuse(reply, code, message ?? SEVERAL, { problems });
    }
    default:
      return answerDone(reply, outcome, { status });
  }
}
