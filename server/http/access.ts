import { timingSafeEqual } from 'node:crypto';
import type { ErrorCode } from '@voelgoed/client/wire';
import type { AccessScope } from '@voelgoed/engine/accounts';
import { isUuid } from '@voelgoed/engine/kit';
import type { Scope } from '@voelgoed/engine/scope';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Authenticator, Principal } from '#tokens';
import { refuse } from './errors.ts';
import { takesAnyQuery } from './queries.ts';

/** Who may call a route. Every route says it, or the server does not start. */
export type Access =
  /** Everybody; credentials are not looked at. */
  | { kind: 'open' }
  /** Everybody, about the public event in the path; a credential must be of its organization. */
  | { kind: 'event' }
  /**
   * Somebody who may buy, about the event in the path if there is one. Whether the event sells is
   * decided on its board, also when the organization is suspended.
   */
  | { kind: 'buyer' }
  /** Anybody with a credential, whatever it is good for. */
  | { kind: 'principal' }
  /** A principal with this scope. */
  | { kind: 'scope'; scope: AccessScope }
  /** The platform's administrator. */
  | { kind: 'platform' };

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyRequest {
    principal: Principal | null;
    /** On routes about a public event: whose it is. */
    eventScope: Scope | null;
  }
}

export type Guard = Readonly<{
  authenticator: Authenticator;
  platformSecret: string | null;
  /** The organization of a public event. */
  scopeOfEvent(eventId: string): Promise<Scope | null>;
}>;

/** One route as a list shows it: for tests that try every one of them. */
export type RouteEntry = Readonly<{
  method: string;
  url: string;
  access: Access;
  /** It may take a minute. */
  long: boolean;
  /** It takes parameters that it does not know, and says why. */
  anyQuery: boolean;
  schema: RouteOptions['schema'];
}>;

/** Pages of plugins, which know nothing of access. */
const OPEN_PREFIX = '/docs';

/** Deny by default: a route without an access is a mistake that is found at the start. */
export function guardRoutes(http: FastifyInstance, guard: Guard): RouteEntry[] {
  const routes: RouteEntry[] = [];
  http.decorateRequest('principal', null);
  http.decorateRequest('eventScope', null);
  http.addHook('onRoute', (route) => {
    const access = accessOf(route);
    route.config = { ...route.config, access };
    const { url, config, schema } = route;
    const anyQuery = takesAnyQuery(route);
    const entry = { url, access, schema, anyQuery, long: config.long === true };
    for (const method of [route.method].flat()) routes.push({ method, ...entry });
  });
  http.addHook('onRequest', (request, reply, done) => {
    const isLetIn = admit(guard, request, reply);
    if (typeof isLetIn !== 'boolean') isLetIn.then((yes) => yes && done(), done);
    else if (isLetIn) done();
  });
  return routes;
}

function accessOf(route: RouteOptions): Access {
  const declared = route.config?.access;
  if (declared) return declared;
  const isPreflight = route.url === '*' && route.method === 'OPTIONS';
  const isOpen =
    isPreflight || route.url === OPEN_PREFIX || route.url.startsWith(`${OPEN_PREFIX}/`);
  if (!isOpen) throw new Error(`${route.method} ${route.url} does not say who may call it`);
  return { kind: 'open' };
}

