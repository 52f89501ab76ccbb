import { call, type Reply } from '@voelgoed/testkit/servers';
import { useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { buyer, node, show } = useShows();

const PLAIN = { 'accept-encoding': 'identity' };

describe.each(['availability', 'occupancy'])('asking for %s again', (what) => {
  const read = (eventId: string, headers: Record<string, string> = PLAIN): Promise<Reply> =>
    call(node().address, `GET /api/events/${eventId}/${what}`, { headers });

  it('costs nothing while nothing changes, and is news when something does', async () => {
    const { eventId, seats } = await show();
    const first = await read(eventId);
    const etag = first.headers.get('etag') ?? '';
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    expect((await read(eventId, { 'if-none-match': etag })).status).toBe(304);
    expect((await read(eventId, { 'if-none-match': `W/${etag}` })).status).toBe(304);
    const ann = buyer();
    await ann.reserve(eventId, seats[0] ?? '');
    const second = await read(eventId, { 'if-none-match': etag });
    expect(second.status).toBe(200);
    expect(second.headers.get('etag')).not.toBe(etag);
    await ann.ask(`DELETE /api/events/${eventId}/holds`);
    const third = await read(eventId, { 'if-none-match': String(second.headers.get('etag')) });
    expect(third.status).toBe(200);
  });
});

describe('availability of a large hall', () => {
  const seats = Array.from({ length: 4_000 }, (_, index) => {
    const [row, number] = [`R${Math.floor(index / 100)}`, (index % 100) + 1];
    const coordinates = { x: number * 10, y: Math.floor(index / 100) * 12 };
    return { label: `${row}-${number}`, row, number, coordinates };
  });
  const config = { seat_size: 9, zones: [{ name: 'All', zone_type: 'reserved_seating', seats }] };

  it('is compressed for whoever can read that, and says the same', async () => {
    const { eventId } = await show({ config });
    const route = `GET /api/events/${eventId}/availability`;
    const [gzip, plain, none] = await Promise.all(
      ['gzip, br', 'identity', 'gzip;q=0'].map((accept) =>
        call(node().address, route, { headers: { 'accept-encoding': accept } }),
      ),
    );
    expect(gzip?.headers.get('content-encoding')).toBe('gzip');
    expect(Number(gzip?.headers.get('content-length'))).toBeLessThan(400);
    expect(plain?.headers.get('content-encoding')).toBeNull();
    expect(none?.headers.get('content-encoding')).toBeNull();
    expect(gzip?.headers.get('vary')).toBe('accept-encoding');
    expect(gzip?.body).toEqual(plain?.body);
    expect(plain?.body).toEqual(none?.body);
  });
});
