import { anOrganization } from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { type CallOptions, call, tokenFor, useNode } from '@voelgoed/testkit/servers';
import { beforeEach, describe, expect, it } from 'vitest';

const database = useDatabase();
const node = useNode(database);

let owner: string;
let venue: string;

const ask = (route: string, options: CallOptions = {}) =>
  call(node().address, route, { token: owner, ...options });
const draft = (config: unknown) =>
  ask('POST /api/admin/layouts', { body: { venue_id: venue, name: 'Plan', config } });

beforeEach(async () => {
  const { organizationId } = await anOrganization(database.postgres);
  owner = tokenFor(organizationId);
  const made = await ask('POST /api/admin/venues', { body: { slug: 'hall', name: 'Hall' } });
  venue = String(made.data.venue_id);
});

type Config = { zones: { seats: object[] }[] };
const seatsOf = (config: unknown) => (config as Config).zones.flatMap((zone) => zone.seats);

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
    expect(wrong.body.details).toMatchObject({ problems: [{ path: 'querystring/format' }] });
    const long = await ask(`${route}&venue_id=${venue}`, {
      body: { ...plan, name: 'x'.repeat(300) },
    });
    expect(String(long.data.name)).toHaveLength(200);
    const headers = { 'idempotency-key': 'plan' };
    const first = await ask(`${route}&venue_id=${venue}`, { body: plan, headers });
    const other = await ask(`${route}&venue_id=${venue}&name=Other`, { body: plan, headers });
    expect([first.status, other.status]).toEqual([201, 422]);
  });
});
