import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ROLES, scopesOf, userIdOf } from '@voelgoed/engine/accounts';
import { NIL_ID, systemClock } from '@voelgoed/engine/kit';
import type { Scope } from '@voelgoed/engine/scope';
import { changeOrganizationStatus } from '@voelgoed/engine/workflows';
import {
  aCaller,
  anEngine,
  anOrganization,
  aPublishedEvent,
  aSoldSeat,
  newId,
} from '@voelgoed/testkit/builders';
import { useDemoDatabase } from '@voelgoed/testkit/demos';
import { eventually } from '@voelgoed/testkit/eventually';
import { call, tokenFor, useNode } from '@voelgoed/testkit/servers';
import { testServices } from '@voelgoed/testkit/services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RouteEntry } from '#http';

/**
 * Every route against every kind of wrong credential. The list comes from the server itself, so a
 * new route is tried without anybody having to think of it.
 */
const PLATFORM_SECRET = 'the platform secret of the access matrix';
const database = useDemoDatabase();
const node = useNode(database, { DEMO: '1', PLATFORM_SECRET, ALLOW_INTERNAL_ADDRESSES: '1' });

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
let keyServer: Server;
let mine: Scope;
let other: Scope;
let suspended: Scope;

const ISSUER = 'https://login.example';

beforeAll(async () => {
  const { postgres } = database;
  [mine, other, suspended] = await Promise.all([
    anOrganization(postgres),
    anOrganization(postgres),
    anOrganization(postgres),
  ]);
  await changeOrganizationStatus(anEngine(postgres), aCaller({ scope: suspended }), 'suspended');
  const jwk = { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'known', alg: 'RS256' };
  keyServer = createServer((_, reply) => reply.end(JSON.stringify({ keys: [jwk] })));
  await new Promise<void>((done) => keyServer.listen(0, '127.0.0.1', done));
  const { port } = keyServer.address() as AddressInfo;
  const registered = await call(node().address, 'POST /api/admin/issuers', {
    token: tokenFor(mine.organizationId),
    body: {
      issuer: ISSUER,
      jwks_uri: `http://127.0.0.1:${port}/keys`,
      audience: 'seats',
      algorithms: ['RS256'],
    },
  });
  expect(registered.status).toBe(201);
});

afterAll(() => keyServer.close());

