import type { Scope } from '@voelgoed/engine/scope';
import { aHall, anOrganization, newId } from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { type CallOptions, call, tokenFor, useNode } from '@voelgoed/testkit/servers';
import { beforeEach, describe, expect, it } from 'vitest';

const PLATFORM_SECRET = 'the platform secret of the layout tests';
const database = useDatabase();
const node = useNode(database, { PLATFORM_SECRET });

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
    const many = await Promise.all([1, 2, 3].map((rows) => next(data.layout_id, aHall({ rows }))));
    expect(many.map(({ status }) => status)).toEqual([201, 201, 201]);
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
    const nothing = await ask('POST /api/admin/layouts', { body: { venue_id: venue } });
    expect(nothing.body.details).toEqual({
      problems: [{ path: 'body/config', message: 'is needed for a new layout' }],
    });
    const unknown = await draft(aHall(), { colour: 'blue' });
    expect(unknown.body.details).toEqual({
      problems: [{ path: 'body', message: 'has an unknown field "colour"' }],
    });
    expect((await next(newId(), aHall())).status).toBe(404);
    const nowhere = await draft(aHall(), { venue_id: newId() });
    expect([nowhere.status, nowhere.body.message]).toEqual([404, 'There is no such venue.']);
  });

  it('does not fit into a smaller venue', async () => {
    await ask(`PATCH /api/admin/venues/${venue}`, { body: { max_capacity: 19 } });
    const reply = await draft(aHall());
    expect(reply.body.details).toMatchObject({ problems: [{ code: 'over_venue_capacity' }] });
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

describe('shapes and plans', () => {
  it('are generated and can be drafted as they are', async () => {
    const generate = () =>
      ask('POST /api/admin/layouts/generate', { body: { preset: 'festival' } });
    expect((await generate()).body.error).toBe('layout_invalid');
    await ask('PUT /api/admin/policy', { body: { allow_vip_zones: true } });
    const made = await generate();
    expect(made.status).toBe(200);
    const drafted = await draft(made.data.config);
    expect(drafted.data.total_capacity).toBe(1_050);
  });

  it('of pretix are taken over with a report', async () => {
    const seat = (n: number) => ({
      seat_guid: `g${n}`,
      seat_number: String(n),
      category: 'Good',
      position: { x: n * 20, y: 0 },
    });
    const plan = {
      name: 'Their plan',
      categories: [{ name: 'Good', color: '#fff' }],
      size: { width: 100, height: 100 },
      zones: [
        {
          name: 'Floor',
          position: { x: 0, y: 0 },
          rows: [{ row_number: 'A', position: { x: 0, y: 0 }, seats: [1, 2, 3].map(seat) }],
          areas: [],
        },
      ],
    };
    const route = `POST /api/admin/layouts/import?format=pretix`;
    const drafted = await ask(`${route}&venue_id=${venue}`, { body: plan });
    expect(drafted.status).toBe(201);
    expect(drafted.data).toMatchObject({ name: 'Their plan', seat_count: 3 });
    expect(drafted.data.report).toBeDefined();
    const looked = await ask(route, { body: plan });
    expect(seatsOf(looked.data.config)).toHaveLength(3);
    const wrong = await ask('POST /api/admin/layouts/import?format=svg', { body: plan });
    expect(wrong.body.error).toBe('invalid_request');
  });
});

describe('the seating policy', () => {
  it('has every field, with its default and its meaning', async () => {
    const { data } = await ask('GET /api/admin/policy');
    expect(data).toMatchObject({
      default_hold_ttl_minutes: 10,
      max_seats_per_booking: 10,
      allow_vip_zones: false,
      locked_fields: [],
    });
    const fields = (await ask('GET /api/admin/policy/fields')).data;
    for (const name of Object.keys(fields)) expect(data).toHaveProperty(name);
  });

  it('is changed field by field, by an owner alone', async () => {
    const change = { body: { max_seats_per_booking: 6, max_holds_per_user: 12 } };
    expect((await ask('PUT /api/admin/policy', change)).data).toMatchObject(change.body);
    expect((await ask('GET /api/admin/policy')).data).toMatchObject(change.body);
    const admin = tokenFor(scope.organizationId, { role: 'admin', subject: 'admin' });
    expect((await ask('PUT /api/admin/policy', { token: admin, ...change })).status).toBe(403);
    const trail = await ask('GET /api/admin/audit?action=policy_changed');
    expect(trail.list[0]?.changes).toEqual({
      max_seats_per_booking: { from: 10, to: 6 },
      max_holds_per_user: { from: null, to: 12 },
    });
  });

  it('refuses what no field can be, all at once', async () => {
    const reply = await ask('PUT /api/admin/policy', {
      body: { max_seats_per_booking: 0, allow_vip_zones: 'yes', colour: 'blue' },
    });
    expect([reply.status, reply.body.error]).toEqual([400, 'invalid_request']);
    const { problems } = reply.body.details as { problems: { path: string }[] };
    expect(problems.map(({ path }) => path)).toEqual([
      'max_seats_per_booking',
      'allow_vip_zones',
      'colour',
    ]);
  });

  it('is locked by the platform: 409 with the field', async () => {
    const locked = await ask(`PUT /api/platform/organizations/${scope.organizationId}/policy`, {
      token: PLATFORM_SECRET,
      body: { max_seats_per_booking: 4, locked_fields: ['max_seats_per_booking'] },
    });
    expect(locked.data).toMatchObject({ max_seats_per_booking: 4 });
    const reply = await ask('PUT /api/admin/policy', { body: { max_seats_per_booking: 8 } });
    expect([reply.status, reply.body.error]).toEqual([409, 'policy_locked']);
    expect(reply.body.details).toMatchObject({ problems: [{ path: 'max_seats_per_booking' }] });
    const locking = await ask('PUT /api/admin/policy', { body: { locked_fields: [] } });
    expect(locking.body.error).toBe('policy_locked');
  });
});

describe('venues', () => {
  it('are made, listed and changed', async () => {
    const { list } = await ask('GET /api/admin/venues');
    expect(list).toEqual([
      expect.objectContaining({ venue_id: venue, slug: 'hall', timezone: 'Africa/Johannesburg' }),
    ]);
    const taken = await ask('POST /api/admin/venues', { body: { slug: 'hall', name: 'Again' } });
    expect(taken.body.details).toEqual({ problems: [{ path: 'body/slug', message: 'is taken' }] });
    const zone = await ask(`PATCH /api/admin/venues/${venue}`, { body: { timezone: 'Mars/Base' } });
    expect(zone.body.details).toMatchObject({ problems: [{ path: 'body/timezone' }] });
    expect((await ask(`PATCH /api/admin/venues/${newId()}`, { body: { name: 'x' } })).status).toBe(
      404,
    );
  });
});
