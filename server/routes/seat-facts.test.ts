import { userIdOf } from '@voelgoed/engine/accounts';
import { findLastBlock } from '@voelgoed/engine/workflows';
import { newId } from '@voelgoed/testkit/builders';
import { planOf } from '@voelgoed/testkit/database';
import { call, tokenFor } from '@voelgoed/testkit/servers';
import { anAccessibleHall, useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { ask, buyer, database, node, scope, sellTo, show } = useShows();

const facts = async (eventId: string, seatId = '') =>
  (await ask(`GET /api/admin/events/${eventId}/seats/${seatId}`)).data;
const block = (eventId: string, seat_ids: unknown[], reason: string) =>
  ask(`POST /api/admin/events/${eventId}/seats/block`, { body: { seat_ids, reason } });

describe('why a seat is not to be had', () => {
  it('held: by whom, from where, until when', async () => {
    const { eventId, seats } = await show();
    const caller = { items: [{ seat_id: seats[0] }], for: 'Thandi Nkosi', notes: 'rings back' };
    await ask(`POST /api/admin/events/${eventId}/holds`, { body: caller });
    const seat = await facts(eventId, seats[0]);
    expect(seat).toMatchObject({ status: 'held', why: 'held', ticket: null, block: null });
    expect(seat.hold).toMatchObject({
      holder: 'Thandi Nkosi',
      source: 'box_office',
      notes: 'rings back',
      made_by: userIdOf(scope().organizationId, 'tester'),
      expires_in_seconds: expect.any(Number),
    });
    expect(await facts(eventId, seats[1])).toMatchObject({ why: 'free', hold: null });
    const { list } = await ask(`GET /api/admin/events/${eventId}/holds`);
    expect(list.map(({ holder }) => holder)).toEqual(['Thandi Nkosi']);
  });

  it('sold: its ticket, for those who may read tickets', async () => {
    const { eventId, seats } = await show();
    const [ticket] = await sellTo(buyer('ann'), eventId, [{ seat_id: seats[2] }]);
    expect(await facts(eventId, seats[2])).toMatchObject({
      why: 'sold',
      ticket: { code: ticket?.code, user_id: userIdOf(scope().organizationId, 'ann') },
    });
    const key = await ask('POST /api/admin/api-keys', {
      body: { name: 'a wall display', scopes: ['holds:read'] },
    });
    const path = `GET /api/admin/events/${eventId}/seats/${seats[2]}`;
    const seen = await call(node().address, path, { token: String(key.data.key) });
    expect(seen.data).toMatchObject({ why: 'sold', ticket: null });
  });

  it('blocked: by whom and why, the last time; also with the end of its ticket', async () => {
    const { eventId, seats } = await show();
    await block(eventId, [seats[0], seats[1]], 'camera');
    await ask(`POST /api/admin/events/${eventId}/seats/unblock`, {
      body: { seat_ids: [seats[0]], reason: 'moved' },
    });
    const token = tokenFor(scope().organizationId, { role: 'staff', subject: 'second' });
    await ask(`POST /api/admin/events/${eventId}/seats/block`, {
      token,
      body: { seat_ids: [seats[0]], reason: 'a pillar' },
    });
    expect(await facts(eventId, seats[0])).toMatchObject({
      why: 'blocked',
      block: {
        reason: 'a pillar',
        actor_kind: 'user',
        actor_role: 'staff',
        actor_id: userIdOf(scope().organizationId, 'second'),
      },
    });
    expect(await facts(eventId, seats[1])).toMatchObject({ block: { reason: 'camera' } });
    const [ticket] = await sellTo(buyer('ann'), eventId, [{ seat_id: seats[4] }]);
    const end = { reason: 'broken seat', block: true };
    await ask(`POST /api/admin/tickets/${ticket?.ticket_id}/void`, { body: end });
    expect(await facts(eventId, seats[4])).toMatchObject({
      why: 'blocked',
      ticket: null,
      block: { reason: 'broken seat', actor_role: 'owner' },
    });
  });

  it('closed since it was planned, or kept for a companion', async () => {
    const { eventId, seats } = await show({ config: anAccessibleHall() });
    const rows = await database.asSuperuser(
      `update event_seats set status = 'blocked' where event_id = $1 and ordinal = $2
       returning ordinal`,
      [eventId, seats.length - 1],
    );
    expect(rows).toHaveLength(1);
    expect(await facts(eventId, seats.at(-1))).toMatchObject({ why: 'layout', block: null });
    const { data } = await ask(`GET /api/events/${eventId}/seatmap`);
    type Drawn = { seat_id: string; label: string; companion_of?: string };
    const companion = (data.seats as Drawn[]).find(({ companion_of }) => companion_of);
    await buyer('zoe').reserve(eventId, companion?.companion_of ?? '');
    const space = (data.seats as Drawn[]).find(
      ({ seat_id }) => seat_id === companion?.companion_of,
    );
    expect(await facts(eventId, companion?.seat_id)).toMatchObject({
      status: 'blocked',
      why: 'companion',
      kept_for: space?.label,
    });
  });

  it('no such seat, no such event', async () => {
    const { eventId, seats } = await show();
    const seat = await ask(`GET /api/admin/events/${eventId}/seats/${newId()}`);
    expect([seat.status, seat.body.error]).toEqual([404, 'seat_not_found']);
    const event = await ask(`GET /api/admin/events/${newId()}/seats/${seats[0]}`);
    expect([event.status, event.body.error]).toEqual([404, 'event_not_found']);
  });

  it('is found among the few entries about blocks, not among all of the sale', async () => {
    const plan = await planOf(database.postgres, scope().organizationId, findLastBlock, 'jobs');
    expect(plan).toContain('audit_log_blocks');
  });
});
