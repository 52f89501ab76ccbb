import { Data, EventParams, OnSaleReply, OnSaleWish } from '@voelgoed/client/wire';
import { scopeOfSlug } from '@voelgoed/engine/accounts';
import { reasonOf, uuidv7 } from '@voelgoed/engine/kit';
import type { Scope } from '@voelgoed/engine/scope';
import { type Engine, publicEvent } from '@voelgoed/engine/workflows';
import { type Http, refuse, replies } from '#http';
import { signToken } from '#tokens';
import { ownAddress } from './own-address.ts';
import { type BuyerEnd, simulateBuyer } from './simulated-buyer.ts';

type OnSaleOptions = Readonly<{ engine: Engine; authSecret: string; stopping: AbortSignal }>;

type Sale = {
  readonly eventId: string;
  readonly scope: Scope;
  readonly buyers: number;
  readonly stop: AbortController;
  running: boolean;
  finished: number;
  held: number;
  sold: number;
  released: number;
  refused: number;
};

/** Visitors who are on the page at the same time. */
const AT_A_TIME = 40;
/** Long enough to watch, short enough not to wait for. */
const ARRIVE_WITHIN_MS = 25_000;
const SESSION_SECONDS = 15 * 60;
/** Sales that are over and can still be asked about. */
const MOST_REMEMBERED = 50;
const ACCESS = { access: { kind: 'open' } } as const;
const MISSING = 'The demo has no such event.';

/**
 * Demo mode alone: simulated buyers who come through the API, so that a newcomer sees a map fill.
 * One sale per event at a time; asking again while it runs tells how it is getting on.
 */
export function registerOnSale(http: Http, options: OnSaleOptions): void {
  const sales = new Map<string, Sale>();
  http.post(
    '/api/demo/on-sale',
    {
      config: ACCESS,
      schema: {
        tags: ['demo'],
        summary: 'Simulated buyers for an event of the demo; 0 buyers stop them',
        body: OnSaleWish,
        response: replies({ 202: Data(OnSaleReply) }, ['invalid_request', 'event_not_found']),
      },
    },
    async (request, reply) => {
      const { event_id, buyers } = request.body;
      const eventId = event_id.toLowerCase();
      const scope = await demoScope(options.engine, eventId);
      if (!scope) return refuse(reply, 'event_not_found', MISSING) as never;
      const running = sales.get(eventId);
      if (buyers === 0) running?.stop.abort();
      const sale = running?.running || buyers === 0 ? running : newSale(scope, eventId, buyers);
      if (sale && sale !== running) {
        remember(sales, sale);
        void run(http, options, sale);
      }
      return reply.code(202).send({ data: viewOf(eventId, sale) });
    },
  );
  http.get(
    '/api/demo/on-sale/:event_id',
    {
      config: ACCESS,
      schema: {
        tags: ['demo'],
        summary: 'How a simulated sale is getting on',
        params: EventParams,
        response: replies({ 200: Data(OnSaleReply) }, ['invalid_request']),
      },
    },
    async (request) => {
      const eventId = request.params.event_id.toLowerCase();
      return { data: viewOf(eventId, sales.get(eventId)) };
    },
  );
}

/** Only what belongs to the demo: a sale elsewhere is somebody's business. */
async function demoScope(engine: Engine, eventId: string): Promise<Scope | null> {
  const scope = await scopeOfSlug(engine.postgres, 'demo');
  return scope && (await publicEvent(engine, scope, eventId)) ? scope : null;
}

function newSale(scope: Scope, eventId: string, buyers: number): Sale {
  const counts = { finished: 0, held: 0, sold: 0, released: 0, refused: 0 };
  return { eventId, scope, buyers, stop: new AbortController(), running: true, ...counts };
}

function remember(sales: Map<string, Sale>, sale: Sale): void {
  sales.delete(sale.eventId);
  sales.set(sale.eventId, sale);
  const [oldest] = [...sales.values()].filter(({ running }) => !running);
  if (sales.size > MOST_REMEMBERED && oldest) sales.delete(oldest.eventId);
}

function viewOf(event_id: string, sale: Sale | undefined) {
  const { running = false, buyers = 0, finished = 0 } = sale ?? {};
  const { held = 0, sold = 0, released = 0, refused = 0 } = sale ?? {};
  return { event_id, running, buyers, finished, held, sold, released, refused };
}

async function run(http: Http, options: OnSaleOptions, sale: Sale): Promise<void> {
  const { engine } = options;
  const stopping = AbortSignal.any([options.stopping, sale.stop.signal]);
  const between_ms = ARRIVE_WITHIN_MS / sale.buyers;
  const inside = new Set<Promise<void>>();
  try {
    for (let buyer = 0; buyer < sale.buyers; buyer++) {
      // Not by the clock: people do not come one every so often.
      await engine.clock.sleep(engine.random.next() * 2 * between_ms, stopping);
      if (inside.size >= AT_A_TIME) await Promise.race(inside);
      const visit = visitOf(http, options, sale, stopping).finally(() => inside.delete(visit));
      inside.add(visit);
    }
  } catch (error) {
    if (!stopping.aborted) engine.telemetry.emit(failed(error, sale));
  }
  await Promise.all(inside);
  sale.running = false;
}

async function visitOf(
  http: Http,
  { engine, authSecret }: OnSaleOptions,
  sale: Sale,
  stopping: AbortSignal,
): Promise<void> {
  const { clock, random } = engine;
  const { organizationId } = sale.scope;
  const expires = Math.floor(clock.now() / 1_000) + SESSION_SECONDS;
  const subject = `simulated ${uuidv7(engine)}`;
  const token = signToken(authSecret, { subject, organizationId, role: 'customer', expires });
  const tools = { server: ownAddress(http), token, clock, random, stopping };
  try {
    const event = await publicEvent(engine, sale.scope, sale.eventId);
    const ended = await simulateBuyer(tools, sale.eventId, event?.zones ?? []);
    count(sale, ended);
  } catch (error) {
    if (!stopping.aborted) engine.telemetry.emit(failed(error, sale));
  }
}

function count(sale: Sale, { held, sold, released, refused }: BuyerEnd): void {
  sale.finished += 1;
  sale.held += held;
  sale.sold += sold;
  sale.released += released;
  sale.refused += refused;
}

function failed(error: unknown, { scope, eventId }: Sale) {
  const ids = { organization_id: scope.organizationId, event_id: eventId };
  return { kind: 'job.failed', job: 'on-sale', reason: reasonOf(error), ids } as const;
}
