import { type AccessScope, scopesOf, scopesOfKey } from '@voelgoed/engine/accounts';
import { seededRandom, systemClock } from '@voelgoed/engine/kit';
import { changeOrganizationStatus } from '@voelgoed/engine/workflows';
import { aCaller, anEngine, anOrganization, newId } from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { useReceivers } from '@voelgoed/testkit/receivers';
import { tokenFor, useNode } from '@voelgoed/testkit/servers';
import { testServices } from '@voelgoed/testkit/services';
import { anOrganizationWithAll, type Organization } from '@voelgoed/testkit/worlds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Answer,
  Dice,
  kindOf,
  type NoAnswer,
  newAgent,
  type OpenApi,
  type Operation,
  operationsOf,
  Pool,
  problemsOf,
  send,
  Values,
} from '#fuzz';

/**
 * Every route that the server has, against those who should not get through. The list is the
 * server's own: a route that says too little about itself turns this red.
 */
const PLATFORM_SECRET = 'the platform secret of those who attack routes';
const database = useDatabase();
const node = useNode(database, {
  PLATFORM_SECRET,
  PAYMENT_WEBHOOK_SECRET: 'the payment secret of those who attack routes',
  DEMO: '0',
  ALLOW_INTERNAL_ADDRESSES: '1',
  SHED_LOAD: '0',
});
const receivers = useReceivers();
const agent = newAgent();

let operations: Operation[];
let mine: Organization;
let other: Organization;

beforeAll(async () => {
  const { address } = node();
  operations = operationsOf((await (await fetch(`${address}/openapi.json`)).json()) as OpenApi);
  mine = await another();
  other = await another();
});

async function another(): Promise<Organization> {
  const { address } = node();
  const { authSecret } = testServices();
  const hook = (await receivers()).url;
  return anOrganizationWithAll({ address, postgres: database.postgres, authSecret, hook });
}

afterAll(() => agent.destroy());

/** Routes without a description: pages, files and numbers for machines. */
const UNDESCRIBED =
  /^(?:HEAD .*|OPTIONS \*|GET \/(?:docs.*|metrics|openapi\.json|\*|schemas\/.*))$/;

type Wish = { path?: string; body?: unknown; headers?: Record<string, string>; method?: string };

async function ask(operation: Operation, token: string | null, wish: Wish = {}): Promise<Answer> {
  const body = wish.body === undefined ? null : JSON.stringify(wish.body);
  const answer: Answer | NoAnswer = await send(agent, {
    address: node().address,
    method: wish.method ?? operation.method,
    path: wish.path ?? absentPath(operation),
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...wish.headers,
    },
    body,
    bound_ms: 10_000,
  });
  if ('reason' in answer) throw new Error(`${operation.name}: ${answer.reason}`);
  expect([operation.name, problemsOf(answer, operation, operation.method)]).toEqual([
    operation.name,
    [],
  ]);
  return answer;
}

const absentPath = ({ path }: Operation) => path.replaceAll(/\{[a-z_]+\}/g, () => newId());
const codeOf = ({ text }: Answer) => (JSON.parse(text) as { error?: string }).error;

/** The access of a route as the server has it. */
function accessOf({ method, path }: Operation) {
  const url = path.replaceAll(/\{([a-z_]+)\}/g, ':$1');
  const entry = node().http.routeTable.find((one) => one.method === method && one.url === url);
  if (!entry) throw new Error(`${method} ${path} is described and is not there`);
  return entry.access;
}

const scopeOf = (operation: Operation): AccessScope | null => {
  const access = accessOf(operation);
  if (access.kind === 'scope') return access.scope;
  return access.kind === 'buyer' ? 'buy' : null;
};

async function aKey(scopes: readonly string[]): Promise<{ id: string; key: string }> {
  const { data } = await mine.ask('POST /api/admin/api-keys', { body: { name: 'k', scopes } });
  return { id: String(data.key_id), key: String(data.key) };
}

