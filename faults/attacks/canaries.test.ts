import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { userIdOf } from '@voelgoed/engine/accounts';
import { newId } from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { type Receiver, useReceivers } from '@voelgoed/testkit/receivers';
import { call, startProcess, tokenFor } from '@voelgoed/testkit/servers';
import { testServices } from '@voelgoed/testkit/services';
import { PAYMENT_SECRET, tell } from '@voelgoed/testkit/shows';
import { Viewer } from '@voelgoed/testkit/viewers';
import { anOrganizationWithAll, type Organization } from '@voelgoed/testkit/worlds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kindOf, type OpenApi, type Operation, operationsOf } from '#fuzz';
import { spellingsOf, toldIn } from './attacks.ts';

/**
 * One server with everything that talks switched on: logs at their loudest, traces of every
 * request, webhooks, streams. People with names that are nowhere else buy, sell and pay on it; then
 * their names are looked for in all that anybody else has got to see.
 */
const PLATFORM_SECRET = 'canary-platform-secret-of-this-test';
const database = useDatabase();
const receivers = useReceivers();
const traces: string[] = [];
let collector: Server;
let server: ReturnType<typeof startProcess>;
let address: string;
let mine: Organization;
let other: Organization;
let othersHook: Receiver;
let viewers: Viewer[];

/** Who somebody is. */
const people: Record<string, string> = {};
/** What opens something. */
const secrets: Record<string, string> = { platform: PLATFORM_SECRET };

beforeAll(async () => {
  collector = createServer((request, reply) => {
    request.on('data', (chunk) => traces.push(String(chunk)));
    request.on('end', () => reply.end('{}'));
  });
  await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done));
  const { port } = collector.address() as AddressInfo;
  const { authSecret, redisUrl } = testServices();
  server = startProcess('server/processes/start.ts', {
    DATABASE_URL: database.ownerUrl,
    AUTH_SECRET: authSecret,
    REDIS_URL: redisUrl,
    PORT: '0',
    DEMO: '0',
    LOG_LEVEL: 'trace',
    SHED_LOAD: '0',
    TRACES_PERCENT: '100',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    ALLOW_INTERNAL_ADDRESSES: '1',
    PLATFORM_SECRET,
    PAYMENT_WEBHOOK_SECRET: PAYMENT_SECRET,
  });
  address = (await server.says(/is ready: (http:\S+)/))[1] ?? '';
  secrets.auth = authSecret;
  secrets.payments = PAYMENT_SECRET;
  const { postgres } = database;
  const hook = (await receivers()).url;
  othersHook = await receivers();
  const world = { address, postgres, authSecret };
  mine = await anOrganizationWithAll({ ...world, hook: `${hook}/canary-hook-path` });
  other = await anOrganizationWithAll({ ...world, hook: othersHook.url });
  secrets.key = mine.key;
  await sellToCanaries();
}, 120_000);

afterAll(async () => {
  for (const viewer of viewers) await viewer.close();
  server.child.kill('SIGTERM');
  await server.exited;
  collector.closeAllConnections();
  await new Promise((done) => collector.close(done));
});

/** The last event of `mine`, its free seats and its zones. */
const eventOf = ({ ids }: Organization) => ids.event_id?.at(-1) ?? '';

const word = (what: string) => `canary-${what}-${newId()}`;

