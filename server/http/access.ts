import { timingSafeEqual } from 'node:crypto';
import type { AccessScope } from '@voelgoed/engine/accounts';
import { isUuid } from '@voelgoed/engine/kit';
import type { Scope } from '@voelgoed/engine/scope';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Authenticator, Principal } from '#tokens';
import { refuse } from './errors.ts';

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
    const { url, config } = route;
    const long = config.long === true;
    for (const method of [route.method].flat()) routes.push({ method, url, access, long });
  });
  http.addHook('onRequest', async (request, reply) => admit(guard, request, reply));
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

async function admit(guard: Guard, request: FastifyRequest, reply: FastifyReply) {
  const access = request.routeOptions.config.access;
  // No route was found: the answer is 404, whoever asks.
  if (!access || access.kind === 'open') return undefined;
  if (access.kind === 'event') return admitToEvent(guard, request, reply);
  reply.header('cache-control', 'no-cache, no-store');
  const { authorization } = request.headers;
  if (access.kind === 'platform') {
    return isPlatform(guard.platformSecret, authorization) ? undefined : unauthorized(reply);
  }
  const principal = await guard.authenticator.authenticate(authorization);
  if (!principal) return unauthorized(reply);
  if (access.kind === 'principal') {
    request.principal = principal;
    return undefined;
  }
  const scope = access.kind === 'buyer' ? 'buy' : access.scope;
  if (!principal.scopes.has(scope)) {
    return refuse(reply, 'forbidden', `This needs the scope ${scope}.`, { scope });
  }
  if (access.kind === 'buyer') return admitBuyer(principal, request, reply);
  if (principal.organization === 'suspended' && isChange(request.method)) {
    const message = 'This organization is suspended: it can be read, not changed.';
    return refuse(reply, 'forbidden', message, { organization: 'suspended' });
  }
  request.principal = principal;
  return undefined;
}

/** A guest's session is good for its own event alone; any other is as if it were not there. */
function admitBuyer(principal: Principal, request: FastifyRequest, reply: FastifyReply) {
  const { event_id } = request.params as { event_id?: string };
  const other = event_id !== undefined && event_id.toLowerCase() !== principal.eventId;
  if (principal.eventId !== null && other) {
    return refuse(reply, 'event_not_found', 'There is no such event.');
  }
  request.principal = principal;
  return undefined;
}

/**
 * One identical answer for what is absent, foreign or a draft. Whoever comes with a credential
 * must be of the event's organization, and a guest's is good for its own event alone.
 */
async function admitToEvent(guard: Guard, request: FastifyRequest, reply: FastifyReply) {
  const { event_id = '' } = request.params as { event_id?: string };
  // A malformed id is told by the validator.
  if (!isUuid(event_id)) return undefined;
  const { authorization } = request.headers;
  const principal = authorization ? await guard.authenticator.authenticate(authorization) : null;
  if (authorization && !principal) return unauthorized(reply);
  const scope = await guard.scopeOfEvent(event_id);
  const foreign = principal !== null && principal.organizationId !== scope?.organizationId;
  const otherEvent = principal?.eventId && principal.eventId !== event_id.toLowerCase();
  if (!scope || foreign || otherEvent) {
    return refuse(reply, 'event_not_found', 'There is no such event.');
  }
  request.principal = principal;
  request.eventScope = scope;
  return undefined;
}

/** A request that goes on for hours: would it be let in now? */
export async function isStillAllowed(guard: Guard, request: FastifyRequest): Promise<boolean> {
  const { principal } = request;
  if (!principal) return true;
  const now = await guard.authenticator.authenticate(request.headers.authorization);
  const access = request.routeOptions.config.access;
  if (now?.id !== principal.id) return false;
  return access?.kind !== 'scope' || now.scopes.has(access.scope);
}

function isChange(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

function unauthorized(reply: FastifyReply): FastifyReply {
  reply.header('www-authenticate', 'Bearer');
  return refuse(reply, 'unauthorized', 'This needs a valid token or API key.');
}

function isPlatform(secret: string | null, header: string | undefined): boolean {
  const given = /^Bearer (.+)$/i.exec(header ?? '')?.[1];
  if (secret === null || given === undefined) return false;
  const [a, b] = [Buffer.from(given), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}