describe('every route', () => {
  it('is described: who may call it, with what, and every code that it answers', () => {
    const described = new Set(operations.map(({ name }) => name));
    const silent = node()
      .http.routeTable.map(({ method, url }) => `${method} ${url}`)
      .filter((name) => !UNDESCRIBED.test(name))
      .filter((name) => !described.has(name.replaceAll(/:([a-z_]+)/g, '{$1}')));
    expect(silent).toEqual([]);
    for (const { name, path, parameters, replies } of operations) {
      const names = [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, one = '']) => one);
      const said = parameters.filter((one) => one.in === 'path').map((one) => one.name);
      expect([name, said.sort()]).toEqual([name, names.sort()]);
      for (const one of names) kindOf(path, one);
      expect([name, replies.has(500) && replies.has(503)]).toEqual([name, true]);
    }
  });

  it('refuses a key that is revoked, expired or of nobody, as documented', async () => {
    const [revoked, expired] = [await aKey(['buy']), await aKey(['buy'])];
    await mine.ask(`DELETE /api/admin/api-keys/${revoked.id}`);
    await database.asSuperuser(
      `update api_keys set expires_at = now() - interval '1 second' where key_id = $1`,
      [expired.id],
    );
    const invented = `${mine.key.slice(0, -6)}AAAAAA`;
    for (const operation of operations) {
      if (accessOf(operation).kind === 'open' || accessOf(operation).kind === 'event') continue;
      for (const key of [revoked.key, expired.key, invented]) {
        const answer = await ask(operation, key);
        expect([operation.name, answer.status]).toEqual([operation.name, 401]);
      }
    }
  });

  it('refuses a key without its scope and lets in one with it, and no more', async () => {
    const all = [...scopesOf('admin')];
    const keys = new Map<string, { key: string }>();
    for (const operation of operations) {
      const scope = scopeOf(operation);
      // Some are for owners alone: no key has them.
      if (scope === null || !all.includes(scope)) continue;
      const without = `not ${scope}`;
      if (!keys.has(scope)) keys.set(scope, await aKey([scope]));
      if (!keys.has(without)) {
        const others = all.filter((one) => !scopesOfKey([one]).has(scope));
        keys.set(without, await aKey(others));
      }
      const refused = await ask(operation, keys.get(without)?.key ?? '');
      expect([operation.name, refused.status, codeOf(refused)]).toEqual([
        operation.name,
        403,
        'forbidden',
      ]);
      const answer = await ask(operation, keys.get(scope)?.key ?? '');
      expect([operation.name, [401, 403].includes(answer.status)]).toEqual([operation.name, false]);
    }
    expect(keys.size).toBeGreaterThan(10);
  });

  it('knows an archived organization no more', async () => {
    const scope = await anOrganization(database.postgres);
    await changeOrganizationStatus(anEngine(database.postgres), aCaller({ scope }), 'archived');
    for (const operation of operations) {
      if (scopeOf(operation) === null) continue;
      const answer = await ask(operation, tokenFor(scope.organizationId));
      expect([operation.name, answer.status]).toEqual([operation.name, 401]);
    }
  });

  it('cannot be called by another name: overrides are not read', async () => {
    const headers = {
      'x-http-method-override': 'DELETE',
      'x-http-method': 'DELETE',
      'x-method-override': 'DELETE',
      'x-original-url': '/api/admin/members',
      'x-rewrite-url': '/api/admin/members',
    };
    for (const operation of operations.filter(({ method }) => method === 'GET')) {
      if (operation.path.endsWith('/stream')) continue;
      const plain = await ask(operation, null);
      const overridden = await ask(operation, null, {
        headers,
        path: `${absentPath(operation)}?_method=DELETE`,
      });
      // The parameter may be told as unknown; nothing else is different.
      expect([operation.name, [plain.status, 400]]).toEqual([
        operation.name,
        expect.arrayContaining([overridden.status]),
      ]);
    }
  });

  it('takes JSON and nothing else, and a key for repeats that can be one', async () => {
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'x'];
    for (const operation of operations.filter(({ body }) => body !== null)) {
      // A provider's message is judged by its signature, before anybody looks into it.
      if (operation.path.startsWith('/webhooks/')) continue;
      const token = tokenIn(mine, operation);
      for (const type of types) {
        const headers = { 'content-type': type };
        const answer = await ask(operation, token, { body: {}, headers });
        expect([operation.name, type, answer.status]).toEqual([operation.name, type, 400]);
      }
    }
    for (const operation of operations.filter(({ replies }) => replies.has(422))) {
      if (operation.method === 'GET' || operation.path.startsWith('/webhooks/')) continue;
      const headers = { 'idempotency-key': 'k'.repeat(256) };
      const answer = await ask(operation, tokenIn(mine, operation), { headers });
      expect([operation.name, [400, 404].includes(answer.status)]).toEqual([operation.name, true]);
    }
  });
});

