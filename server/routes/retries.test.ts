import { newId } from '@voelgoed/testkit/builders';
import { useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { ask, database, draftEvent, engine, scope } = useShows();

/** A draft that lacks nothing. */
async function aReadyDraft(): Promise<{ eventId: string; zone_id: string }> {
  const eventId = await draftEvent();
  const zones = [{ name: 'Floor', zone_type: 'ga_standing', capacity: 10 }];
  const layout = await ask(`PUT /api/admin/events/${eventId}/layout`, { body: { zones } });
  expect(layout.status).toBe(200);
  const [chosen] = await database.asSuperuser(
    `select zones -> 0 ->> 'zone_id' as zone_id from event_layouts where event_id = $1`,
    [eventId],
  );
  return { eventId, zone_id: String(chosen?.zone_id) };
}

describe('a retry with its key, after the event went on sale', () => {
  it('gets the first answer: prices, then publishing itself', async () => {
    const { eventId, zone_id } = await aReadyDraft();
    const headers = { 'idempotency-key': newId() };
    const set = (price_cents: number, more: object) =>
      ask(`PUT /api/admin/events/${eventId}/prices`, {
        body: { prices: [{ zone_id, price_cents }] },
        ...more,
      });
    expect((await set(100, { headers })).status).toBe(200);
    const publish = { headers: { 'idempotency-key': newId() }, body: {} };
    const route = `POST /api/admin/events/${eventId}/publish`;
    const first = await ask(route, publish);
    expect(first.status).toBe(200);
    const again = await ask(route, publish);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(again.data).toEqual(first.data);
    expect((await set(200, {})).status).toBe(200);
    const late = await set(100, { headers });
    expect([late.status, late.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    const board = await engine().registry.board({ scope: scope(), eventId });
    expect(board?.config.zones).toMatchObject([{ price_cents: 200 }]);
  });
});