/** False: an answer is on its way. Whoever was here a moment ago is let in without waiting. */
function admit(
  guard: Guard,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean | Promise<boolean> {
  const access = request.routeOptions.config.access;
  // No route was found: the answer is 404, whoever asks.
  if (!access || access.kind === 'open') return true;
  if (access.kind === 'event') return admitToEvent(guard, request, reply);
  reply.header('cache-control', 'no-cache, no-store');
  const { authorization } = request.headers;
  if (access.kind === 'platform') {
    return isPlatform(guard.platformSecret, authorization) || unauthorized(reply);
  }
  const { authenticator } = guard;
  const known = authenticator.remembered(authorization);
  if (known) return judge(access, known, request, reply);
  return authenticator
    .authenticate(authorization)
    .then((principal) =>
      principal ? judge(access, principal, request, reply) : unauthorized(reply),
    );
}

type Named = Extract<Access, { kind: 'principal' | 'buyer' | 'scope' }>;

function judge(
  access: Named,
  principal: Principal,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  // Also of a request that is refused: whose it was is kept.
  request.principal = principal;
  const scope =
    access.kind === 'scope' ? access.scope : access.kind === 'buyer' ? ('buy' as const) : null;
  if (scope !== null && !principal.scopes.has(scope)) {
    return turnAway(reply, 'forbidden', `This needs the scope ${scope}.`, { scope });
  }
  if (access.kind === 'buyer' && isOtherEvent(principal, request)) {
    return turnAway(reply, 'event_not_found', 'There is no such event.');
  }
  const isSuspended = principal.organization === 'suspended';
  if (access.kind === 'scope' && isSuspended && isChange(request.method)) {
    const message = 'This organization is suspended: it can be read, not changed.';
    return turnAway(reply, 'forbidden', message, { organization: 'suspended' });
  }
  return true;
}

/** A buyer who was here a moment ago, for this event; null: it has to be asked, or told why not. */
export function buyerAtOnce(
  { authenticator }: Guard,
  authorization: string | undefined,
  eventId: string,
): Principal | null {
  const principal = authenticator.remembered(authorization);
  if (!principal?.scopes.has('buy')) return null;
  return principal.eventId === null || principal.eventId === eventId ? principal : null;
}

/** A guest's session is good for its own event alone; any other is as if it were not there. */
function isOtherEvent(principal: Principal, request: FastifyRequest): boolean {
  const { event_id } = request.params as { event_id?: string };
  if (principal.eventId === null || event_id === undefined) return false;
  return event_id.toLowerCase() !== principal.eventId;
}

/**
 * One identical answer for what is absent, foreign or a draft. Whoever comes with a credential
 * must be of the event's organization, and a guest's is good for its own event alone.
 */
async function admitToEvent(
  { authenticator, scopeOfEvent }: Guard,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const { event_id = '' } = request.params as { event_id?: string };
  // A malformed id is told by the validator.
  if (!isUuid(event_id)) return true;
  const { authorization } = request.headers;
  const known = authenticator.remembered(authorization) ?? null;
  const principal =
    known ?? (authorization ? await authenticator.authenticate(authorization) : null);
  if (authorization && !principal) return unauthorized(reply);
  const scope = await scopeOfEvent(event_id);
  const foreign = principal !== null && principal.organizationId !== scope?.organizationId;
  const otherEvent = principal?.eventId && principal.eventId !== event_id.toLowerCase();
  if (!scope || foreign || otherEvent) {
    return turnAway(reply, 'event_not_found', 'There is no such event.');
  }
  request.principal = principal;
  request.eventScope = scope;
  return true;
}

/** A request that goes on for hours: would it be let in now? */
export async function isStillAllowed(guard: Guard, request: FastifyRequest): Promise<boolean> {
  const { principal } = request;
  if (!principal) return true;
  const now = await guard.authenticator.authenticate(request.headers.authorization);
  const access = request.routeOptions.config.access;
  if (now?.id !== principal.id) return false;
  if (guard.authenticator.isOver(request.headers.authorization)) return false;
  return access?.kind !== 'scope' || now.scopes.has(access.scope);
}

function isChange(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

function unauthorized(reply: FastifyReply): false {
  reply.header('www-authenticate', 'Bearer');
  return turnAway(reply, 'unauthorized', 'This needs a valid token or API key.');
}

function turnAway(reply: FastifyReply, code: ErrorCode, message: string, details = {}): false {
  refuse(reply, code, message, details);
  return false;
}

function isPlatform(secret: string | null, header: string | undefined): boolean {
  const given = /^Bearer (.+)$/i.exec(header ?? '')?.[1];
  if (secret === null || given === undefined) return false;
  const [a, b] = [Buffer.from(given), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}
