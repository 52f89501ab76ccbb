import { describe, expect, it } from 'vitest';
import { call, useNode } from '#servers';
import { useDemoDatabase } from './demos.ts';

const clones = [useDemoDatabase(), useDemoDatabase()];
const nodes = clones.map((database) => useNode(database, { DEMO: '1' }));

async function session(address: string, role: string): Promise<string> {
  const body = { role, user: 'Ann' };
  return String((await call(address, 'POST /api/demo/sessions', { body })).data.token);
}

describe('two clones of the demo', () => {
  it('have the same events, and each a Redis that agrees with it', async () => {
    const [one = '', other = ''] = nodes.map((node) => node().address);
    const { list } = await call(one, 'GET /api/organizations/demo/events');
    const eventId = String(list.find(({ slug }) => slug === 'theatre')?.event_id);
    const map = await call(other, `GET /api/events/${eventId}/seatmap`);
    const [seat] = map.data.seats as { seat_id: string }[];
    const hold = `POST /api/events/${eventId}/seats/${seat?.seat_id}/reserve`;
    for (const address of [one, other]) {
      const held = await call(address, hold, { token: await session(address, 'customer') });
      expect(held.status).toBe(201);
    }
    for (const address of [one, other]) {
      const token = await session(address, 'owner');
      const status = await call(address, `GET /api/admin/registry?event_id=${eventId}`, { token });
      expect(status.data).toMatchObject({ status: 'ok', redis: { count: 1 } });
    }
  });
});