/** A token with any head, payload and signature. */
function forge(
  head: object,
  claims: object,
  signWith: (text: string) => Buffer = () => Buffer.alloc(0),
): string {
  const now = Math.floor(systemClock.now() / 1_000);
  const payload = {
    sub: 'forger',
    org: mine.organizationId,
    role: 'owner',
    exp: now + 600,
    iss: ISSUER,
    aud: 'seats',
    ...claims,
  };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part(head)}.${part(payload)}`;
  return `${text}.${signWith(text).toString('base64url')}`;
}

const withRsa = (key: typeof rsa) => (text: string) =>
  sign('sha256', Buffer.from(text), key.privateKey);
const withSecret = (secret: string | Buffer) => (text: string) =>
  createHmac('sha256', secret).update(text).digest();

const past = () => Math.floor(systemClock.now() / 1_000) - 31;

/** Credentials that prove nothing: 401 on every route that wants one. */
const WORTHLESS: Record<string, () => string | undefined> = {
  'no token': () => undefined,
  'an empty token': () => '',
  'not a token': () => 'x.y.z',
  'an expired token': () => tokenFor(mine.organizationId, { seconds: -31 }),
  'a wrong signature': () => `${tokenFor(mine.organizationId).slice(0, -4)}AAAA`,
  'a token without its signature': () => tokenFor(mine.organizationId).replace(/[^.]*$/, ''),
  'alg none': () => forge({ alg: 'none' }, {}),
  'alg None with a signature': () => forge({ alg: 'None' }, {}, withSecret('x')),
  'a public key as secret': () =>
    forge(
      { alg: 'HS256', kid: 'known' },
      { aud: 'voelgoed' },
      withSecret(rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString()),
    ),
  'an unknown key id': () => forge({ alg: 'RS256', kid: 'unknown' }, {}, withRsa(rsa)),
  'a known key id with another key': () =>
    forge({ alg: 'RS256', kid: 'known' }, {}, withRsa(stranger)),
  'an algorithm that was not registered': () =>
    forge({ alg: 'PS256', kid: 'known' }, {}, withRsa(rsa)),
  'an issuer of another organization': () =>
    forge({ alg: 'RS256', kid: 'known' }, { org: other.organizationId }, withRsa(rsa)),
  'an issuer nobody registered': () =>
    forge({ alg: 'RS256', kid: 'known' }, { iss: 'https://evil.example' }, withRsa(rsa)),
  'another audience': () => forge({ alg: 'RS256', kid: 'known' }, { aud: 'x' }, withRsa(rsa)),
  'an issuer’s expired token': () =>
    forge({ alg: 'RS256', kid: 'known' }, { exp: past() }, withRsa(rsa)),
  'our secret for another audience': () =>
    forge({ alg: 'HS256' }, { aud: 'others' }, withSecret(testServices().authSecret)),
  'a token that is not valid yet': () =>
    forge(
      { alg: 'HS256' },
      { aud: 'voelgoed', nbf: past() + 3_600 },
      withSecret(testServices().authSecret),
    ),
  'no expiry': () =>
    forge(
      { alg: 'HS256' },
      { aud: 'voelgoed', exp: undefined },
      withSecret(testServices().authSecret),
    ),
  'an unknown role': () =>
    forge(
      { alg: 'HS256' },
      { aud: 'voelgoed', role: 'god' },
      withSecret(testServices().authSecret),
    ),
  'an organization that does not exist': () => tokenFor(newId()),
  'a key nobody made': () => `vk_${newId().replaceAll('-', '')}_${'A'.repeat(43)}`,
  'something like a key': () => 'vk_1_2',
  'another platform secret': () => 'the platform secret of the access matriy',
};

function guarded(): RouteEntry[] {
  const { routeTable } = node().http;
  return routeTable.filter(({ access }) => !['open', 'event'].includes(access.kind));
}

function pathOf({ method, url }: RouteEntry): string {
  return `${method} ${url.replaceAll(/:[a-z_]+/g, newId())}`;
}

/** One thing of each kind in `mine`, by the path it is found under. */
async function furnish(): Promise<Record<string, string>> {
  const token = tokenFor(mine.organizationId);
  const make = async (path: string, body: object) =>
    (await call(node().address, `POST ${path}`, { token, body })).data;
  const member = await make('/api/admin/members', { subject: 'somebody', role: 'viewer' });
  const key = await make('/api/admin/api-keys', { name: 'k', scopes: ['buy'] });
  const issuers = await call(node().address, 'GET /api/admin/issuers', { token });
  const { eventId, layout } = await aPublishedEvent(anEngine(database.postgres), mine);
  const board = await anEngine(database.postgres).registry.board({ scope: mine, eventId });
  const items = [{ seat_id: board?.plan.seatIdOf(0) }];
  const held = await make(`/api/events/${eventId}/holds`, { items });
  const [hold] = held.holds as { hold_id: string }[];
  const ticket = await aSoldSeat(anEngine(database.postgres), mine, eventId);
  const checkout = await make('/api/checkouts', { event_id: eventId });
  const webhook = await make('/api/admin/webhooks', { url: 'http://127.0.0.1:9/' });
  const webhookId = String(webhook.webhook_id);
  const tried = await make(`/api/admin/webhooks/${webhookId}/test`, {});
  return {
    '/api/checkouts': String(checkout.checkout_id),
    '/api/admin/webhooks': webhookId,
    delivery: String(tried.delivery_id),
    '/api/tickets': ticket.code,
    '/api/admin/tickets': ticket.ticket_id,
    seat: board?.plan.seatIdOf(1) ?? '',
    zone: board?.config.zones[0]?.zone_id ?? '',
    '/api/holds': String(hold?.hold_id),
    '/api/events': eventId,
    '/api/admin/members': String(member.user_id),
    '/api/admin/users': String(member.user_id),
    '/api/admin/api-keys': String(key.key_id),
    '/api/admin/issuers': String(issuers.list[0]?.issuer_id),
    '/api/admin/events': eventId,
    '/api/admin/venues': layout.venue_id,
    '/api/admin/layouts': layout.layout_id,
  };
}

/** Bodies without which a route would not even look. */
const BODIES: Record<string, object> = {
  'PATCH /api/holds/:hold_id': { quantity: 1 },
  'PATCH /api/admin/members/:id': { role: 'viewer' },
  'PATCH /api/admin/venues/:id': { name: 'Mine now' },
  'PATCH /api/admin/events/:id': { name: 'Mine now' },
  'PUT /api/admin/events/:id/layout': {
    zones: [{ name: 'x', zone_type: 'ga_standing', capacity: 1 }],
  },
  'PUT /api/admin/events/:id/prices': { prices: [{ zone_id: NIL_ID, price_cents: 1 }] },
  'POST /api/admin/events/:id/layout/migrate': { layout_id: NIL_ID },
  'POST /api/admin/events/:id/holds': { items: [{ seat_id: NIL_ID }], for: 'x' },
  'POST /api/admin/events/:id/seats/block': { seat_ids: [NIL_ID], reason: 'x' },
  'POST /api/admin/events/:id/seats/unblock': { seat_ids: [NIL_ID], reason: 'x' },
  'PUT /api/admin/events/:id/zones/:zone_id/whitelist': { user_ids: [] },
  'POST /api/events/:event_id/holds/best-available': { quantity: 1 },
  'POST /api/admin/holds/extend': { hold_ids: [NIL_ID], minutes: 5 },
  'POST /api/admin/events/:id/sell': { hold_ids: [NIL_ID], method: 'cash' },
  'POST /api/admin/tickets/:id/void': { reason: 'x' },
  'POST /api/admin/tickets/:id/refund': { reason: 'x' },
  'POST /api/admin/tickets/:id/reseat': { seat_id: NIL_ID },
  'POST /api/tickets/:code/entries': { direction: 'in' },
  'PATCH /api/admin/webhooks/:id': { description: 'Mine now' },
  'POST /api/admin/webhooks/:id/rotate': {},
  'POST /api/admin/webhooks/:id/replay': { from: '2020-01-01T00:00:00Z' },
  'POST /api/events/:event_id/holds': { items: [{ seat_id: NIL_ID }] },
};

describe('the access matrix', () => {
  it('covers every route', () => {
    expect(guarded().length).toBeGreaterThan(15);
    const open = node()
      .http.routeTable.filter(({ access, url }) => access.kind === 'open' && url !== '*')
      .map(({ url }) => url)
      .filter((url) => !url.startsWith('/docs'));
    // Whoever opens a route to everybody has to say so here too.
    expect([...new Set(open)].sort()).toEqual([
      '/*',
      '/api/demo/on-sale',
      '/api/demo/on-sale/:event_id',
      '/api/demo/sessions',
      '/api/organizations/:slug/events',
      '/demo/pay/:attempt_id',
      '/health/live',
      '/health/ready',
      '/metrics',
      '/openapi.json',
      '/schemas/layout.json',
      '/webhooks/payments/:provider',
    ]);
  });

  it.each(Object.keys(WORTHLESS))('%s: 401 everywhere', async (name) => {
    const token = WORTHLESS[name]?.();
    for (const route of guarded()) {
      const options = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } };
      const reply = await call(node().address, pathOf(route), options);
      expect([pathOf(route), reply.status]).toEqual([expect.anything(), 401]);
      if (route.method !== 'HEAD') expect(reply.body.error).toBe('unauthorized');
      expect(reply.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('a role without the scope: 403, and every role that has it is let in', async () => {
    for (const route of guarded()) {
      if (route.access.kind === 'platform') continue;
      const needed = route.access.kind === 'scope' ? route.access.scope : 'buy';
      for (const role of ROLES) {
        const token = tokenFor(mine.organizationId, { role, subject: `as ${role}` });
        const { status } = await call(node().address, pathOf(route), { token });
        const allowed = scopesOf(role).has(needed);
        if (allowed) expect([route.url, role, status]).not.toEqual([route.url, role, 403]);
        else expect([route.url, role, status]).toEqual([route.url, role, 403]);
        expect(status).toBeLessThan(500);
      }
    }
  });

  it('neither does a tenant’s token open the platform, nor the platform’s a tenant', async () => {
    for (const route of guarded()) {
      const token =
        route.access.kind === 'platform' ? tokenFor(mine.organizationId) : PLATFORM_SECRET;
      const { status } = await call(node().address, pathOf(route), { token });
      expect([route.url, status]).toEqual([route.url, 401]);
    }
  });

  it('another organization: what exists here is not found from there, on every route', async () => {
    const theirs = tokenFor(other.organizationId);
    const things = await furnish();
    for (const route of guarded()) {
      if (route.access.kind === 'platform' || !route.url.includes(':')) continue;
      const kind = Object.keys(things).find((prefix) => route.url.startsWith(prefix));
      // A new kind of thing has to be made in `furnish`, or nothing is shown about it.
      expect([route.url, kind]).toEqual([route.url, expect.any(String)]);
      const path = route.url
        .replace(/:id|:event_id|:hold_id|:code/, things[kind ?? ''] ?? '')
        .replace(':seat_id', things.seat ?? '')
        .replace(':zone_id', things.zone ?? '')
        .replace(':delivery_id', things.delivery ?? '');
      const body = BODIES[`${route.method} ${route.url}`];
      const options = body ? { token: theirs, body } : { token: theirs };
      const { status, data } = await call(node().address, `${route.method} ${path}`, options);
      // At the door everything is answered: a foreign code is one that nobody has.
      const unknown = status === 200 && data.reason === 'unknown_ticket';
      const seen = unknown ? 404 : status;
      expect([route.method, route.url, seen]).toEqual([route.method, route.url, 404]);
    }
  });

  it('a public event is not found by a credential of another organization', async () => {
    const { eventId } = await aPublishedEvent(anEngine(database.postgres), mine);
    const routes = node().http.routeTable.filter(({ access }) => access.kind === 'event');
    expect(routes.length).toBeGreaterThan(2);
    const board = await anEngine(database.postgres).registry.board({ scope: mine, eventId });
    const seatId = board?.plan.seatIdOf(0) ?? '';
    for (const { method, url } of routes) {
      const path = url.replace(':event_id', eventId).replace(':seat_id', seatId);
      const route = `${method} ${path}`;
      const ask = async (token?: string) => {
        const headers = token ? { authorization: `Bearer ${token}` } : undefined;
        const reply = await fetch(`${node().address}${path}`, {
          method,
          ...(headers && { headers }),
        });
        // A stream never ends by itself.
        await reply.body?.cancel();
        return reply.status;
      };
      expect([route, await ask()]).toEqual([route, method === 'POST' ? 201 : 200]);
      expect([route, await ask(tokenFor(mine.organizationId))]).not.toEqual([route, 404]);
      expect([route, await ask(tokenFor(other.organizationId))]).toEqual([route, 404]);
      expect([route, await ask('nonsense')]).toEqual([route, 401]);
    }
  });

  it('a suspended organization can be read, not changed', async () => {
    for (const route of guarded()) {
      if (route.access.kind !== 'scope') continue;
      const token = tokenFor(suspended.organizationId);
      const { status } = await call(node().address, pathOf(route), { token });
      const reads = ['GET', 'HEAD'].includes(route.method);
      if (reads) expect([route.url, status < 500 && status !== 403]).toEqual([route.url, true]);
      else expect([route.url, status]).toEqual([route.url, 403]);
    }
  });

  it('a registered issuer’s token is a customer’s without a membership', async () => {
    const token = forge({ alg: 'RS256', kid: 'known' }, {}, withRsa(rsa));
    const refused = await call(node().address, 'GET /api/admin/members', { token });
    expect(refused.status).toBe(403);
    await call(node().address, 'POST /api/admin/members', {
      token: tokenFor(mine.organizationId),
      body: { subject: 'another forger', role: 'owner' },
    });
    const member = forge(
      { alg: 'RS256', kid: 'known' },
      { sub: 'another forger', role: 'owner' },
      withRsa(rsa),
    );
    expect((await call(node().address, 'GET /api/admin/members', { token: member })).status).toBe(
      200,
    );
    // At most admin, whatever the token says: registering issuers is an owner's.
    const owner = await call(node().address, 'POST /api/admin/issuers', {
      token: member,
      body: {},
    });
    expect(owner.status).toBe(403);
  });

  it('a removed issuer’s tokens are refused soon, also those that were used before', async () => {
    const owner = tokenFor(mine.organizationId);
    const token = forge({ alg: 'RS256', kid: 'known' }, { sub: 'gone' }, withRsa(rsa));
    const use = () => call(node().address, 'GET /api/admin/members', { token });
    expect((await use()).status).toBe(403);
    const { list } = await call(node().address, 'GET /api/admin/issuers', { token: owner });
    const route = `DELETE /api/admin/issuers/${list[0]?.issuer_id}`;
    await call(node().address, route, { token: owner });
    await eventually(async () => (await use()).status === 401, { within_ms: 7_000, every_ms: 200 });
  });

  it('a disabled user is nobody', async () => {
    const token = tokenFor(mine.organizationId, { subject: 'disabled' });
    await database.asSuperuser(
      `insert into users (organization_id, user_id, subject, status)
       values ($1, $2, 'disabled', 'disabled')`,
      [mine.organizationId, userIdOf(mine.organizationId, 'disabled')],
    );
    expect((await call(node().address, 'GET /api/admin/members', { token })).status).toBe(401);
  });
});
