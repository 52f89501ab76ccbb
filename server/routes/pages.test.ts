import { anActiveLayout, anOrganization, newId } from '@voelgoed/testkit/builders';
import { eventually } from '@voelgoed/testkit/eventually';
import { call, type Reply, tokenFor } from '@voelgoed/testkit/servers';
import { useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

/**
 * Every list of the API, page by page. Which routes are lists the server says itself, so that a new
 * one is tried without anybody having to think of it; it only needs two rows, made below.
 */
const PLATFORM_SECRET = 'the platform secret of every list';
const shows = useShows({ PLATFORM_SECRET, ALLOW_INTERNAL_ADDRESSES: '1' });
const { ask, buyer, database, engine, node, scope, sellTo, show } = shows;

type Schema = { properties?: Record<string, Schema & { type?: string }> };
type Operation = {
  parameters?: { in: string; name: string }[];
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
};

/** Lists that nothing cuts: each is bounded by a limit that is checked when a row is made. */
const WHOLE = ['/api/admin/issuers'];

async function lists(): Promise<{ path: string; pages: boolean }[]> {
  const { body } = await call(node().address, 'GET /openapi.json');
  const paths = body.paths as Record<string, { get?: Operation }>;
  return Object.entries(paths).flatMap(([path, { get }]) => {
    const schema = get?.responses['200']?.content?.['application/json']?.schema;
    const { data, next } = schema?.properties ?? {};
    return data?.type === 'array' ? [{ path, pages: next !== undefined }] : [];
  });
}

/** Two rows of everything, and the paths that lead to them. */
async function twoOfEach(): Promise<Record<string, string>> {
  const [one, two] = [await show(), await show()];
  const { eventId, seats } = one;
  const make = async (route: string, body: object): Promise<Reply> => {
    const reply = await ask(route, { body });
    expect([route, reply.status < 300]).toEqual([route, true]);
    return reply;
  };
  const webhook = await make('POST /api/admin/webhooks', { url: 'http://127.0.0.1:9/' });
  const webhookId = String(webhook.data.webhook_id);
  for (const at of [1, 2]) {
    await make('POST /api/admin/members', { subject: `somebody ${at}`, role: 'viewer' });
    await make('POST /api/admin/api-keys', { name: `key ${at}`, scopes: ['buy'] });
    await make('POST /api/admin/venues', { slug: `hall-${at}`, name: 'Hall' });
    await make(`POST /api/admin/webhooks/${webhookId}/test`, {});
    await anActiveLayout(engine(), scope());
    await anOrganization(database.postgres);
  }
  await make('POST /api/admin/webhooks', { url: 'http://127.0.0.1:9/other' });
  const ann = buyer('ann');
  const tickets = await sellTo(ann, eventId, [{ seat_id: seats[0] }, { seat_id: seats[1] }]);
  for (const { ticket_id, code } of tickets) {
    await shows.scan(code);
    await make(`POST /api/admin/tickets/${ticket_id}/refund`, { reason: 'ill' });
  }
  await sellTo(ann, two.eventId, [{ seat_id: two.seats[0] }]);
  for (const seat of seats.slice(-2)) {
    const body = { seat_ids: [seat], reason: 'camera' };
    await make(`POST /api/admin/events/${eventId}/seats/block`, body);
  }
  const items = [{ seat_id: seats[2] }, { seat_id: seats[3] }];
  await buyer('bob').hold(eventId, items);
  for (const name of ['cleo', 'dan']) {
    const held = await buyer(name).reserve(two.eventId, two.seats[name === 'cleo' ? 1 : 2] ?? '');
    expect(held.status).toBe(201);
    // Held by another buyer: the list of refusals has two rows.
    expect((await buyer('eve').reserve(eventId, seats[name === 'cleo' ? 2 : 3] ?? '')).status).toBe(
      409,
    );
    const body = { event_id: two.eventId };
    expect((await buyer(name).ask('POST /api/checkouts', { body })).status).toBe(201);
  }
  await database.asSuperuser(
    `insert into occupancy_snapshots (organization_id, event_id, snapshot_at, revision,
       available_count, held_count, sold_count, blocked_count, live_attendees, occupancy_percent)
     select $1, $2, date_trunc('minute', now()) - make_interval(mins => n), n, 1, 0, 0, 0, 0, 0
     from generate_series(1, 3) n`,
    [scope().organizationId, eventId],
  );
  const [row] = await database.asOwner(
    `select slug from lookup_organizations('', 1000) where organization_id = $1`,
    [scope().organizationId],
  );
  return {
    '/api/admin/events/{id}/checkouts': `/api/admin/events/${two.eventId}/checkouts`,
    '/api/admin/webhooks/{id}/deliveries': `/api/admin/webhooks/${webhookId}/deliveries`,
    '/api/organizations/{slug}/events': `/api/organizations/${row?.slug}/events`,
    event: eventId,
  };
}

describe('every list', () => {
  it('says that it was cut, and goes on to its end with each row once', async () => {
    const places = await twoOfEach();
    const found = await lists();
    expect(found.filter(({ pages }) => !pages).map(({ path }) => path)).toEqual(WHOLE);
    expect(found.length).toBeGreaterThan(18);
    const tokens: Record<string, string> = {
      '/api/platform/organizations': PLATFORM_SECRET,
      '/api/tickets': buyer('ann').token,
    };
    for (const { path } of found.filter(({ pages }) => pages)) {
      const url = places[path] ?? path.replace('{id}', places.event ?? newId());
      const token = tokens[path] ?? tokenFor(scope().organizationId);
      const get = (query: object) => {
        const text = new URLSearchParams(query as Record<string, string>);
        return call(node().address, `GET ${url}?${text}`, { token });
      };
      // What is counted by jobs may still be on its way.
      await eventually(async () => (await get({})).list.length >= 2).catch(() => {});
      const whole = await get({ limit: '500' });
      expect([path, whole.status, whole.body.next]).toEqual([path, 200, undefined]);
      expect([path, whole.list.length >= 2]).toEqual([path, true]);
      const rows: unknown[] = [];
      let query: object | undefined = { limit: '1' };
      while (query && rows.length <= whole.list.length) {
        const page: Reply = await get(query);
        expect([path, page.status, page.list.length]).toEqual([path, 200, 1]);
        rows.push(...page.list.map(nameOf));
        const { next } = page.body;
        query = next === undefined ? undefined : { limit: '1', ...(next as object) };
      }
      expect([path, rows]).toEqual([path, whole.list.map(nameOf)]);
    }
  });
});

/** What stays the same between two looks: times that are left do not, nor tries to deliver. */
function nameOf(row: Record<string, unknown>): unknown {
  if (row.delivery_id) return row.delivery_id;
  const { expires_in_seconds: _, qr: __, last_used_at: ___, ...rest } = row;
  return rest;
}

describe('a list that is never cut', () => {
  it('has a limit where its rows are made: 100 issuers', async () => {
    const issuer = (name: string) => ({
      issuer: `https://${name}.example`,
      jwks_uri: 'http://127.0.0.1:9/keys',
      audience: 'seats',
      algorithms: ['RS256'],
    });
    await database.asSuperuser(
      `insert into issuers (organization_id, issuer_id, issuer, jwks_uri, audience, algorithms)
       select $1, gen_random_uuid(), 'https://login.example/' || n, 'https://x.example/keys', 'x',
         array['RS256'] from generate_series(1, 99) n`,
      [scope().organizationId],
    );
    const last = await ask('POST /api/admin/issuers', { body: issuer('last') });
    expect(last.status).toBe(201);
    expect((await ask('GET /api/admin/issuers')).list).toHaveLength(100);
    const more = await ask('POST /api/admin/issuers', { body: issuer('more') });
    expect(more).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', details: { limit: 100 } },
    });
  });
});

describe('a search', () => {
  it('says whether there is more than is shown', async () => {
    const found = async () => (await ask('GET /api/admin/search?q=Thandi')).data;
    const people = (many: number) =>
      database.asSuperuser(
        `insert into users (organization_id, user_id, name)
         select $1, gen_random_uuid(), 'Thandi ' || n from generate_series(1, $2::int) n`,
        [scope().organizationId, many],
      );
    await people(20);
    expect(await found()).toMatchObject({ is_cut: false });
    await people(1);
    const { people: shown, is_cut } = await found();
    expect([(shown as object[]).length, is_cut]).toEqual([20, true]);
  });
});
