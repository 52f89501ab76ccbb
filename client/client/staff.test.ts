import { startProxy } from '@voelgoed/faults/proxy';
import { eventually } from '@voelgoed/testkit/eventually';
import { tokenFor } from '@voelgoed/testkit/servers';
import { useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';
import { createClient, type LayoutConfig, type NextAfter, wholeList } from './client.ts';

const shows = useShows();
const { buyer, node, scope, show } = shows;

const aClient = (address = node().address) =>
  createClient({ address, token: tokenFor(scope().organizationId) });

describe('staff who follow an event', () => {
  it('are told every row once and in order, also those of while they were away', async () => {
    const { eventId, seats } = await show();
    const { hostname, port } = new URL(node().address);
    const proxy = await startProxy({ upstream: { host: hostname, port: Number(port) } });
    const revisions: number[] = [];
    const kinds: string[] = [];
    const following = aClient(proxy.through(node().address)).boxOffice.follow(eventId, (event) => {
      if (event.kind !== 'log') return;
      revisions.push(...event.rows.map(({ revision }) => revision));
      kinds.push(...event.rows.flatMap(({ changes }) => changes.map(({ kind }) => kind)));
    });
    await eventually(() => following.status === 'live');
    const first = following.map.revision;
    const ann = buyer();
    await ann.reserve(eventId, seats[0] ?? '');
    await eventually(() => kinds.length === 1);
    proxy.refuse();
    proxy.cutAll();
    await ann.ask(`DELETE /api/events/${eventId}/holds`);
    await ann.reserve(eventId, seats[2] ?? '');
    await proxy.accept();
    await eventually(() => kinds.length === 3);
    await aClient().boxOffice.block(eventId, { seat_ids: [seats[9] ?? ''], reason: 'broken' });
    await eventually(() => kinds.length === 4);
    expect(revisions).toEqual([1, 2, 3, 4].map((step) => first + step));
    expect(kinds).toEqual(['seat_held', 'seat_released', 'seat_held', 'seat_blocked']);
    following.close();
    await proxy.close();
  });

  it('see another drawing when the layout is another one', async () => {
    const client = aClient();
    const venue = await client.venues.create({ slug: 'hall', name: 'Hall' });
    const plan = (seats: number): LayoutConfig => ({
      seat_size: 9,
      zones: [
        {
          name: 'Stalls',
          zone_type: 'reserved_seating',
          seats: Array.from({ length: seats }, (_, index) => ({
            label: `A-${index + 1}`,
            row: 'A',
            number: index + 1,
            coordinates: { x: index * 10, y: 0 },
          })),
        },
      ],
    });
    const { layout_id } = await client.layouts.create({
      venue_id: venue.venue_id,
      name: 'Hall',
      config: plan(4),
    });
    await client.layouts.activate(layout_id);
    const { event_id } = await client.planning.create({
      slug: 'evening',
      name: 'Evening',
      venue_id: venue.venue_id,
      starts_at: '2099-01-01T18:00:00Z',
      ends_at: '2099-01-01T21:00:00Z',
    });
    await client.planning.setLayout(event_id, { layout_id });
    const { zones } = await client.layouts.config(layout_id);
    const prices = zones.map(({ zone_id }) => ({ zone_id: zone_id ?? '', price_cents: 10_000 }));
    await client.planning.setPrices(event_id, { prices });
    await client.planning.publish(event_id);
    const following = client.events.follow(event_id, () => {});
    await eventually(() => following.drawing?.seats.length === 4);
    await client.layouts.create({ layout_id, config: plan(6) });
    await client.layouts.activate(layout_id);
    const report = await client.planning.migrate(event_id, { layout_id });
    expect(report).toMatchObject({ done: true });
    await eventually(() => following.drawing?.seats.length === 6);
    expect(following.map.layoutVersion).toBe(2);
    following.close();
  });
});

describe('staff who read a list', () => {
  it('have an array that says how it goes on, and all of it with wholeList', async () => {
    const { eventId, seats } = await show();
    for (const seat of seats.slice(0, 3)) await buyer().reserve(eventId, seat);
    const { boxOffice } = aClient();
    const all = await boxOffice.holds(eventId);
    expect(all.length).toBe(3);
    expect(all.next).toBeUndefined();
    const page = await boxOffice.holds(eventId, { limit: 2 });
    const names = (list: readonly { hold_id: string }[]) => list.map(({ hold_id }) => hold_id);
    expect(names(page)).toEqual(names(all).slice(0, 2));
    expect(page.next).toEqual({ after: page[1]?.hold_id });
    const rest = await boxOffice.holds(eventId, { ...page.next, limit: 2 });
    expect(names([...page, ...rest])).toEqual(names(all));
    let pages = 0;
    const whole = await wholeList((next: NextAfter | undefined) => {
      pages++;
      return boxOffice.holds(eventId, { ...next, limit: 1 });
    });
    expect([names(whole), pages]).toEqual([names(all), 3]);
    const everywhere = await boxOffice.allHolds({ event_id: eventId });
    expect(names(everywhere)).toEqual(names(all).reverse());
  });
});
