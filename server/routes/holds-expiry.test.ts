import { eventually } from '@voelgoed/testkit/eventually';
import { useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

/** Hold time, extension and cap in seconds: 1, 1 and 3. */
const { ask, buyer, database, open, show } = useShows({ DEMO: '1', DEMO_HOLD_TTL_SECONDS: '1' });

const STATES = `select h.status, h.end_reason, e.status as seat, e.seat_hold_id from seat_holds h
  join event_seats e on e.event_id = h.event_id and e.seat_id = h.seat_id
  where h.event_id = $1 order by h.created_at`;

describe('a hold whose time is over', () => {
  it('can be taken at once, is shown free, and ends as expired', async () => {
    const { eventId, seats } = await show();
    const seat = seats[0] ?? '';
    const ann = buyer();
    const first = await ann.reserve(eventId, seat);
    expect(first.data).toMatchObject({ expires_in_seconds: 1 });
    const bob = buyer();
    expect((await bob.reserve(eventId, seat)).body.error).toBe('seat_held_by_another_user');
    const until = Date.parse(String(first.data.held_until));
    const taken = await eventually(
      async () => {
        const reply = await bob.reserve(eventId, seat);
        return reply.status === 201 ? reply : null;
      },
      { within_ms: 2_500 },
    );
    // Not a moment before its time, and not long after it.
    const at = Date.parse(String(taken.data.server_time));
    expect(at).toBeGreaterThanOrEqual(until);
    expect(at).toBeLessThan(until + 1_000);
    const [mine, his] = await database.asSuperuser(STATES, [eventId]);
    expect(mine).toMatchObject({ status: 'expired', end_reason: 'ttl_expired' });
    expect(his).toMatchObject({ status: 'active', seat: 'held', seat_hold_id: taken.data.hold_id });
    const gone = await ann.ask(`POST /api/holds/${first.data.hold_id}/extend`);
    expect([gone.status, gone.body.error]).toEqual([410, 'hold_expired']);
  });

  it('is shown free within 2 seconds when nobody asks for it, by the sweep', async () => {
    const { eventId, seats } = await show();
    await buyer().reserve(eventId, seats[0] ?? '');
    await eventually(
      async () => {
        const [row] = await database.asSuperuser(STATES, [eventId]);
        return row?.status === 'expired' && row.seat === 'available';
      },
      { within_ms: 4_000 },
    );
    const trail = await ask(`GET /api/admin/audit?event_id=${eventId}`);
    expect(trail.list.map(({ action }) => action)).toEqual(['seat_hold_expired', 'seat_reserved']);
    expect(trail.list[0]?.changes).toMatchObject({
      scenario: 'ttl_expiration',
      reason: 'ttl_expired',
      seat_id: seats[0],
    });
    const verdict = await ask(`GET /api/admin/audit/verify?event_id=${eventId}`);
    expect(verdict.data).toMatchObject({ ok: true, rows: 2 });
    const { data } = await open(`GET /api/events/${eventId}/seats/${seats[0]}`);
    expect(data).toMatchObject({ status: 'available', mine: false });
  });

  it('is made longer up to the cap, then not any more', async () => {
    const { eventId, seats } = await show();
    const ann = buyer();
    const held = await ann.reserve(eventId, seats[0] ?? '');
    const route = `POST /api/holds/${held.data.hold_id}/extend`;
    const start = Date.parse(String(held.data.server_time));
    for (const seconds of [2, 3]) {
      const longer = await ann.ask(route);
      expect(Date.parse(String(longer.data.held_until)) - start).toBe(seconds * 1_000);
    }
    const refused = await ann.ask(route);
    expect([refused.status, refused.body.error]).toEqual([409, 'extension_limit_reached']);
  });
});
