import { anActiveLayout, newId } from '@voelgoed/testkit/builders';
import { useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { ask, database, draftEvent, engine, scope } = useShows();

describe('where an event takes place', () => {
  it('has the time zone of its venue, else of its layout’s, else its organization’s', async () => {
    const id = await draftEvent();
    const one = async () => (await ask(`GET /api/admin/events/${id}`)).data;
    const listed = async () => {
      const { list } = await ask('GET /api/admin/events?limit=500');
      return list.find(({ event_id }) => event_id === id);
    };
    expect(await one()).toMatchObject({ timezone: 'Africa/Johannesburg', venue: null });
    const layout = await anActiveLayout(engine(), scope());
    await database.asSuperuser(
      `update venues set timezone = 'Asia/Tokyo', address = '1 Chome' where venue_id =
       (select venue_id from layouts where layout_id = $1 limit 1)`,
      [layout.layout_id],
    );
    await ask(`PUT /api/admin/events/${id}/layout`, { body: { layout_id: layout.layout_id } });
    const venue = { name: 'Hall', timezone: 'Asia/Tokyo', address: '1 Chome' };
    expect(await one()).toMatchObject({ timezone: 'Asia/Tokyo', venue });
    expect(await listed()).toMatchObject({ timezone: 'Asia/Tokyo', venue });
    const body = { slug: `old-vic-${newId()}`, name: 'Old Vic', timezone: 'Europe/London' };
    const made = await ask('POST /api/admin/venues', { body });
    const other = await draftEvent({ venue_id: made.data.venue_id });
    expect((await ask(`GET /api/admin/events/${other}`)).data).toMatchObject({
      timezone: 'Europe/London',
      venue: { name: 'Old Vic', timezone: 'Europe/London', address: null },
    });
  });
});