/** A whole evening: a buyer, a guest, somebody on the telephone, staff, a payment, a webhook. */
async function sellToCanaries(): Promise<void> {
  const { organizationId } = mine.scope;
  const subject = word('subject');
  const said = {
    cart: word('cart'),
    caller: word('caller'),
    notes: word('notes'),
    key: word('key'),
    agent: word('agent'),
    reason: word('reason'),
    card: word('card'),
  };
  const email = `${word('mail')}@person.test`;
  const token = tokenFor(organizationId, { role: 'customer', subject });
  Object.assign(secrets, { token, signature: token.split('.')[2] ?? '' });
  Object.assign(people, said, { subject, email, user_id: userIdOf(organizationId, subject) });
  const eventId = eventOf(mine);
  const path = `/api/events/${eventId}/stream`;
  viewers = [undefined, tokenFor(organizationId, { role: 'customer', subject: 'bob' })].map(
    (bob) => new Viewer({ address: () => address, path, ...(bob ? { token: bob } : {}) }),
  );
  await eventually(() => viewers.every(({ map }) => map.revision >= 1));
  const headers = { 'idempotency-key': said.key, 'user-agent': said.agent };
  const ask = (route: string, body?: object, as = token) =>
    call(address, route, { token: as, headers, ...(body ? { body } : {}) });
  const owner = mine.token('owner');
  const member = { subject: word('member'), email, role: 'staff' };
  expect((await ask('POST /api/admin/members', member, owner)).status).toBe(201);
  const made = await ask('POST /api/admin/api-keys', { name: 'k', scopes: ['buy'] }, owner);
  const key = String(made.data.key);
  const rotated = await ask(
    `POST /api/admin/webhooks/${mine.ids.webhook_id?.[0]}/rotate`,
    {},
    owner,
  );
  Object.assign(secrets, { key2: key, key2_tail: key.slice(-43) });
  secrets.webhook = String(rotated.data.secret).slice('whsec_'.length);
  const [, , third, fourth] = mine.ids.seat_id ?? [];
  const held = await ask(`POST /api/events/${eventId}/holds`, {
    items: [{ seat_id: third }, { zone_id: mine.ids.zone_id?.[1], quantity: 2 }],
    cart_token: said.cart,
    allow_orphan: true,
  });
  expect(held.status).toBe(201);
  const [hold] = held.data.holds as { hold_id: string }[];
  people.hold_id = hold?.hold_id ?? '';
  const phoned = await ask(
    `POST /api/admin/events/${eventId}/holds`,
    { items: [{ seat_id: fourth }], for: said.caller, notes: said.notes },
    owner,
  );
  expect(phoned.status).toBe(201);
  await ask(`POST /api/holds/${people.hold_id}/extend`);
  const checkout = await ask('POST /api/checkouts', { event_id: eventId });
  const paying = await ask(`POST /api/checkouts/${checkout.data.checkout_id}/pay`, {});
  const message = {
    id: said.card,
    type: 'payment.succeeded',
    attempt_id: paying.data.attempt_id,
    amount_cents: checkout.data.total_cents ?? checkout.data.amount_cents,
    card: { number: said.card, holder: email },
  };
  const paid = await tell(address, message);
  expect(paid).toMatchObject({ status: 200 });
  await ask(`POST /api/admin/seats/release`, { event_id: eventId, reason: said.reason }, owner);
  await tryWrongly([`${token}x`, `${key}x`, key, PLATFORM_SECRET, ''], email);
  await eventually(() => viewers.every(({ map }) => map.stateOf(2) === 2), { within_ms: 10_000 });
}

/** What goes wrong is told, too; with credentials that are nearly right. */
async function tryWrongly(tokens: readonly string[], email: string): Promise<void> {
  for (const token of tokens) {
    const body = { subject: email, email, role: 'staff', extra: email };
    await call(address, 'POST /api/admin/members', { token, body });
    await call(address, `GET /api/admin/search?q=${encodeURIComponent(email)}`, { token });
  }
}

/** Every route that reads, about everything in `mine`, as somebody. */
async function readAll(token: string | null, which: (operation: Operation) => boolean) {
  const described = (await (await fetch(`${address}/openapi.json`)).json()) as OpenApi;
  const found: [string, number, string][] = [];
  for (const operation of operationsOf(described)) {
    const { method, path, name } = operation;
    if (method !== 'GET' || path.endsWith('/stream') || !which(operation)) continue;
    const filled = path.replaceAll(/\{([a-z_]+)\}/g, (_, parameter: string) => {
      const kind = kindOf(path, parameter);
      return encodeURIComponent(mine.ids[kind]?.at(-1) ?? newId());
    });
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
    const reply = await fetch(`${address}${filled}`, { headers });
    found.push([name, reply.status, JSON.stringify([...reply.headers]) + (await reply.text())]);
  }
  return found;
}

