import { isIP } from 'node:net';
import { scopesOf } from '@voelgoed/engine/accounts';
import { hashBody, type IdempotencyKey } from '@voelgoed/engine/idempotency';
import { assert, NIL_ID } from '@voelgoed/engine/kit';
import { type Scope, scopeOf } from '@voelgoed/engine/scope';
import type { Caller } from '@voelgoed/engine/workflows';
import type { Principal } from '#tokens';
import type { AnyRequest } from './exchange.ts';

const KEY_CHARACTERS = 255;
const AGENT_CHARACTERS = 512;

/** Idempotency-Key is there but cannot be one. */
export class BadIdempotencyKey extends Error {
  readonly statusCode = 400;
}

/** The principal of a request as the engine's caller. The organization is the credential's. */
export function callerOf(request: AnyRequest): Caller {
  const { principal } = request;
  assert(principal, 'a route that asks for its caller needs a scope');
  return {
    ...standingOf(principal),
    ...origin(request),
    reason: reasonOf(request),
    idempotency: idempotencyOf(request, principal.id),
    deadline_ms: request.deadline_ms,
    signal: request.gone,
  };
}

/** Who asked and from where, whatever else is wrong with the request; null: no credential. */
export function whoAsked(request: AnyRequest) {
  const { principal } = request;
  return principal && { ...standingOf(principal), ...origin(request) };
}

function standingOf({ kind, id, role, scopes, organizationId, organization, eventId }: Principal) {
  return {
    scope: scopeOf(organizationId),
    actor: { kind, id, role: kind === 'user' ? role : null },
    role,
    scopes,
    guestOf: eventId ?? undefined,
    suspended: organization === 'suspended',
  };
}

/** The platform's administrator acting on one organization. */
export function platformCaller(request: AnyRequest, scope: Scope): Caller {
  return {
    scope,
    actor: { kind: 'platform', id: null, role: null },
    role: 'owner',
    scopes: scopesOf('owner'),
    ...origin(request),
    idempotency: idempotencyOf(request, NIL_ID),
    deadline_ms: request.deadline_ms,
  };
}

function origin(request: AnyRequest) {
  const agent = request.headers['user-agent'];
  return { ip: addressOf(request), userAgent: agent?.slice(0, AGENT_CHARACTERS) ?? null };
}

/** What they said why, in the body or, where there is none, in the address. */
function reasonOf({ body, query }: AnyRequest): string | undefined {
  for (const said of [body, query] as readonly ({ reason?: unknown } | null | undefined)[]) {
    if (typeof said?.reason === 'string') return said.reason;
  }
  return undefined;
}

/** What proxies write may have a port, brackets or a zone; what is no address is not used. */
export function addressOf(request: Pick<AnyRequest, 'ip' | 'socket'>): string | null {
  const { ip = '' } = request;
  if (isIP(ip) && !ip.includes('%')) return ip;
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(ip) ?? [];
  const [, beforePort] = /^([^:]+):\d+$/.exec(ip) ?? [];
  const address = (bracketed ?? beforePort ?? ip).replace(/%.*$/, '');
  if (isIP(address)) return address;
  const socket = request.socket.remoteAddress?.replace(/%.*$/, '') ?? '';
  return isIP(socket) ? socket : null;
}

/** The same key on another route, or by another user, is another wish. */
function idempotencyOf(request: AnyRequest, userId: string): IdempotencyKey | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || key.length === 0 || key.length > KEY_CHARACTERS) {
    throw new BadIdempotencyKey(`Idempotency-Key has 1 to ${KEY_CHARACTERS} characters.`);
  }
  const route = `${request.method} ${request.routeOptions.url}`;
  const { params, query, body } = request;
  return { userId, route, key, bodyHash: hashBody({ params, query }, body) };
}
