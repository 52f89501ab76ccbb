import { systemClock } from '@voelgoed/engine/kit';
import { withClient } from '@voelgoed/engine/postgres';
import { eventually } from '@voelgoed/testkit/eventually';
import { call, startTestNode } from '@voelgoed/testkit/servers';
import { useShows } from '@voelgoed/testkit/shows';
import { Viewer } from '@voelgoed/testkit/viewers';
import { afterEach, describe, expect, it } from 'vitest';

/** Holds last two seconds. */
const shows = useShows({ DEMO: '1', DEMO_HOLD_TTL_SECONDS: '2' });
const { buyer, database, node, show } = shows;
const undo: (() => unknown)[] = [];

afterEach(async () => {
  await Promise.all(undo.splice(0).map((step) => step()));
});

function view(eventId: string, token?: string): Viewer {
  const path = `/api/events/${eventId}/stream`;
  const viewer = new Viewer({ address: () => node().address, path, ...(token ? { token } : {}) });
  undo.push(() => viewer.close());
  return viewer;
}

/** Since the hold's time was over, when it is shown free. */
async function freeAfter(viewer: Viewer, held: { data: Record<string, unknown> }): Promise<number> {
  await eventually(() => viewer.map.stateOf(0) === 1);
  await eventually(() => viewer.map.stateOf(0) === 0, { within_ms: 8_000 });
  return systemClock.now() - Date.parse(String(held.data.held_until));
}

describe('a hold whose time is over, on the stream', () => {
  it('is free within two seconds, is swept, and its holder is told why', async () => {
    const { eventId, seats } = await show();
    const ann = buyer();
    const [nobody, own] = [view(eventId), view(eventId, ann.token)];
    for (const viewer of [nobody, own]) await eventually(() => viewer.of('snapshot')[0]);
    const held = await ann.reserve(eventId, seats[0] ?? '');
    expect(await freeAfter(nobody, held)).toBeLessThan(2_000);
    await eventually(() => nobody.map.revision === 3);
    const { hold_id } = held.data;
    const last = await eventually(() => own.of('own').find(({ ended }) => String(ended) !== ''));
    expect(last).toMatchObject({ holds: [], ended: [{ hold_id, reason: 'ttl_expired' }] });
    expect(nobody.text).not.toContain(String(hold_id));
    for (const { mistakes, connections } of [nobody, own]) {
      expect([mistakes, connections]).toEqual([[], 1]);
    }
  });

  it('is free within two seconds also when the node that sold it has gone', async () => {
    const { eventId, seats } = await show();
    const viewer = view(eventId);
    await eventually(() => viewer.of('snapshot')[0]);
    const other = await startTestNode(database, { DEMO: '1', DEMO_HOLD_TTL_SECONDS: '2' });
    const route = `POST /api/events/${eventId}/seats/${seats[0]}/reserve`;
    const held = await call(other.address, route, { token: buyer().token });
    expect(held.status).toBe(201);
    await Promise.all([
      other.stop(),
      freeAfter(viewer, held).then((time_ms) => {
        expect(time_ms).toBeLessThan(2_000);
      }),
    ]);
  });

  it('is free within two seconds also while nobody can sweep', async () => {
    const { eventId, seats } = await show();
    const viewer = view(eventId);
    await eventually(() => viewer.of('snapshot')[0]);
    const held = await buyer().reserve(eventId, seats[0] ?? '');
    const late = view(eventId);
    await withClient(database.superuserUrl, async (client) => {
      await client.query('begin');
      await client.query('select from event_boards where event_id = $1 for update', [eventId]);
      expect(await freeAfter(viewer, held)).toBeLessThan(2_000);
      // Nothing was committed: what is shown is what time has done.
      expect(viewer.map.revision).toBe(2);
      // Who comes back, and had seen it held or not, sees the same.
      for (const one of [viewer, late]) one.cut();
      await eventually(() => viewer.connections === 2 && late.connections === 2);
      await eventually(() => [viewer, late].every(({ map }) => map.stateOf(0) === 0));
      expect([viewer.map.revision, late.map.revision]).toEqual([2, 2]);
      await client.query('rollback');
    });
    for (const one of [viewer, late]) {
      await eventually(() => one.map.revision === 3);
      expect(one.map.stateOf(0)).toBe(0);
    }
    expect(viewer.mistakes).toEqual([]);
  });
});
