import { newId } from '@voelgoed/testkit/builders';
import { aHybridHall, useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

/** What the fuzzer has found, kept as the shortest request that showed it. */
const { ask, node, show } = useShows();

describe('once found by the fuzzer (seed 16)', () => {
  it('staff name more people than places: refused, not a hold of nothing', async () => {
    const { eventId, zones } = await show({ config: aHybridHall() });
    const items = [{ zone_id: zones[1], quantity: 1, for_user_ids: [newId(), newId()] }];
    const route = `POST /api/admin/events/${eventId}/holds`;
    const reply = await ask(route, { body: { items, for: 'Ann' } });
    expect([reply.status, reply.body.error]).toEqual([400, 'invalid_request']);
  });

  it('a zone with two prices when the layout is replaced or migrated', async () => {
    const { eventId, zones } = await show({ config: aHybridHall() });
    const detail = await ask(`GET /api/admin/events/${eventId}`);
    const layout_id = /"layout_id":"([^"]+)"/.exec(JSON.stringify(detail.body))?.[1];
    const prices = zones.map((zone_id) => ({ zone_id, price_cents: 5 }));
    const route = `/api/admin/events/${eventId}/layout`;
    const loud = { zone_id: zones[0]?.toUpperCase(), price_cents: 5 };
    for (const again of [prices[0], loud]) {
      const body = { layout_id, prices: [...prices, again] };
      for (const one of [`POST ${route}/migrate`, `PUT ${route}`]) {
        const reply = await ask(one, { body });
        expect([reply.status, reply.body.error]).toEqual([400, 'invalid_request']);
      }
    }
    const body = { layout_id, prices };
    const good = await ask(`POST /api/admin/events/${eventId}/layout/migrate`, { body });
    expect(good.status).toBe(200);
  });

  it('a path that fits no parameter has the headers of every answer', async () => {
    const reply = await fetch(`${node().address}/api/holds/${'9'.repeat(300)}/extend`, {
      method: 'POST',
    });
    expect(reply.status).toBe(400);
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    const { request_id } = (await reply.json()) as { request_id: string };
    expect(reply.headers.get('x-request-id')).toBe(request_id);
  });

  it('the description is made once, and not sent again to who has it', async () => {
    const first = await fetch(`${node().address}/openapi.json`);
    await first.text();
    const etag = first.headers.get('etag') ?? '';
    const again = await fetch(`${node().address}/openapi.json`, {
      headers: { 'if-none-match': etag },
    });
    expect([etag.length > 10, again.status]).toEqual([true, 304]);
    expect((await fetch(`${node().address}/docs/openapi.yaml`)).status).toBe(404);
  });
});
