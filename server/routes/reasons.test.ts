import type { Scope } from '@voelgoed/engine/scope';
import { anOrganization } from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { type CallOptions, call, tokenFor, useNode } from '@voelgoed/testkit/servers';
import { beforeEach, describe, expect, it } from 'vitest';

const database = useDatabase();
const node = useNode(database);
let scope: Scope;

beforeEach(async () => {
  scope = await anOrganization(database.postgres);
});

const ask = (route: string, options: CallOptions = {}) =>
  call(node().address, route, { token: tokenFor(scope.organizationId), ...options });
const addMember = (body: object) => ask('POST /api/admin/members', { body });

describe('members', () => {
  it('are revoked for a reason that the trail keeps; without one there is none', async () => {
    const why = 'Sy het bedank: ’n nuwe werk';
    for (const [subject, query] of [
      ['with', `?reason=${encodeURIComponent(why)}`],
      ['without', ''],
    ]) {
      const { data } = await addMember({ subject, role: 'staff' });
      expect((await ask(`DELETE /api/admin/members/${data.user_id}${query}`)).status).toBe(200);
      const { list } = await ask('GET /api/admin/audit?action=member_changed&limit=100');
      const entry = list.find(({ entity_id }) => entity_id === data.user_id);
      const expected = subject === 'with' ? { reason: why, status: 'revoked' } : {};
      expect(entry?.changes).toMatchObject(expected);
      expect(Object.hasOwn(entry?.changes as object, 'reason')).toBe(subject === 'with');
    }
    const { data } = await addMember({ subject: 'long', role: 'staff' });
    const tooLong = `DELETE /api/admin/members/${data.user_id}?reason=${'x'.repeat(501)}`;
    expect((await ask(tooLong)).status).toBe(400);
  });

  it('are erased for a reason, too; and layouts are archived for one', async () => {
    const { data } = await addMember({ subject: 'gone', role: 'staff' });
    await ask(`DELETE /api/admin/users/${data.user_id}/personal-data?reason=She+asked`);
    const venue = await ask('POST /api/admin/venues', { body: { slug: 'hall', name: 'Hall' } });
    const zones = [{ name: 'Pit', zone_type: 'ga_standing', capacity: 5 }];
    const draft = { venue_id: venue.data.venue_id, name: 'Hall', config: { zones } };
    const { layout_id } = (await ask('POST /api/admin/layouts', { body: draft })).data;
    const body = { reason: 'Never built' };
    expect((await ask(`POST /api/admin/layouts/${layout_id}/archive`, { body })).status).toBe(200);
    const { list } = await ask('GET /api/admin/audit?limit=100');
    const reasons = list.map(({ action, changes }) => [
      action,
      (changes as { reason?: string }).reason,
    ]);
    expect(reasons).toContainEqual(['personal_data_erased', 'She asked']);
    expect(reasons).toContainEqual(['layout_archived', 'Never built']);
  });
});