const tokenIn = ({ token }: Organization, { path }: Operation) =>
  path.startsWith('/api/platform') ? PLATFORM_SECRET : token('owner');

const newOwner = (organization: Organization, operation: Operation) =>
  operation.path.startsWith('/api/platform')
    ? PLATFORM_SECRET
    : organization.token('owner', newId());

type Made = { path: string; body: unknown };

/** A request that is right, about `mine`, with every field that there is. */
function rightRequest(operation: Operation, seed: number): Made {
  const dice = new Dice(seededRandom(seed));
  const pool = new Pool(new Set(), []);
  pool.addFamily(mine.ids);
  const urls = ['https://hooks.example/x'];
  const values = new Values({ dice, pool, now_ms: systemClock.now(), urls, optional: 1 });
  const path = operation.path.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) => {
    const kind = kindOf(operation.path, name);
    return encodeURIComponent(dice.one(mine.ids[kind] ?? [newId()]));
  });
  const query = operation.parameters
    .filter((one) => one.in === 'query')
    .map(({ name, schema }) => `${name}=${encodeURIComponent(String(values.of(schema, name)))}`);
  return {
    path: query.length > 0 ? `${path}?${query.join('&')}` : path,
    body: operation.body ? values.of(operation.body) : undefined,
  };
}

/** The same request with each of its ids in turn exchanged: for a foreign one, or for none. */
function* exchanges(made: Made): Iterable<{ kind: string; foreign: Made; absent: Made }> {
  const text = JSON.stringify(made);
  for (const [kind, ids] of Object.entries(mine.ids)) {
    for (const id of ids) {
      const theirs = other.ids[kind]?.[0];
      if (!theirs || id.length < 8 || !text.includes(id)) continue;
      const none = kind === 'code' ? 'AAAA-BBBB-CCCC' : newId();
      const swap = (by: string): Made => JSON.parse(text.replaceAll(id, by)) as Made;
      yield { kind, foreign: swap(theirs), absent: swap(none) };
    }
  }
}

/** What an answer says, without names of things and times. */
const gist = ({ status, text }: Answer) =>
  `${status} ${text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|[0-9A-Z]{4}(?:-[0-9A-Z]{4})+/g, '…')}`
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|(?<="(?:expires_in_seconds|held_until_unix)":)\d+/g, '…')
    .replaceAll(/"hash":"[0-9a-f]+"|mark[0-9a-f]{10}/g, '…');

