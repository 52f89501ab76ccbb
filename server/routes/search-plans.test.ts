import { systemClock } from '@voelgoed/engine/kit';
import { withClient } from '@voelgoed/engine/postgres';
import { scanTickets, searchTickets } from '@voelgoed/engine/tickets';
import { searchBoxOffice } from '@voelgoed/engine/workflows';
import { newId } from '@voelgoed/testkit/builders';
import { useShows } from '@voelgoed/testkit/shows';
import { beforeEach, describe, expect, it } from 'vitest';

const { ask, buyer, database, engine, scope, sellTo, show } = useShows();

/** Each section has ten rows of ten seats. */
const SECTIONS = 40;
/** Of 8 KB: a plan that goes through all tickets for each seat looks at thousands or millions. */
const FEW_PAGES = 1_000;

const hall = {
  seat_size: 9,
  zones: [
    {
      name: 'Stalls',
      zone_type: 'reserved_seating',
      seats: Array.from({ length: SECTIONS * 100 }, (_, index) => {
        const section = `${Math.floor(index / 100) + 1}`;
        const row = `${(Math.floor(index / 10) % 10) + 1}`;
        const number = (index % 10) + 1;
        const coordinates = { x: number * 10, y: index };
        return { label: `${section}-${row}-${number}`, section, row, number, coordinates };
      }),
    },
  ],
};

/** A ticket for each seat of the hall, like the one that was sold. */
const ALL_SOLD = `insert into tickets select (jsonb_populate_record(t, jsonb_build_object(
     'ticket_id', gen_random_uuid(), 'seat_id', s.seat_id,
     'code', 'AAAA-BBBB-' || lpad(upper(to_hex(s.ordinal)), 4, '0')))).*
   from tickets t join event_layouts l using (organization_id, event_id)
   join seats s on s.layout_id = l.layout_id and s.version = l.layout_version
     and s.seat_id <> t.seat_id where t.event_id = $1`;

/** Pages that a plan looks at, whether they were in memory or not. */
function pagesOf(plan: string): number {
  const [, hit = '0', read = '0'] =
    /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(plan) ?? [];
  return Number(hit) + Number(read);
}

describe('a search after a sale reads what it needs, before Postgres knows the tables', () => {
  let eventId: string;

  beforeEach(async () => {
    await database.asSuperuser('alter table tickets set (autovacuum_enabled = false)');
    await database.asSuperuser('alter table seats set (autovacuum_enabled = false)');
    const planned = await show({ config: hall });
    eventId = planned.eventId;
    const items = [{ seat_id: planned.seats[0] }];
    const body = { items, for: 'A group' };
    const held = await ask(`POST /api/admin/events/${eventId}/holds`, { body });
    const hold_ids = (held.data.holds as { hold_id: string }[]).map(({ hold_id }) => hold_id);
    const sale = { hold_ids, method: 'cash' };
    expect((await ask(`POST /api/admin/events/${eventId}/sell`, { body: sale })).status).toBe(201);
    await database.asSuperuser(ALL_SOLD, [eventId]);
  });

  const explained = async ({ text, values }: { text: string; values: readonly unknown[] }) => {
    const explain = `explain (analyze, buffers, timing off) ${text}`;
    const lines = await database.asSuperuser(explain, [...values]);
    return lines.map((line) => Object.values(line)[0]).join('\n');
  };
  const organization = () => scope().organizationId;

  it('for the label of a seat', async () => {
    for (const event of [eventId, null]) {
      const search = searchTickets(organization(), null, null, [], '2-7-3', event, 21, []);
      const plan = await explained(search);
      expect(pagesOf(plan), plan).toBeLessThan(FEW_PAGES);
    }
  });

  it('for row and number of a seat', async () => {
    const plan = await explained(scanTickets(organization(), eventId, null, '7', 3, 21));
    expect(pagesOf(plan), plan).toBeLessThan(FEW_PAGES);
  });

  it('and finds the tickets', async () => {
    const found = async (words: string) => {
      const query = `q=${encodeURIComponent(words)}&event_id=${eventId}`;
      const { data } = await ask(`GET /api/admin/search?${query}`);
      const tickets = data.tickets as { seat: { label: string } }[];
      return [tickets.map(({ seat }) => seat.label.replace(/^\d+/, 'N')), data.is_cut];
    };
    expect(await found('2-7-3')).toEqual([['N-7-3'], false]);
    expect(await found('row 7 3')).toEqual([Array(20).fill('N-7-3'), true]);
  });
});

describe('a search that has no time left', () => {
  const hold = async (name: string) => {
    const { eventId, seats } = await show();
    const body = { items: [{ seat_id: seats[0] }], for: name, caller_id: newId() };
    await ask(`POST /api/admin/events/${eventId}/holds`, { body });
    return { eventId, seats };
  };

  it('says so, and names the people found, when tickets do not come', async () => {
    const { eventId, seats } = await hold('Mev. Smit');
    const [ticket] = await sellTo(buyer(), eventId, [{ seat_id: seats[1] }]);
    const q = `Smit&event_id=${eventId}`;
    await withClient(database.superuserUrl, async (client) => {
      await client.query('begin');
      await client.query('lock table ticket_days in access exclusive mode');
      const { status, data } = await ask(`GET /api/admin/search?q=${q}`);
      expect([status, data]).toMatchObject([200, { people: [{}], tickets: [], is_cut: true }]);
      await client.query('rollback');
    });
    const { data } = await ask(`GET /api/admin/search?q=${ticket?.code}`);
    expect(data).toMatchObject({ tickets: [{}], is_cut: false });
  });

  it('has one time for all of its statements', async () => {
    const { eventId } = await hold('Smit A2');
    const searched = (step_ms: number) => {
      let now_ms = 0;
      const clock = Object.assign(Object.create(systemClock), {
        monotonic: () => {
          now_ms += step_ms;
          return now_ms;
        },
      });
      const wanted = { text: 'a2', eventId };
      return searchBoxOffice({ ...engine(), clock }, { scope: scope() }, wanted);
    };
    const people = [{ name: 'Smit A2' }];
    expect(await searched(1)).toMatchObject({ people, is_cut: false });
    // The statement for people begins after 400 ms, the next one would after 800.
    expect(await searched(400)).toMatchObject({ people, is_cut: true });
  });
});
