import { searchTickets } from '@voelgoed/engine/tickets';
import { useShows } from '@voelgoed/testkit/shows';
import { expect, it } from 'vitest';

const { ask, database, scope, show } = useShows();

const ROWS = 200;
const hall = {
  seat_size: 9,
  zones: [
    {
      name: 'Stalls',
      zone_type: 'reserved_seating',
      seats: Array.from({ length: ROWS * 10 }, (_, index) => {
        const [row, number] = [`${Math.floor(index / 10) + 1}`, (index % 10) + 1];
        return {
          label: `${row}-${number}`,
          row,
          number,
          coordinates: { x: number * 10, y: index },
        };
      }),
    },
  ],
};

/** Rows that a plan reads and throws away, all loops together. */
const thrownAway = (plan: string) =>
  [
    ...plan.matchAll(
      /actual rows=[\d.]+ loops=(\d+)\)(?:\n(?!.*actual).*)*?Rows Removed by [A-Z]\w+(?: \w+)?: (\d+)/g,
    ),
  ]
    .map(([, loops, rows]) => Number(loops) * Number(rows))
    .reduce((sum, rows) => sum + rows, 0);

it('a search after a great sale reads what it needs, before Postgres knows the tables', async () => {
  const { eventId, seats } = await show({ config: hall });
  for (const from of [0, 400]) {
    const items = seats.slice(from, from + 400).map((seat_id) => ({ seat_id }));
    const body = { items, for: 'A group' };
    const held = await ask(`POST /api/admin/events/${eventId}/holds`, { body });
    const hold_ids = (held.data.holds as { hold_id: string }[]).map(({ hold_id }) => hold_id);
    const sale = { hold_ids, method: 'cash' };
    expect((await ask(`POST /api/admin/events/${eventId}/sell`, { body: sale })).status).toBe(201);
  }
  const { organizationId } = scope();
  for (const event of [eventId, null]) {
    const { text, values } = searchTickets(organizationId, null, null, [], '7-3', event, 21, []);
    const lines = await database.asSuperuser(`explain (analyze, timing off) ${text}`, [...values]);
    const whole = lines.map((line) => Object.values(line)[0]).join('\n');
    expect(thrownAway(whole), whole).toBeLessThan(10_000);
  }
  const { data } = await ask(`GET /api/admin/search?q=7-3&event_id=${eventId}`);
  expect(data.tickets).toMatchObject([{ seat: { label: '7-3' } }]);
});
