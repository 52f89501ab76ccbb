import { newId } from '@voelgoed/testkit/builders';
import { useDemoDatabase } from '@voelgoed/testkit/demos';
import { eventually } from '@voelgoed/testkit/eventually';
import { call, useNode } from '@voelgoed/testkit/servers';
import { describe, expect, it } from 'vitest';

const database = useDemoDatabase();
const node = useNode(database, { DEMO: '1' });

async function eventId(slug: string): Promise<string> {
  const { list } = await call(node().address, 'GET /api/organizations/demo/events');
  return String(list.find((event) => event.slug === slug)?.event_id);
}

const begin = (event_id: string, buyers: number) =>
  call(node().address, 'POST /api/demo/on-sale', { body: { event_id, buyers } });
const look = async (event_id: string) =>
  (await call(node().address, `GET /api/demo/on-sale/${event_id}`)).data;

describe('a simulated sale', () => {
  it('holds and sells through the API', async () => {
    const event_id = await eventId('festival');
    const begun = await begin(event_id, 12);
    expect(begun.status).toBe(202);
    expect(begun.data).toMatchObject({ running: true, buyers: 12 });
    const sold = async () => Number((await look(event_id)).sold) > 0;
    await eventually(sold, { within_ms: 18_000 });
    const { data } = await call(node().address, `GET /api/events/${event_id}/occupancy`);
    expect(data.sold).toBeGreaterThan(0);
    const tickets = await database.asSuperuser('select 1 from tickets', []);
    expect(tickets.length).toBeGreaterThan(0);
  });

  it('runs once per event, and stops when told so', async () => {
    const event_id = await eventId('theatre');
    await begin(event_id, 500);
    expect((await begin(event_id, 20)).data).toMatchObject({ running: true, buyers: 500 });
    await begin(event_id, 0);
    const stopped = async () => (await look(event_id)).running === false;
    await eventually(stopped, { within_ms: 5_000 });
    expect((await look(event_id)).finished).toBeLessThan(500);
  });

  it('is for events of the demo alone, and for so many buyers', async () => {
    expect((await begin(newId(), 5)).body.error).toBe('event_not_found');
    expect((await begin(await eventId('theatre'), 501)).body.error).toBe('invalid_request');
  });
});
