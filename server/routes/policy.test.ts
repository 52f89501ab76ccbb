import type { Scope } from '@voelgoed/engine/scope';
import { anOrganization, newId } from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { type CallOptions, call, tokenFor, useNode } from '@voelgoed/testkit/servers';
import { beforeEach, describe, expect, it } from 'vitest';

const PLATFORM_SECRET = 'the platform secret of the policy tests';
const database = useDatabase();
const node = useNode(database, { PLATFORM_SECRET });

let scope: Scope;
let owner: string;

const ask = (route: string, options: CallOptions = {}) =>
  call(node().address, route, { token: owner, ...options });

beforeEach(async () => {
  scope = await anOrganization(database.postgres);
  owner = tokenFor(scope.organizationId);
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
    const made = await ask('POST /api/admin/venues', { body: { slug: 'hall', name: 'Hall' } });
    const venue = String(made.data.venue_id);
    const { list } = await ask('GET /api/admin/venues');
    expect(list).toEqual([
      expect.objectContaining({ venue_id: venue, slug: 'hall', timezone: 'Africa/Johannesburg' }),
    ]);
    const taken = await ask('POST /api/admin/venues', { body: { slug: 'hall', name: 'Again' } });
    expect(taken.body.details).toEqual({ problems: [{ path: 'body/slug', message: 'is taken' }] });
    const both = await Promise.all([
      ask(`PATCH /api/admin/venues/${venue}`, { body: { name: 'Great Hall' } }),
      ask(`PATCH /api/admin/venues/${venue}`, { body: { max_capacity: 500 } }),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const now = await ask(`GET /api/admin/venues/${venue}`);
    expect(now.data).toMatchObject({ name: 'Great Hall', max_capacity: 500 });
    const zone = await ask(`PATCH /api/admin/venues/${venue}`, { body: { timezone: 'Mars/Base' } });
    expect(zone.body.details).toMatchObject({ problems: [{ path: 'body/timezone' }] });
    expect((await ask(`PATCH /api/admin/venues/${newId()}`, { body: { name: 'x' } })).status).toBe(
      404,
    );
  });
});
