import { aHall, anOrganization, newId } from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { type CallOptions, call, tokenFor, useNode } from '@voelgoed/testkit/servers';
import { beforeEach, describe, expect, it } from 'vitest';

const database = useDatabase();
const node = useNode(database);

let organizationId: string;
let owner: string;
let venue: string;

const ask = (route: string, options: CallOptions = {}) =>
  call(node().address, route, { token: owner, ...options });
const draft = (body: object) => ask('POST /api/admin/layouts', { body });
const lookAt = async (id: unknown, version?: number) =>
  (await ask(`GET /api/admin/layouts/${id}${version ? `?version=${version}` : ''}`)).data;
const states = async (id: unknown) =>
  ((await lookAt(id)).versions as { version: number; status: string }[]).map(
    ({ version, status }) => `${version} ${status}`,
  );

const ROWS = {
  shapes: [{ shape: 'straight_rows', zone: 'Stalls', rows: 2, blocks: [5], label_prefix: '' }],
};
const MORE_ROWS = { shapes: [{ ...ROWS.shapes[0], rows: 3 }] };

beforeEach(async () => {
  ({ organizationId } = await anOrganization(database.postgres));
  owner = tokenFor(organizationId, { subject: 'sarie' });
  const made = await ask('POST /api/admin/venues', { body: { slug: 'hall', name: 'Hall' } });
  venue = String(made.data.venue_id);
});

async function drawn(): Promise<unknown> {
  const made = await draft({ venue_id: venue, name: 'Plan', spec: ROWS });
  expect([made.status, made.data.seat_count]).toEqual([201, 10]);
  return made.data.layout_id;
}

describe('a draft that the generator draws', () => {
  it('keeps its spec with each version, and the ids of its seats', async () => {
    const layout_id = await drawn();
    await ask(`POST /api/admin/layouts/${layout_id}/activate`, { body: {} });
    const labels = async (version: number) => {
      const route = `GET /api/admin/layouts/${layout_id}/config?version=${version}`;
      const { zones } = (await ask(route)).data as {
        zones: { seats: { seat_id: string; label: string }[] }[];
      };
      return new Map(zones[0]?.seats.map(({ label, seat_id }) => [label, seat_id]));
    };
    await draft({ layout_id, spec: MORE_ROWS });
    expect((await lookAt(layout_id)).spec).toEqual(MORE_ROWS);
    expect((await lookAt(layout_id, 1)).spec).toEqual(ROWS);
    const [before, after] = [await labels(1), await labels(2)];
    expect(after.size).toBe(15);
    for (const [label, id] of before) expect(after.get(label)).toBe(id);
    await draft({ layout_id });
    expect((await lookAt(layout_id)).spec).toEqual(MORE_ROWS);
    await draft({ layout_id, config: aHall() });
    expect((await lookAt(layout_id)).spec).toBeNull();
  });

  it('answers what is wrong with the spec, and takes no config beside it', async () => {
    const wrong = await draft({ venue_id: venue, spec: { shapes: [] } });
    expect(wrong.body.error).toBe('layout_invalid');
    const both = await draft({ venue_id: venue, spec: ROWS, config: aHall() });
    expect(both.body.details).toEqual({
      problems: [{ path: 'body/spec', message: 'cannot come with a config' }],
    });
    const alone = await draft({ venue_id: venue, spec: ROWS, if_revision: 1 });
    expect(alone.body.details).toMatchObject({ problems: [{ path: 'body/if_revision' }] });
    const odd = await draft({ venue_id: venue, spec: ROWS, keep_draft: 'yes' });
    expect(odd.body.details).toMatchObject({ problems: [{ path: 'body/keep_draft' }] });
  });

  it('is generated with the shapes that a preset stands for, seats by their labels', async () => {
    const route = 'POST /api/admin/layouts/generate';
    const preset = { preset: 'theatre', rows: 4, balcony_rows: 2, vip: false };
    const { spec, config } = (await ask(route, { body: preset })).data;
    const [stalls, balcony] = (spec as { shapes: Record<string, unknown>[] }).shapes;
    expect(stalls).toMatchObject({ zone: 'Stalls', label_prefix: '' });
    expect(stalls?.wheelchair_pairs).toEqual([1, 3, 5].map((seat) => ({ label: `D-${seat}` })));
    expect(balcony).toMatchObject({ zone: 'Balcony', label_prefix: 'Balcony ' });
    const again = (await ask(route, { body: spec })).data;
    const bare = (value: unknown) => JSON.stringify(value).replace(/"[0-9a-f-]{36}"/g, '""');
    expect(bare(again.config)).toBe(bare(config));
  });
});

