import { aHall, anActiveLayout, newId } from '@voelgoed/testkit/builders';
import { eventually } from '@voelgoed/testkit/eventually';
import { aHybridHall, useShows } from '@voelgoed/testkit/shows';
import { Viewer } from '@voelgoed/testkit/viewers';
import { afterEach, describe, expect, it } from 'vitest';

const shows = useShows({ STREAMS_PER_ADDRESS: '30' });
const { ask, engine, node, open, scope, show } = shows;
const viewers: Viewer[] = [];

afterEach(async () => {
  await Promise.all(viewers.splice(0).map((viewer) => viewer.close()));
});

function view(eventId: string): Viewer {
  const path = `/api/events/${eventId}/stream`;
  const viewer = new Viewer({ address: () => node().address, path });
  viewers.push(viewer);
  return viewer;
}

describe('once a change of the plan is answered', () => {
  it('both routes and the stream show the new one, in 1,000 reads', async () => {
    const layout = await anActiveLayout(engine(), scope());
    const { eventId } = await show({ layout });
    const { layout_id } = layout;
    const viewer = view(eventId);
    await eventually(() => viewer.of('snapshot').at(-1));
    let reads = 0;
    for (const [round, rows] of [1, 3].entries()) {
      const layout_version = round + 2;
      await ask('POST /api/admin/layouts', { body: { layout_id, config: aHall({ rows }) } });
      await ask(`POST /api/admin/layouts/${layout_id}/activate`, { body: {} });
      const route = `POST /api/admin/events/${eventId}/layout/migrate`;
      expect((await ask(route, { body: { layout_id } })).data).toMatchObject({ done: true });
      const late = view(eventId);
      for (let burst = 0; burst < 50; burst++) {
        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            open(`GET /api/events/${eventId}/${index % 2 === 0 ? 'seatmap' : 'availability'}`),
          ),
        );
        reads += answers.length;
        for (const { data } of answers) {
          expect(data.layout_version).toBe(layout_version);
          const bytes = Buffer.from(String(data.seats), 'base64').length;
          const count = Array.isArray(data.seats) ? data.seats.length / 10 : bytes / 2.5;
          expect(Math.floor(count)).toBe(rows);
        }
      }
      const first = await eventually(() => late.of('snapshot')[0]);
      expect(first).toMatchObject({ layout_version });
      await eventually(() => viewer.of('layout').at(-1)?.layout_version === layout_version);
    }
    expect(reads).toBe(1_000);
    expect(viewer.mistakes).toEqual([]);
  });

  it('so do changes of what the event does differently, at the same version', async () => {
    const pit = newId();
    const layout = await anActiveLayout(engine(), scope(), aHybridHall({ pit: { zone_id: pit } }));
    const { eventId } = await show({ layout });
    const put = (overrides: object) =>
      ask(`PUT /api/admin/events/${eventId}/layout`, {
        body: { layout_id: layout.layout_id, overrides },
      });
    const viewer = view(eventId);
    const first = await eventually(() => viewer.of('snapshot').at(-1));
    let reads = 0;
    for (let capacity = 6; capacity < 26; capacity++) {
      const name = `Pit for ${capacity}`;
      expect((await put({ zone_overrides: { [pit]: { capacity, name } } })).status).toBe(200);
      for (let burst = 0; burst < 5; burst++) {
        const [map, there, event] = await Promise.all([
          open(`GET /api/events/${eventId}/seatmap`),
          open(`GET /api/events/${eventId}/availability`),
          open(`GET /api/events/${eventId}`),
        ]);
        reads += 2;
        expect(map.data.zones).toMatchObject([{}, { capacity, name }]);
        expect(there.data.zones).toMatchObject([{}, { capacity, available: capacity }]);
        expect(event.data.zones).toMatchObject([{}, { capacity, name }]);
      }
    }
    expect(reads).toBe(200);
    // A map that is open is told to fetch another drawing of the same version.
    const told = await eventually(() => viewer.of('layout').at(-1));
    expect(told).toMatchObject({ layout_version: 1 });
    expect(told.drawing_id).not.toBe(first.drawing_id);
    await eventually(async () => {
      const map = await open(`GET /api/events/${eventId}/seatmap`);
      return viewer.of('snapshot').at(-1)?.drawing_id === map.data.drawing_id;
    });
  });
});
