import { withClient } from '@voelgoed/engine/postgres';
import { newId } from '@voelgoed/testkit/builders';
import { eventually } from '@voelgoed/testkit/eventually';
import { call, tokenFor } from '@voelgoed/testkit/servers';
import { ADMITTED, denied, useShows, verdict } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const shows = useShows();
const { anOpenShow, ask, buyer, database, node, open, openDoors, scan, scope, sellTo, show } =
  shows;

const attendees = async (eventId: string) =>
  (await open(`GET /api/events/${eventId}/occupancy`)).data.live_attendees;

describe('scanners', () => {
  it('scan, and can do nothing else that a customer cannot', async () => {
    const { ticket } = await anOpenShow();
    const as = (role: 'scanner' | 'customer') =>
      tokenFor(scope().organizationId, { role, subject: `a ${role}` });
    expect((await scan(ticket.code, {}, { token: as('customer') })).status).toBe(403);
    expect(verdict(await scan(ticket.code, {}, { token: as('scanner') }))).toEqual(ADMITTED);
    const routes = node().http.routeTable.filter(({ access }) => access.kind === 'scope');
    const open = [];
    for (const { method, url } of routes) {
      const path = url.replaceAll(/:[a-z_]+/g, newId());
      const options = { token: as('scanner') };
      const { status } = await call(node().address, `${method} ${path}`, options);
      if (status !== 403) open.push(url);
    }
    expect(open).toEqual(['/api/tickets/:code/entries']);
  });

  it('with the same code at the same moment: one comes in', async () => {
    const { eventId, ticket } = await anOpenShow();
    const replies = await Promise.all(Array.from({ length: 8 }, () => scan(ticket.code)));
    const admitted = replies.filter(({ data }) => data.status === 'admitted');
    expect(admitted).toHaveLength(1);
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const rows = await database.asSuperuser(
      'select inside, entries from zone_days where event_id = $1',
      [eventId],
    );
    expect(rows).toEqual([{ inside: 1, entries: 1 }]);
  });

  it('wait for each other: what is decided is what the other one has left', async () => {
    const { ticket, days } = await anOpenShow();
    await scan(ticket.code);
    await scan(ticket.code, { direction: 'out' });
    await withClient(database.superuserUrl, async (client) => {
      await client.query('begin');
      // Another scanner, in the middle of letting the same ticket in.
      await client.query('update ticket_days set inside = true where ticket_id = $1', [
        ticket.ticket_id,
      ]);
      const waiting = scan(ticket.code, { day: days[0] });
      await eventually(async () => {
        const rows = await database.asSuperuser(
          `select from pg_stat_activity where wait_event_type = 'Lock'
           and datname = current_database()`,
        );
        return rows.length > 0;
      });
      await client.query('commit');
      expect(verdict(await waiting)).toEqual(denied('already_inside'));
    });
  });

  it('many tickets of one zone at once are all counted', async () => {
    const { eventId, seats } = await show();
    const items = seats.slice(0, 10).map((seat_id) => ({ seat_id }));
    const tickets = await sellTo(buyer(), eventId, items);
    await openDoors(eventId);
    const replies = await Promise.all(tickets.map(({ code }) => scan(code)));
    expect(replies.map(verdict)).toEqual(Array(10).fill(ADMITTED));
    await eventually(async () => (await attendees(eventId)) === 10);
  });

  it('whose answer was lost ask again with the same key', async () => {
    const { eventId, ticket } = await anOpenShow();
    const options = { headers: { 'idempotency-key': 'gate 1, scan 17' } };
    const replies = await Promise.all([1, 2, 3].map(() => scan(ticket.code, {}, options)));
    expect(replies.map(verdict)).toEqual(Array(3).fill(ADMITTED));
    expect(new Set(replies.map(({ data }) => data.entry_id)).size).toBe(1);
    const replayed = replies.filter(({ headers }) => headers.get('idempotent-replayed'));
    expect(replayed).toHaveLength(2);
    const other = await scan(ticket.code, { direction: 'out' }, options);
    expect([other.status, other.body.error]).toEqual([422, 'idempotency_key_reused']);
    expect((await ask(`GET /api/admin/events/${eventId}/entries`)).list).toHaveLength(1);
  });

  it('leave no trace of who was let in', async () => {
    const { eventId, seats } = await show();
    const name = `Zola-${newId()}`;
    const held = await ask(`POST /api/admin/events/${eventId}/holds`, {
      body: { items: [{ seat_id: seats[0] }], for: name },
    });
    const [hold] = held.data.holds as { hold_id: string; user_id?: string }[];
    const sold = await shows.sell(eventId, [hold?.hold_id]);
    const [ticket] = sold.data.tickets as { code: string; user_id: string; qr: string }[];
    await openDoors(eventId);
    const said = JSON.stringify((await scan(ticket?.code ?? '')).body);
    expect(said).not.toContain(name);
    expect(said).not.toContain(ticket?.user_id);
    const rows = await database.asSuperuser('select e::text as row from entries e');
    expect(JSON.stringify(rows)).not.toContain(ticket?.user_id);
  });
});

describe('what is written down at the door', () => {
  it('stays: nobody who serves can change or delete a scan', async () => {
    const { ticket } = await anOpenShow();
    await scan(ticket.code);
    for (const text of [`update entries set reason = 'x'`, 'delete from entries']) {
      const attempt = database.postgres.transaction(scope(), { name: 'hostile' }, (one) =>
        one.query({ name: '', text, values: [], long: false }),
      );
      await expect(attempt, text).rejects.toThrow('permission denied');
    }
  });

  it('is asked for once a second, however many look', async () => {
    const { eventId, ticket } = await anOpenShow();
    await scan(ticket.code);
    await eventually(async () => (await attendees(eventId)) === 1);
    const count = async () => {
      const text = await (await fetch(`${node().address}/metrics`)).text();
      const name = 'voelgoed_postgres_statement_seconds_count{statement="entries.inside"';
      const line = text.split('\n').find((one) => one.startsWith(name));
      return Number(line?.split(' ').at(-1) ?? 0);
    };
    const before = await count();
    await Promise.all(Array.from({ length: 100 }, () => attendees(eventId)));
    expect((await count()) - before).toBeLessThanOrEqual(2);
  });
});
