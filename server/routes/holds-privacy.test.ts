import { userIdOf } from '@voelgoed/engine/accounts';
import { anOrganization, newId } from '@voelgoed/testkit/builders';
import { call, type Reply, tokenFor } from '@voelgoed/testkit/servers';
import { aHybridHall, useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { ask, buyer, database, node, scope, show } = useShows();

/** Everything that somebody else can read of an answer. */
const textOf = ({ headers, body }: Reply) => JSON.stringify([[...headers], body]);

/** A holder with names that are nowhere else. */
async function aHolder() {
  const { eventId, seats, zones } = await show({ config: aHybridHall() });
  const subject = `canary-subject-${newId()}`;
  const cart = `canary-cart-${newId()}`;
  const notes = `canary-notes-${newId()}`;
  const name = `canary-caller-${newId()}`;
  const items = [{ seat_id: seats[0] }, { zone_id: zones[1], quantity: 4 }];
  const body = { items, cart_token: cart };
  const ann = buyer(subject);
  const held = await ann.hold(eventId, items, { body });
  const own = held.data.holds as { hold_id: string }[];
  const staff = await ask(`POST /api/admin/events/${eventId}/holds`, {
    body: { items: [{ seat_id: seats[1] }], for: name, notes },
  });
  const others = staff.data.holds as { hold_id: string }[];
  const secrets = [
    subject,
    cart,
    notes,
    name,
    userIdOf(scope().organizationId, subject),
    userIdOf(scope().organizationId, `caller:${name}`),
    ...[...own, ...others].map(({ hold_id }) => hold_id),
  ];
  return { eventId, seats, zones, ann, own, secrets };
}

describe('who holds a seat', () => {
  it('is told to nobody but the holder and staff, by no route', async () => {
    const { eventId, seats, zones, own, secrets } = await aHolder();
    const event = `/api/events/${eventId}`;
    const [slug] = await database.asSuperuser(
      'select slug from organizations where organization_id = $1',
      [scope().organizationId],
    );
    const reads = ['', '/seatmap', '/availability', '/occupancy', `/seats/${seats[0]}`];
    reads.push(`/seats/${seats[1]}`);
    const bob = buyer();
    const replies: Reply[] = [
      await call(node().address, `GET /api/organizations/${slug?.slug}/events`),
      await call(node().address, `POST ${event}/sessions`),
    ];
    for (const path of reads) {
      replies.push(await call(node().address, `GET ${event}${path}`));
      replies.push(await bob.ask(`GET ${event}${path}`));
    }
    const taken = [{ seat_id: seats[0] }, { seat_id: seats[1] }];
    replies.push(
      await bob.ask(`GET ${event}/holds`),
      await bob.reserve(eventId, seats[0] ?? ''),
      await bob.hold(eventId, [...taken, { zone_id: zones[1], quantity: 2 }]),
      await bob.hold(eventId, [{ zone_id: zones[1], quantity: 2 }]),
      await bob.ask(`DELETE ${event}/holds`),
      await call(node().address, 'GET /health/ready'),
      await call(node().address, 'GET /openapi.json'),
    );
    for (const { hold_id } of own) {
      const refused = [
        await bob.ask(`POST /api/holds/${hold_id}/extend`),
        await bob.ask(`DELETE /api/holds/${hold_id}`),
      ];
      expect(refused.map(({ status }) => status)).toEqual([404, 404]);
    }
    for (const reply of replies) {
      for (const secret of secrets) expect(textOf(reply)).not.toContain(secret);
    }
    const metrics = await (await fetch(`${node().address}/metrics`)).text();
    for (const secret of secrets) expect(metrics).not.toContain(secret);
  });

  it('a foreign hold and one that never was are the same answer', async () => {
    const { own } = await aHolder();
    const bob = buyer();
    for (const route of ['POST /api/holds/{}/extend', 'DELETE /api/holds/{}']) {
      const answers = [own[0]?.hold_id ?? '', newId()].map(async (id) => {
        const { status, body, headers } = await bob.ask(route.replace('{}', id));
        const names = [...headers.keys()].sort();
        return { status, names, body: { ...body, request_id: '' } };
      });
      const [foreign, absent] = await Promise.all(answers);
      expect(foreign).toEqual(absent);
    }
  });

  it('the holder sees their own, staff see all of it', async () => {
    const { eventId, seats, ann, own } = await aHolder();
    const mine = await ann.ask(`GET /api/events/${eventId}/seats/${seats[0]}`);
    expect(mine.data).toMatchObject({ status: 'held', mine: true });
    const listed = await ann.ask(`GET /api/events/${eventId}/holds`);
    expect(listed.data.holds).toMatchObject(own.map(({ hold_id }) => ({ hold_id })));
    const { list } = await ask(`GET /api/admin/events/${eventId}/holds`);
    expect(list).toHaveLength(3);
  });

  it('what a trail shows of an address is kept apart and can be forgotten', async () => {
    const { eventId } = await aHolder();
    const rows = await database.asSuperuser(
      `select l::text as line from audit_log l where chain_id = $1
       union all select c.changes::text from seat_changes c where event_id = $1`,
      [eventId],
    );
    expect(rows.length).toBeGreaterThan(3);
    for (const { line } of rows) expect(line).not.toMatch(/127\.0\.0\.1|canary-subject/);
  });
});

describe('another organization', () => {
  it('finds nothing of it, and changes nothing, by any of these routes', async () => {
    const { eventId, seats, zones, own, secrets } = await aHolder();
    const other = await anOrganization(database.postgres);
    const token = tokenFor(other.organizationId);
    const hold = own[0]?.hold_id ?? '';
    const items = [{ seat_id: seats[2] }];
    const event = `/api/events/${eventId}`;
    const admin = `/api/admin/events/${eventId}`;
    const asks: [string, unknown?][] = [
      [`POST ${event}/seats/${seats[2]}/reserve`],
      [`POST ${event}/holds`, { items }],
      [`GET ${event}/holds`],
      [`DELETE ${event}/holds`],
      [`POST /api/holds/${hold}/extend`],
      [`DELETE /api/holds/${hold}`],
      [`GET ${event}/availability`],
      [`GET ${event}/occupancy`],
      [`GET ${event}/seats/${seats[0]}`],
      [`POST ${event}/sessions`],
      [`GET ${admin}/holds`],
      [`POST ${admin}/holds`, { items, for: 'x' }],
      [`POST ${admin}/seats/block`, { seat_ids: [seats[2]], reason: 'x' }],
      [`POST ${admin}/seats/unblock`, { seat_ids: [seats[2]], reason: 'x' }],
      [`GET ${admin}/zones/${zones[0]}/whitelist`],
      [`PUT ${admin}/zones/${zones[0]}/whitelist`, { user_ids: [] }],
      ['POST /api/admin/seats/release', { event_id: eventId, reason: 'x' }],
    ];
    const revision = async () =>
      (
        await database.asSuperuser('select revision from event_boards where event_id = $1', [
          eventId,
        ])
      )[0]?.revision;
    const before = await revision();
    for (const [route, body] of asks) {
      const reply = await call(node().address, route, { token, ...(body ? { body } : {}) });
      expect([route, reply.status]).toEqual([route, 404]);
      for (const secret of secrets) {
        if (!route.includes(secret)) expect(textOf(reply)).not.toContain(secret);
      }
    }
    const byId = { hold_ids: [hold], reason: 'x' };
    const byUser = { user_id: secrets[4], reason: 'x' };
    for (const body of [byId, byUser]) {
      const reply = await call(node().address, 'POST /api/admin/seats/release', { token, body });
      expect(reply.data).toMatchObject({ seats_released: 0 });
    }
    const audit = await call(node().address, `GET /api/admin/audit?event_id=${eventId}`, { token });
    expect(audit.list).toEqual([]);
    expect(await revision()).toBe(before);
  });
});