const told = (found: [string, number, string][], words: Record<string, string>) =>
  found.flatMap(([name, , text]) => toldIn(text, words).map((word) => `${name}: ${word}`));

describe('the search', () => {
  it.each([
    ['plain', (word: string) => `x${word}y`],
    ['upper case', (word: string) => word.toUpperCase()],
    ['in a URL', (word: string) => encodeURIComponent(`a b ${word}`)],
    ['in JSON in JSON', (word: string) => JSON.stringify(JSON.stringify({ word }))],
    ['hex', (word: string) => Buffer.from(`ab${word}c`).toString('hex')],
    ['base64', (word: string) => Buffer.from(`a${word}bc`).toString('base64')],
    ['base64 elsewhere', (word: string) => Buffer.from(`ab${word}c`).toString('base64')],
    ['base64url', (word: string) => Buffer.from(`{"sub":"${word}"}`).toString('base64url')],
  ])('finds a word that was planted: %s', (_, plant) => {
    const word = 'canary-name-0199f0f0-ann@person.test';
    expect(toldIn(`before ${plant(word)} after`, { word })).toEqual(['word']);
    expect(toldIn(`before ${plant('another-word-altogether')} after`, { word })).toEqual([]);
    expect(spellingsOf(word).length).toBeGreaterThan(5);
  });

  it('finds the words where they belong: staff see them, and so does their owner', async () => {
    const staff = await readAll(mine.token('owner'), ({ path }) => path.startsWith('/api/admin'));
    const seen = new Set(staff.flatMap(([, , text]) => toldIn(text, people)));
    for (const name of ['email', 'user_id', 'reason', 'agent']) expect(seen).toContain(name);
  });
});

describe('who somebody is', () => {
  it('is told to nobody else: no buyer, nobody at all, no other organization', async () => {
    const bob = tokenFor(mine.scope.organizationId, { role: 'customer', subject: 'bob' });
    const everything = () => true;
    for (const token of [null, bob, other.token('owner'), other.key]) {
      const found = await readAll(token, everything);
      expect(found.length).toBeGreaterThan(40);
      expect(told(found, people)).toEqual([]);
      expect(found.filter(([, status]) => status >= 500)).toEqual([]);
    }
    const theirs = await readAll(other.token('owner'), everything);
    expect(told(theirs, { mark: mine.mark })).toEqual([]);
  });

  it('is in no stream of others', () => {
    for (const viewer of viewers) {
      expect(viewer.text).toContain('event: changes');
      expect(toldIn(viewer.text, people)).toEqual([]);
      expect(toldIn(viewer.text, secrets)).toEqual([]);
    }
  });

  it('is in no log line, no metric, no trace, and not with the other organization', async () => {
    await server.says(/"route":"\/api\/admin\/search"/);
    expect(server.output()).toContain('/api/checkouts');
    // Lines about holds name people and holds by their ids, which say nothing to who has no access.
    const { user_id: _, hold_id: __, ...names } = people;
    expect(toldIn(server.output(), names)).toEqual([]);
    const metrics = await (await fetch(`${address}/metrics`)).text();
    expect(metrics).toContain('voelgoed_http_request_seconds');
    expect(toldIn(metrics, people)).toEqual([]);
    await eventually(() => traces.join('').includes('/api/checkouts'), { within_ms: 15_000 });
    expect(toldIn(traces.join(''), people)).toEqual([]);
    const theirs = othersHook.received.map(({ body }) => body).join('\n');
    expect(theirs).toContain('"');
    expect(toldIn(theirs, { ...people, mark: mine.mark })).toEqual([]);
  });
});

describe('what opens something', () => {
  it('is in no answer, log, metric or trace, also not for its owner', async () => {
    const found = await readAll(mine.token('owner'), () => true);
    const platform = await readAll(PLATFORM_SECRET, ({ path }) => path.includes('/platform'));
    expect(told([...found, ...platform], secrets)).toEqual([]);
    expect(toldIn(server.output(), secrets)).toEqual([]);
    expect(toldIn(traces.join(''), secrets)).toEqual([]);
    expect(toldIn(await (await fetch(`${address}/metrics`)).text(), secrets)).toEqual([]);
  });
});
