import { Countdown, type CountdownListener, type CountdownOptions, ServerClock } from '#clock';
import { buying, type Call, organizing, planning, running, selling } from '#groups';
import { type Host, systemHost } from '#host';
import { Following, type FollowingPorts, type FollowOptions, type LiveListener } from '#live';
import { LONG_ROUTES, type Route } from '#routes';
import type { Drawing, ToldRow } from '#shapes';
import {
  type Asked,
  type Input,
  type Observation,
  type RetryOptions,
  type TokenGiver,
  Transport,
} from '#transport';

export type SeatingOptions = Readonly<{
  /** Where the server is: `https://seats.example`. */
  address: string;
  /**
   * A token or an API key; or a function that gives one for each call, and a new one when it is
   * called with `refused`. Without it: what everybody may do.
   */
  token?: TokenGiver | undefined;
  /** For each call with all its retries. Default 30 s; routes that do a lot keep their 90 s. */
  timeout_ms?: number | undefined;
  retries?: RetryOptions | undefined;
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Told of every call when it has ended. */
  observe?: ((seen: Observation) => void) | undefined;
  /** Another fetch, clock or chance: for tests, and for places that have their own. */
  host?: Partial<Host> | undefined;
}>;

export type SeatingClient = ReturnType<typeof createClient>;

/** Routes whose answer is a text, and those whose answer is read piece by piece. */
const TEXTS: readonly string[] = ['GET /metrics', 'GET /api/admin/events/:id/changes/export'];

export function createClient(options: SeatingOptions) {
  const host: Host = { ...systemHost, ...options.host };
  const clock = new ServerClock(host);
  const transport = new Transport({
    host,
    clock,
    address: options.address.replace(/\/+$/, ''),
    token: options.token ?? null,
    timeout_ms: options.timeout_ms,
    retries: options.retries,
    headers: options.headers ?? {},
    observe: options.observe,
  });
  const call = ((route, input, callOptions) =>
    transport.call(askedFor(route), input as Input, callOptions)) as Call;
  const groups = buying(call);
  const staff = selling(call);
  const back = running(call, host.now);
  const follow = followWith(transport, { host, clock });
  return {
    ...groups,
    ...staff,
    ...planning(call),
    ...organizing(call),
    ...back,
    events: {
      ...groups.events,
      /** Follows an event: its map, how full it is and, with a buyer's token, their holds. */
      follow: (event_id: string, listener: LiveListener, options?: FollowOptions) =>
        follow({ event_id, route: 'GET /api/events/:event_id/stream' }, listener, options),
    },
    boxOffice: {
      ...staff.boxOffice,
      /** The same for staff: also who has done what and why, row by row. */
      follow: (event_id: string, listener: LiveListener, options?: FollowOptions) =>
        follow({ event_id, route: 'GET /api/admin/events/:id/stream' }, listener, options),
    },
    /** The server's time. */
    clock,
    /** What is left until a time of the server's: of a hold, a checkout, a payment. */
    countdown: (until: string, listener: CountdownListener, options?: CountdownOptions) =>
      new Countdown({ host, clock }, until, listener, options),
    /** How many retries all calls have left together. */
    retryBudget: () => transport.budget.left,
  };
}

function askedFor(route: Route): Asked {
  const reads = TEXTS.includes(route) ? 'text' : 'json';
  return { route, isLong: LONG_ROUTES.has(route), reads };
}

type Followed = Readonly<{
  event_id: string;
  route: 'GET /api/events/:event_id/stream' | 'GET /api/admin/events/:id/stream';
}>;

function followWith(transport: Transport, tools: Pick<FollowingPorts, 'host' | 'clock'>) {
  return ({ event_id, route }: Followed, listener: LiveListener, options?: FollowOptions) => {
    const params = { event_id, id: event_id };
    const ask = (asked: Route, input: Input, signal: AbortSignal) =>
      transport.call(askedFor(asked), { params, ...input }, { signal });
    const ports: FollowingPorts = {
      ...tools,
      open: async (place, signal) => {
        const asked: Asked = { route, isLong: false, reads: 'body', isOnce: true };
        const headers = place ? { 'last-event-id': String(place.revision) } : {};
        const input = { params, headers, query: { lineage: place?.lineage || undefined } };
        return (await transport.call(asked, input, { signal })) as Response;
      },
      // A browser may have kept the drawing of the layout before.
      drawing: async (signal) =>
        (await ask('GET /api/events/:event_id/seatmap', { isFresh: true }, signal)) as Drawing,
      changes: route.startsWith('GET /api/admin/')
        ? async (after, signal) => {
            const query = { after, limit: 500 };
            return (await ask('GET /api/admin/events/:id/changes', { query }, signal)) as ToldRow[];
          }
        : null,
    };
    return new Following(ports, listener, options);
  };
}
