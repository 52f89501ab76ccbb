import { eventually } from '@voelgoed/testkit/eventually';
import { useCluster, useRedis } from '@voelgoed/testkit/redises';
import { useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const TIERS: readonly (readonly [string, () => () => string | null])[] = [
  ['no Redis', () => () => null],
  [
    'a Redis',
    () => {
      const redis = useRedis();
      return () => redis().url;
    },
  ],
  [
    'a cluster of three masters',
    () => {
      const cluster = useCluster();
      return () => cluster().url;
    },
  ],
];

/** Whatever there is besides Postgres, buyers get the same answers. */
describe.each(TIERS)('holds with %s', (_, use) => {
  const redisOf = use();
  const shows = useShows({}, redisOf);

  it('are taken once, kept, made longer and given back', async () => {
    const { eventId, seats, zones } = await shows.show();
    const [seat = '', other = ''] = seats;
    const [ann, ben] = [shows.buyer('Ann'), shows.buyer('Ben')];
    const held = await ann.reserve(eventId, seat);
    expect(held.status).toBe(201);
    expect((await ann.reserve(eventId, seat)).data).toMatchObject({ existing: true });
    const refused = await ben.reserve(eventId, seat);
    expect(refused).toMatchObject({ status: 409, body: { error: 'seat_held_by_another_user' } });
    const both = await ben.hold(eventId, [{ seat_id: other }, { seat_id: seat }]);
    expect(both.status).toBe(409);
    expect((await ann.ask(`POST /api/holds/${held.data.hold_id}/extend`)).status).toBe(200);
    expect((await ann.ask(`DELETE /api/holds/${held.data.hold_id}`)).status).toBe(200);
    expect((await ben.hold(eventId, [{ seat_id: other }, { seat_id: seat }])).status).toBe(201);
    const { data } = await shows.open(`GET /api/events/${eventId}/occupancy`);
    expect(data).toMatchObject({ held: 2 });
    expect(zones.length).toBeGreaterThan(0);
  });

  it('of one seat go to one of many', async () => {
    const { eventId, seats } = await shows.show();
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        shows.buyer(`buyer ${index}`).reserve(eventId, seats[0] ?? ''),
      ),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(49);
    const status = `GET /api/admin/registry?event_id=${eventId}`;
    await eventually(async () => (await shows.ask(status)).data.consistent);
  });
});
