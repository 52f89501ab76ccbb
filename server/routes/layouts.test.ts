import type { Scope } from '@voelgoed/engine/scope';
import { aHall, anOrganization, newId } from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { type CallOptions, call, tokenFor, useNode } from '@voelgoed/testkit/servers';
import { beforeEach, describe, expect, it } from 'vitest';

const database = useDatabase();
const node = useNode(database);

let scope: Scope;
let owner: string;
let venue: string;

const ask = (route: string, options: CallOptions = {}) =>
  call(node().address, route, { token: owner, ...options });

beforeEach(async () => {
  scope = await anOrganization(database.postgres);
  owner = tokenFor(scope.organizationId);
  const made = await ask('POST /api/admin/venues', { body: { slug: 'hall', name: 'Hall' } });
  venue = String(made.data.venue_id);
});

const draft = (config: unknown, more: object = {}) =>
  ask('POST /api/admin/layouts', { body: { venue_id: venue, name: 'Plan', config, ...more } });
const next = (layout_id: unknown, config?: unknown) =>
  ask('POST /api/admin/layouts', { body: { layout_id, ...(config ? { config } : {}) } });
const activate = (id: unknown, options: CallOptions = {}) =>
  ask(`POST /api/admin/layouts/${id}/activate`, { body: {}, ...options });
const configOf = async (id: unknown, version?: number) =>
  (await ask(`GET /api/admin/layouts/${id}/config${version ? `?version=${version}` : ''}`)).data;

type Config = {
  zones: { zone_id: string; name: string; seats: { label: string; seat_id: string }[] }[];
};
const seatsOf = (config: unknown) => (config as Config).zones.flatMap((zone) => zone.seats);

