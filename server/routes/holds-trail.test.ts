import { userIdOf } from '@voelgoed/engine/accounts';
import { eventually } from '@voelgoed/testkit/eventually';
import { aHybridHall, useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { ask, buyer, database, scope, show } = useShows({ TRUSTED_PROXIES: '127.0.0.1' });

const idOf = (subject: string) => userIdOf(scope().organizationId, subject);
const FROM = { 'x-forwarded-for': '203.0.113.7', 'user-agent': 'a phone' };

describe('the trail of an event', () => {
  it('has each deed once, with who, why, for how long, and from where', async () => {
    const { eventId, seats, zones } = await show({ config: aHybridHall() });
    const ann = buyer('ann');
    const held = await ann.reserve(eventId, seats[0] ?? '', { headers: FROM });
    const hold = String(held.data.hold_id);
    await ann.reserve(eventId, seats[0] ?? '', { headers: FROM });
    await ann.ask(`POST /api/holds/${hold}/extend`, { headers: FROM });
    await ann.ask(`DELETE /api/holds/${hold}`, { headers: FROM });
    await ann.ask(`DELETE /api/holds/${hold}`, { headers: FROM });
    await ann.hold(eventId, [{ zone_id: zones[1], quantity: 2 }], { headers: FROM });
    const release = { event_id: eventId, reason: 'closing', notes: 'fire drill' };
    await ask('POST /api/admin/seats/release', { body: release });
    const block = { seat_ids: [seats[3]], reason: 'camera' };
    await ask(`POST /api/admin/events/${eventId}/seats/block`, { body: block });
    await ask(`POST /api/admin/events/${eventId}/seats/unblock`, { body: block });
    const { list } = await ask(`GET /api/admin/audit?event_id=${eventId}`);
    const seen = [...list].reverse();
    expect(seen.map(({ action }) => action)).toEqual([
      'seat_reserved',
      'seat_hold_extended',
      'seat_released',
      'seat_reserved',
      'seat_released',
      'seats_blocked',
      'seats_unblocked',
    ]);
    expect(seen[0]).toMatchObject({
      actor_kind: 'user',
      actor_id: idOf('ann'),
      actor_role: 'customer',
      entity_type: 'seat_hold',
      entity_id: hold,
      changes: { seat_id: seats[0], status: 'active', source: 'web', user_id: idOf('ann') },
    });
    expect(seen[2]?.changes).toMatchObject({
      previous_status: 'active',
      new_status: 'cancelled',
      scenario: 'user_cancellation',
      reason: 'user_cancelled',
      held_duration_seconds: expect.any(Number),
    });
    expect(seen[4]).toMatchObject({
      actor_id: idOf('tester'),
      changes: { scenario: 'admin_override', note: 'closing: fire drill', quantity: 2 },
    });
    expect(seen[5]?.changes).toMatchObject({ seats: [seats[3]], reason: 'camera' });
    const rows = await database.asSuperuser(
      `select l.action, host(c.ip_address) as ip, c.user_agent from audit_log l
       join audit_context c on c.organization_id = l.organization_id
         and c.context_id = l.context_id
       where l.chain_id = $1 and l.actor_id = $2 order by l.sequence`,
      [eventId, idOf('ann')],
    );
    expect(rows).toHaveLength(4);
    for (const row of rows) expect(row).toMatchObject({ ip: '203.0.113.7', user_agent: 'a phone' });
    const verdict = await ask(`GET /api/admin/audit/verify?event_id=${eventId}`);
    expect(verdict.data).toMatchObject({ ok: true, rows: 7 });
  });

  it('a blocked seat is taken from its holder by whoever blocked it', async () => {
    const { eventId, seats } = await show();
    await buyer('ann').reserve(eventId, seats[0] ?? '');
    const body = { seat_ids: [seats[0]], reason: 'camera' };
    await ask(`POST /api/admin/events/${eventId}/seats/block`, { body });
    const { list } = await ask(`GET /api/admin/audit?event_id=${eventId}`);
    const [blocked, ended] = list;
    expect(blocked?.action).toBe('seats_blocked');
    expect(ended).toMatchObject({
      action: 'seat_released',
      actor_id: idOf('tester'),
      changes: { scenario: 'admin_override', user_id: idOf('ann') },
    });
  });
});

describe('the list of refusals', () => {
  it('has what buyers ran into, outside the chain', async () => {
    const { eventId, seats, zones } = await show({ config: aHybridHall() });
    await buyer('ann').reserve(eventId, seats[0] ?? '');
    const bob = buyer('bob');
    await bob.reserve(eventId, seats[0] ?? '');
    await bob.hold(eventId, [{ seat_id: seats[0] }, { zone_id: zones[1], quantity: 6 }]);
    await bob.hold(eventId, [{ zone_id: zones[1], quantity: 6 }]);
    const rows = await eventually(async () => {
      const found = await database.asSuperuser(
        `select action, code, user_id, seat_ids, times from refusal_log where event_id = $1
         order by at, code desc`,
        [eventId],
      );
      return found.length === 3 ? found : null;
    });
    const about = { action: 'seat_reserve_failed', user_id: idOf('bob'), times: 1 };
    const taken = { ...about, code: 'seat_held_by_another_user', seat_ids: [seats[0]] };
    expect(rows).toEqual([taken, taken, { ...about, code: 'block_at_capacity', seat_ids: [] }]);
    const { list } = await ask(`GET /api/admin/audit?event_id=${eventId}`);
    expect(list).toHaveLength(1);
  });
});