describe('a draft that another person has changed', () => {
  it('is not overwritten by those who say which one they have seen', async () => {
    const layout_id = await drawn();
    const seen = { if_version: 1, if_revision: 1 };
    const first = await draft({ layout_id, spec: MORE_ROWS, ...seen });
    expect(first.data).toMatchObject({ version: 1, revision: 2, changed_by_name: null });
    const second = await draft({ layout_id, spec: ROWS, ...seen });
    expect([second.status, second.body.error]).toEqual([409, 'version_immutable']);
    expect(second.body.details).toMatchObject({ version: 1, revision: 2, status: 'draft' });
    expect((await lookAt(layout_id)).seat_count).toBe(15);
    await ask(`POST /api/admin/layouts/${layout_id}/activate`, { body: {} });
    const late = await draft({ layout_id, spec: ROWS, if_version: 7 });
    expect(late.body.error).toBe('version_immutable');
    const unasked = await draft({ layout_id, spec: ROWS });
    expect(unasked.data).toMatchObject({ version: 2, revision: 1 });
  });

  it('lets one of two through who write at the same moment', async () => {
    const layout_id = await drawn();
    const seen = { if_version: 1, if_revision: 1 };
    const both = await Promise.all([
      draft({ layout_id, spec: ROWS, ...seen }),
      draft({ layout_id, spec: MORE_ROWS, ...seen }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('says who wrote it last', async () => {
    const layout_id = await drawn();
    const [before] = (await lookAt(layout_id)).versions as Record<string, unknown>[];
    expect(before?.changed_by_name).toBeNull();
    const text = `update users set name = $2 where user_id = $1 and subject = 'sarie'`;
    await database.asSuperuser(text, [before?.changed_by, 'Sarie']);
    expect((await lookAt(layout_id)).changed_by_name).toBe('Sarie');
  });

  it('says it to those who may write drafts themselves', async () => {
    const layout_id = await drawn();
    const authorsFor = async (role: 'staff' | 'viewer') => {
      const token = tokenFor(organizationId, { role, subject: role });
      const { data } = await ask(`GET /api/admin/layouts/${layout_id}`, { token });
      const { list } = await ask('GET /api/admin/layouts', { token });
      const shown = [data, ...(data.versions as object[]), ...list];
      return shown.map((one) => 'changed_by' in one && one.changed_by !== null);
    };
    expect(await authorsFor('staff')).toEqual([true, true, true]);
    expect(await authorsFor('viewer')).toEqual([false, false, false]);
    const made = await ask('POST /api/admin/api-keys', {
      body: { name: 'Activates', scopes: ['layouts:activate'] },
    });
    const token = String(made.data.key);
    const body = {};
    const { data } = await ask(`POST /api/admin/layouts/${layout_id}/activate`, { token, body });
    expect(data).toMatchObject({ status: 'active', changed_by: null, changed_by_name: null });
  });

  it('is another one when a node writes it that knows no revisions', async () => {
    const layout_id = await drawn();
    await database.asSuperuser(
      `update layouts set config = '{"zones":[]}', changed_at = now() where layout_id = $1`,
      [layout_id],
    );
    expect(await lookAt(layout_id)).toMatchObject({ revision: 2, spec: null, changed_by: null });
  });
});

describe('a draft that makes room', () => {
  it('stays as an archived version, and can be drawn again', async () => {
    const layout_id = await drawn();
    const next = await draft({ layout_id, spec: MORE_ROWS, keep_draft: true });
    expect(next.data).toMatchObject({ version: 2, status: 'draft', seat_count: 15 });
    expect(await states(layout_id)).toEqual(['2 draft', '1 archived']);
    expect((await lookAt(layout_id, 1)).spec).toEqual(ROWS);
    const trail = await ask('GET /api/admin/audit?action=layout_archived&limit=5');
    expect(JSON.stringify(trail.list)).toContain('"from":"draft"');
    await ask(`POST /api/admin/layouts/${layout_id}/activate`, { body: {} });
    const third = await draft({ layout_id, spec: ROWS, keep_draft: true });
    expect(third.data.version).toBe(3);
    expect(await states(layout_id)).toEqual(['3 draft', '2 active', '1 archived']);
  });

  it('is not there for others', async () => {
    const other = await draft({ layout_id: newId(), spec: ROWS, if_version: 1 });
    expect(other.body.error).toBe('not_found');
  });
});