describe('ids of another organization', () => {
  it('are answered like ids that do not exist, in paths, queries and bodies', async () => {
    const tried = new Set<string>();
    const told: string[] = [];
    for (const operation of operations) {
      if (accessOf(operation).kind === 'platform' || operation.path.endsWith('/stream')) continue;
      for (const seed of [1, 2, 3]) {
        for (const { kind, foreign, absent } of exchanges(rightRequest(operation, seed))) {
          // Each pair by a user of its own: some of the requests change the policy, also its rates,
          // and whether the next one meets a limit must not depend on how quick the others were.
          const token = newOwner(mine, operation);
          const none = await ask(operation, token, absent);
          const theirs = await ask(operation, token, foreign);
          tried.add(`${operation.name} ${kind}`);
          // What was done by both has done nothing to what is theirs; see below.
          if (none.status < 300 && theirs.status < 300) continue;
          if (gist(none) !== gist(theirs)) {
            told.push(`${operation.name} ${kind}: ${gist(none)} / ${gist(theirs)}`);
          }
          expect([operation.name, theirs.text.includes(other.mark)]).toEqual([
            operation.name,
            false,
          ]);
        }
      }
    }
    expect(told).toEqual([]);
    expect(tried.size).toBeGreaterThan(80);
  });

  it('unlike ids of their own: the comparison can see a difference', async () => {
    const seen = new Set<string>();
    for (const operation of operations.filter(({ method }) => method === 'GET')) {
      if (accessOf(operation).kind === 'platform' || operation.path.endsWith('/stream')) continue;
      const own = rightRequest(operation, 1);
      const answer = await ask(operation, tokenIn(mine, operation), own);
      for (const { absent } of exchanges(own)) {
        const none = await ask(operation, tokenIn(mine, operation), absent);
        if (gist(none) !== gist(answer)) seen.add(operation.name);
      }
    }
    expect(seen.size).toBeGreaterThan(15);
  });

  it('whoever tried all that has changed nothing there', async () => {
    const { organizationId } = other.scope;
    const rows = await database.asSuperuser(
      `select count(*)::int as rows from audit_log where organization_id = $1
       and actor_id is not null and actor_id <> all(
         select user_id from users where organization_id = $1)`,
      [organizationId],
    );
    expect(rows).toEqual([{ rows: 0 }]);
  });

  it('nor does their token, key or cart find anything of ours', async () => {
    for (const operation of operations) {
      if (scopeOf(operation) === null || operation.path.endsWith('/stream')) continue;
      for (const token of [other.token('owner'), other.key]) {
        const answer = await ask(operation, token, rightRequest(operation, 5));
        expect([operation.name, answer.text.includes(mine.mark)]).toEqual([operation.name, false]);
      }
    }
  });
});

describe('the cart of another buyer', () => {
  it('is nobody’s: neither its name nor its holds open it', async () => {
    // Of its own: whatever was asked above may have ended the holds of the others.
    const house = await another();
    const event_id = house.ids.event_id?.[0] ?? '';
    const [hold_id = ''] = house.ids.hold_id ?? [];
    const cart_token = house.ids.cart_token?.[0] ?? '';
    const rowOf = () =>
      database.asSuperuser('select * from seat_holds where hold_id = $1', [hold_id]);
    const before = await rowOf();
    expect(before).toMatchObject([{ status: 'active', cart_token }]);
    const eve = house.token('customer', 'eve');
    const checkout = async (body: object) => {
      const reply = await house.ask('POST /api/checkouts', {
        token: eve,
        body: { event_id, ...body },
      });
      return [reply.status, reply.body.error, reply.body.message];
    };
    const byName = await checkout({ cart_token });
    expect(byName).toEqual(await checkout({ cart_token: newId() }));
    expect(byName[0]).toBe(400);
    const byHold = await checkout({ hold_ids: [hold_id] });
    expect(byHold).toEqual(await checkout({ hold_ids: [newId()] }));
    // Holding under the same name is a cart of one's own, with nothing else in it.
    const seat_id = house.ids.seat_id?.[5];
    const held = await house.ask(`POST /api/events/${event_id}/holds`, {
      token: eve,
      body: { items: [{ seat_id }], cart_token, allow_orphan: true },
    });
    expect((held.data.holds as object[] | undefined)?.length ?? 0).toBeLessThanOrEqual(1);
    const own = await house.ask(`GET /api/events/${event_id}/holds`, { token: eve });
    expect(JSON.stringify(own.body)).not.toContain(hold_id);
    const gone = await house.ask(`DELETE /api/events/${event_id}/holds`, { token: eve });
    expect(JSON.stringify(gone.body)).not.toContain(hold_id);
    // And the other's is as it was.
    expect(await rowOf()).toEqual(before);
  });
});