describe('a layout', () => {
  it('goes from draft to active to archived', async () => {
    const made = await draft(aHall());
    expect(made.status).toBe(201);
    expect(made.data).toMatchObject({ version: 1, status: 'draft', seat_count: 20 });
    const id = made.data.layout_id;
    expect((await activate(id)).data).toMatchObject({ version: 1, status: 'active' });
    const again = await activate(id);
    expect([again.status, again.body.error]).toEqual([409, 'version_immutable']);
    const archived = await ask(`POST /api/admin/layouts/${id}/archive`, { body: {} });
    expect(archived.data.status).toBe('archived');
    const back = await ask(`POST /api/admin/layouts/${id}/archive`, { body: {} });
    expect(back.body.error).toBe('version_immutable');
  });

  it('becomes rows with dense ordinals when it is active', async () => {
    const { data } = await draft(aHall());
    await activate(data.layout_id);
    const rows = await database.asSuperuser(
      `select ordinal, label, row_name, number, physical_order, zone_id from seats
       where organization_id = $1 and layout_id = $2 order by ordinal`,
      [scope.organizationId, data.layout_id],
    );
    expect(rows.map(({ ordinal }) => ordinal)).toEqual(Array.from({ length: 20 }, (_, n) => n));
    expect(rows[0]).toMatchObject({ label: 'A-1', row_name: 'A', number: 1, physical_order: 0 });
    const zones = await database.asSuperuser(
      'select name, capacity from zones where organization_id = $1',
      [scope.organizationId],
    );
    expect(zones).toEqual([{ name: 'Stalls', capacity: 20 }]);
  });

  it('keeps its seats over versions: by id, else by label', async () => {
    const first = await draft(aHall());
    const id = first.data.layout_id;
    await activate(id);
    const before = seatsOf(await configOf(id, 1));
    const second = await next(id, aHall({ rows: 3 }));
    expect(second.data).toMatchObject({ version: 2, status: 'draft', seat_count: 30 });
    const after = new Map(seatsOf(await configOf(id, 2)).map((seat) => [seat.label, seat.seat_id]));
    for (const seat of before) expect(after.get(seat.label)).toBe(seat.seat_id);
    await activate(id);
    const { list } = await ask(`GET /api/admin/layouts?status=archived`);
    expect(list).toEqual([expect.objectContaining({ layout_id: id, version: 1 })]);
    const difference = (await ask(`GET /api/admin/layouts/${id}/diff?from=1&to=2`)).data;
    const { seats } = difference.diff as { seats: { added: object[]; removed: object[] } };
    expect([seats.added.length, seats.removed.length]).toEqual([10, 0]);
  });

  it('keeps a seat that a draft had left out, and over an abandoned draft', async () => {
    const { data } = await draft(aHall());
    const id = data.layout_id;
    await activate(id);
    const [original] = seatsOf(await configOf(id, 1));
    const without = structuredClone(aHall()) as { zones: { seats: object[] }[] };
    without.zones[0]?.seats.shift();
    await next(id, without);
    await next(id, aHall());
    const seatNow = async () =>
      seatsOf(await configOf(id)).find(({ label }) => label === original?.label);
    expect((await seatNow())?.seat_id).toBe(original?.seat_id);
    await ask(`POST /api/admin/layouts/${id}/archive`, { body: { version: 2 } });
    await next(id, aHall());
    expect((await seatNow())?.seat_id).toBe(original?.seat_id);
    const { diff } = (await ask(`GET /api/admin/layouts/${id}/diff?from=1&to=3`)).data;
    expect(diff).toMatchObject({ same: true });
  });

  it('keeps its description until another is given', async () => {
    const { data } = await draft(aHall(), { description: 'With a new stage' });
    await activate(data.layout_id);
    expect((await next(data.layout_id)).data.description).toBe('With a new stage');
    const body = { layout_id: data.layout_id, description: null };
    const cleared = await ask('POST /api/admin/layouts', { body });
    expect(cleared.data.description).toBeNull();
  });

  it('is listed page by page with all its versions', async () => {
    const { data } = await draft(aHall());
    for (let version = 1; version < 4; version++) {
      await activate(data.layout_id);
      await next(data.layout_id);
    }
    const seen: unknown[] = [];
    for (let after = ''; ; ) {
      const { list } = await ask(`GET /api/admin/layouts?limit=3${after}`);
      seen.push(...list.map(({ version }) => version));
      if (list.length < 3) break;
      const last = list.at(-1);
      after = `&after=${last?.layout_id}&after_version=${last?.version}`;
    }
    expect(seen).toEqual([4, 3, 2, 1]);
  });

  it('is copied into a new version, which has nothing new', async () => {
    const { data } = await draft(aHall());
    await activate(data.layout_id);
    const copy = await next(data.layout_id);
    expect(copy.data).toMatchObject({ version: 2, status: 'draft' });
    const { diff } = (await ask(`GET /api/admin/layouts/${data.layout_id}/diff`)).data;
    expect(diff).toMatchObject({ same: true, ordinals_kept: true });
  });

  it('has one draft, which is replaced', async () => {
    const { data } = await draft(aHall());
    const replaced = await next(data.layout_id, aHall({ rows: 1 }));
    expect(replaced.data).toMatchObject({ version: 1, status: 'draft', seat_count: 10 });
    const wishes = Array.from({ length: 8 }, (_, n) => aHall({ rows: n + 1 }));
    const many = await Promise.all(wishes.map((config) => next(data.layout_id, config)));
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([201]));
    const { list } = await ask('GET /api/admin/layouts');
    expect(list).toHaveLength(1);
  });

  it('gets one next version when several ask for it at once', async () => {
    const { data } = await draft(aHall());
    await activate(data.layout_id);
    const many = await Promise.all([1, 2, 3].map((rows) => next(data.layout_id, aHall({ rows }))));
    expect(many.map(({ status }) => status)).toEqual([201, 201, 201]);
    const { list } = await ask('GET /api/admin/layouts');
    expect(list.map(({ version, status }) => [version, status])).toEqual([
      [2, 'draft'],
      [1, 'active'],
    ]);
  });

  it('is activated once, also when two ask at once', async () => {
    const { data } = await draft(aHall());
    const replies = await Promise.all([activate(data.layout_id), activate(data.layout_id)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('answers a repeated activation with the first answer', async () => {
    const { data } = await draft(aHall());
    const headers = { 'idempotency-key': 'go' };
    const first = await activate(data.layout_id, { headers });
    const again = await activate(data.layout_id, { headers });
    expect(again.data).toEqual(first.data);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('cannot change once it is active: the database itself refuses', async () => {
    const { data } = await draft(aHall());
    const change = `update layouts set config = '{"zones":[]}' where layout_id = $1`;
    await activate(data.layout_id);
    await expect(database.asSuperuser(change, [data.layout_id])).rejects.toThrow('cannot change');
    const back = `update layouts set status = 'draft' where layout_id = $1`;
    await expect(database.asSuperuser(back, [data.layout_id])).rejects.toThrow('cannot change');
  });

  it('control: without the trigger the same statement would go through', async () => {
    const { data } = await draft(aHall());
    await activate(data.layout_id);
    const [row] = await database.asSuperuser(
      `with off as (select set_config('session_replication_role', 'replica', true))
       update layouts set config = '{"zones":[]}' from off where layout_id = $1
       returning config::text`,
      [data.layout_id],
    );
    expect(row?.config).toBe('{"zones":[]}');
  });

  it('has rows that nobody adds to, changes or removes', async () => {
    const { data } = await draft(aHall());
    await activate(data.layout_id);
    const where = `where organization_id = '${scope.organizationId}'`;
    for (const text of [
      `update seats set label = 'X' ${where}`,
      `delete from seats ${where}`,
      `update zones set capacity = 1 ${where}`,
      `insert into seats select organization_id, layout_id, version, 999, gen_random_uuid(), 'new',
         zone_id, section, row_name, number, physical_order, run, category, x, y, companion_of
       from seats ${where} limit 1`,
    ]) {
      await expect(database.asSuperuser(text), text).rejects.toThrow('cannot change');
    }
    const born = database.asSuperuser(
      `insert into layouts (organization_id, layout_id, version, venue_id, name, status, config,
         seat_count, total_capacity)
       values ($1, $2, 1, $3, 'x', 'active', '{}', 0, 1)`,
      [scope.organizationId, newId(), venue],
    );
    await expect(born).rejects.toThrow('begins as a draft');
  });

  it('is written down: who, which version before and after', async () => {
    const { data } = await draft(aHall());
    await activate(data.layout_id);
    await next(data.layout_id);
    await activate(data.layout_id);
    const trail = await ask(`GET /api/admin/audit?entity_id=${data.layout_id}`);
    expect(trail.list.map(({ action }) => action)).toEqual([
      'layout_activated',
      'layout_drafted',
      'layout_activated',
      'layout_drafted',
    ]);
    expect(trail.list[0]?.changes).toEqual({ version_before: 1, version_after: 2 });
  });

  it('is unknown to other organizations', async () => {
    const { data } = await draft(aHall());
    const other = await anOrganization(database.postgres);
    const token = tokenFor(other.organizationId);
    const id = data.layout_id;
    for (const route of [
      `GET /api/admin/layouts/${id}`,
      `GET /api/admin/layouts/${id}/config`,
      `GET /api/admin/layouts/${id}/diff`,
      `POST /api/admin/layouts/${id}/activate`,
      `POST /api/admin/layouts/${id}/archive`,
    ]) {
      const body = route.startsWith('POST') ? { body: {} } : {};
      expect([route, (await ask(route, { token, ...body })).status]).toEqual([route, 404]);
    }
    const there = await ask('POST /api/admin/layouts', {
      token,
      body: { venue_id: venue, name: 'Mine', config: aHall() },
    });
    expect(there.status).toBe(404);
  });

  it('is served from memory with an ETag', async () => {
    const { data } = await draft(aHall());
    await activate(data.layout_id);
    const route = `GET /api/admin/layouts/${data.layout_id}/config`;
    const first = await ask(route);
    const etag = first.headers.get('etag') ?? '';
    const second = await ask(route, { headers: { 'if-none-match': etag } });
    expect(second.status).toBe(304);
    expect(seatsOf(first.data)).toHaveLength(20);
  });
});

describe('a bad layout', () => {
  const broken = () => {
    const config = structuredClone(aHall()) as { zones: { seats: { label: string }[] }[] };
    const [seat] = config.zones[0]?.seats ?? [];
    if (seat) seat.label = 'A-2';
    return { ...config, colour: 'blue' };
  };

  it('is refused with every problem, and nothing is saved', async () => {
    const reply = await draft(broken());
    expect([reply.status, reply.body.error]).toEqual([400, 'layout_invalid']);
    const { problems } = reply.body.details as { problems: { path: string; code: string }[] };
    expect(problems.map(({ path, code }) => [path, code])).toEqual([
      ['colour', 'unknown_field'],
      [expect.stringMatching(/^zones\[0\]\.seats\[\d\]\.label$/), 'duplicate_label'],
    ]);
    expect((await ask('GET /api/admin/layouts')).list).toEqual([]);
    const validated = await ask('POST /api/admin/layouts/validate', { body: broken() });
    expect(validated.body.details).toEqual(reply.body.details);
  });

  it('is told what a wish lacks', async () => {
    const nothing = await ask('POST /api/admin/layouts', { body: {} });
    expect(nothing.body.details).toEqual({
      problems: [
        { path: 'body/venue_id', message: 'is needed for a new layout' },
        { path: 'body/config', message: 'is needed for a new layout' },
      ],
    });
    const unknown = await draft(aHall(), { colour: 'blue', venue_id: [[[]]], name: 'a\u0000b' });
    expect(unknown.body.details).toMatchObject({
      problems: [{ path: 'colour' }, { path: 'venue_id' }, { path: 'name' }],
    });
    expect(unknown.body.error).toBe('invalid_request');
    expect((await next(newId(), aHall())).status).toBe(404);
    const nowhere = await draft(aHall(), { venue_id: newId() });
    expect([nowhere.status, nowhere.body.message]).toEqual([404, 'There is no such venue.']);
    const { data } = await draft(aHall());
    const moved = await ask('POST /api/admin/layouts', {
      body: { layout_id: data.layout_id, venue_id: newId() },
    });
    expect(moved.body.details).toMatchObject({ problems: [{ path: 'body/venue_id' }] });
  });

  it.each([
    ['nested without end', `{"venue_id":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
    ['a config nested without end', `{"config":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
    ['broken', '{"config":'],
    ['empty', ''],
  ])('that is %s is refused quickly', async (_, text) => {
    const reply = await fetch(`${node().address}/api/admin/layouts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner}`, 'content-type': 'application/json' },
      body: text,
    });
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({ error: 'invalid_request' });
  });

  it('does not fit into a smaller venue', async () => {
    await ask(`PATCH /api/admin/venues/${venue}`, { body: { max_capacity: 19 } });
    const reply = await draft(aHall());
    expect(reply.body.details).toMatchObject({ problems: [{ code: 'over_venue_capacity' }] });
    await ask(`PATCH /api/admin/venues/${venue}`, { body: { max_capacity: 20 } });
    const { data } = await draft(aHall());
    await ask(`PATCH /api/admin/venues/${venue}`, { body: { max_capacity: 19 } });
    expect((await activate(data.layout_id)).body.error).toBe('layout_invalid');
  });

  it('is judged by the policy, when it is drafted and again when it is activated', async () => {
    const vip = aHall({ zone_type: 'vip_reserved' });
    const refused = await draft(vip);
    expect(refused.body.details).toMatchObject({ problems: [{ code: 'zone_type_not_allowed' }] });
    await ask('PUT /api/admin/policy', { body: { allow_vip_zones: true } });
    const made = await draft(vip);
    expect(made.status).toBe(201);
    await ask('PUT /api/admin/policy', { body: { allow_vip_zones: false } });
    const activated = await activate(made.data.layout_id);
    expect([activated.status, activated.body.error]).toEqual([400, 'layout_invalid']);
    const { data } = await ask(`GET /api/admin/layouts/${made.data.layout_id}`);
    expect(data.status).toBe('draft');
  });
});
