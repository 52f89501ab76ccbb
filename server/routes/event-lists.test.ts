import { systemClock } from '@voelgoed/engine/kit';
import { withClient } from '@voelgoed/engine/postgres';
import { listFigures } from '@voelgoed/engine/workflows';
import { newId } from '@voelgoed/testkit/builders';
import { eventually } from '@voelgoed/testkit/eventually';
import { call, tokenFor } from '@voelgoed/testkit/servers';
import { aHybridHall, useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const shows = useShows();
const { ask, buyer, database, node, scope, show } = shows;

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(systemClock.now() + hours * HOUR_MS).toISOString();
const as = (role: 'viewer' | 'scanner', route: string) =>
  call(node().address, route, { token: tokenFor(scope().organizationId, { role, subject: role }) });

async function keyWith(...scopes: string[]): Promise<string> {
  const made = await ask('POST /api/admin/api-keys', { body: { name: newId(), scopes } });
  return String(made.data.key);
}

/** Events without a plan, by the hours until they begin; each lasts one. */
async function plan(prefix: string, hours: readonly number[], venue_id: string | null = null) {
  for (const at of hours) {
    const name = `${prefix} ${at}`;
    const slug = `${prefix.toLowerCase()}-${String(at).replace(/\D/g, 'm')}`;
    const times = { starts_at: inHours(at), ends_at: inHours(at + 1) };
    const made = await ask('POST /api/admin/events', { body: { name, slug, venue_id, ...times } });
    expect(made.status).toBe(201);
  }
}

/** All pages of a list, so many rows at a time. */
async function names(query: string, limit = 2): Promise<string[]> {
  const found: string[] = [];
  for (let after = ''; ; ) {
    const { status, list, body } = await ask(
      `GET /api/admin/events?${query}&limit=${limit}${after}`,
    );
    expect(status).toBe(200);
    found.push(...list.map(({ name }) => String(name)));
    const { next } = body as { next?: { after: string } };
    if (!next) return found;
    after = `&after=${next.after}`;
  }
}

/** Made in another order than they take place; one in a hall of London, one put away. */
async function aYear(): Promise<void> {
  const body = { slug: 'oak', name: 'The Oak 50% Hall', timezone: 'Europe/London' };
  const venue = await ask('POST /api/admin/venues', { body });
  await plan('Order', [30, -60, 5, -0.5, -40, 900, -90]);
  await plan('Elsewhere', [10], String(venue.data.venue_id));
  await plan('Off', [20]);
  const [off] = (await ask('GET /api/admin/events?search=off%2020')).list;
  await ask(`POST /api/admin/events/${off?.event_id}/archive`, { body: {} });
}

describe('the list of events for staff', () => {
  it('comes in the order of time, from now on or back from now, page by page', async () => {
    await aYear();
    expect(await names('when=upcoming&search=order')).toEqual([
      'Order -0.5',
      'Order 5',
      'Order 30',
      'Order 900',
    ]);
    expect(await names('when=past&search=order')).toEqual(['Order -40', 'Order -60', 'Order -90']);
    // Put away is over, whatever its times say.
    expect(await names('when=past&search=off')).toEqual(['Off 20']);
    expect(await names('when=upcoming&search=off')).toEqual([]);
    // Without it, as before: in the order of making.
    expect(await names('search=order')).toEqual([
      'Order 30',
      'Order -60',
      'Order 5',
      'Order -0.5',
      'Order -40',
      'Order 900',
      'Order -90',
    ]);
  });

  it('is searched in the names of events and venues, where signs mean themselves', async () => {
    await aYear();
    expect(await names('search=SEWHER')).toEqual(['Elsewhere 10']);
    expect(await names('search=50%25%20hall')).toEqual(['Elsewhere 10']);
    expect(await names('search=5_%25')).toEqual([]);
    const [one] = (await ask('GET /api/admin/events?search=oak')).list;
    expect(one?.venue).toEqual({
      name: 'The Oak 50% Hall',
      timezone: 'Europe/London',
      address: null,
    });
    expect((await ask('GET /api/admin/events?search=')).status).toBe(400);
    expect((await ask('GET /api/admin/events?when=soon')).status).toBe(400);
  });

  it('has places, tickets and takings for those who may see figures', async () => {
    await plan('Elsewhere', [10]);
    const { eventId, seats, zones } = await show({ config: aHybridHall() });
    const [ticket] = await shows.sellTo(buyer(), eventId, [
      { seat_id: seats[0] },
      { zone_id: zones[1], quantity: 2 },
    ]);
    await buyer().reserve(eventId, seats[4] ?? '');
    const query = 'GET /api/admin/events?figures=true';
    const figuresOf = async () => {
      const { list } = await ask(query);
      return list.find(({ event_id }) => event_id === eventId)?.figures;
    };
    const before = (await figuresOf()) as Record<string, number>;
    expect(before).toMatchObject({ sold: 3, held: 1, tickets: 3 });
    const body = { reason: 'ill' };
    await ask(`POST /api/admin/tickets/${ticket?.ticket_id}/void`, { body });
    const after = (await figuresOf()) as Record<string, number>;
    expect(after).toMatchObject({ sold: 2, tickets: 2, places: before.places });
    expect(after.tickets_cents).toBeLessThan(before.tickets_cents ?? 0);
    const [draft] = (await ask('GET /api/admin/events?figures=true&search=elsewhere')).list;
    expect(draft?.figures).toEqual({ places: 0, sold: 0, held: 0, tickets: 0, tickets_cents: 0 });
    expect((await as('viewer', query)).status).toBe(200);
    const key = await keyWith('events:read');
    const refused = await call(node().address, query, { token: key });
    expect([refused.status, refused.body.details]).toEqual([403, { scope: 'figures:read' }]);
    const plain = await call(node().address, 'GET /api/admin/events', { token: key });
    expect(plain.list.filter((row) => 'figures' in row)).toEqual([]);
  });

  it('comes without figures when there is no time to count them', async () => {
    const { eventId, seats } = await show();
    await shows.sellTo(buyer(), eventId, [{ seat_id: seats[0] }]);
    const asked = async () => {
      const { status, list } = await ask('GET /api/admin/events?figures=true');
      return [status, list.map(({ event_id, figures }) => [event_id, figures])];
    };
    await withClient(database.superuserUrl, async (client) => {
      await client.query('begin');
      await client.query('lock table tickets in access exclusive mode');
      expect(await asked()).toEqual([200, [[eventId, null]]]);
      await client.query('rollback');
    });
    expect(await asked()).toMatchObject([200, [[eventId, { tickets: 1 }]]]);
  });

  it('counts the tickets of few events, from an index alone', async () => {
    const many = await ask('GET /api/admin/events?figures=true&limit=51');
    expect([many.status, many.body.error]).toEqual([400, 'invalid_request']);
    expect(many.body.details).toMatchObject({ problems: [{ path: 'query/limit' }] });
    expect((await ask('GET /api/admin/events?figures=true&limit=50')).status).toBe(200);
    expect((await ask('GET /api/admin/events?limit=500')).status).toBe(200);
    const { eventId, seats } = await show();
    await shows.sellTo(buyer(), eventId, [{ seat_id: seats[0] }]);
    await database.asSuperuser('vacuum analyze tickets');
    const { text, values } = listFigures(scope().organizationId, [eventId]);
    const plan = await withClient(database.superuserUrl, async (client) => {
      // The table of the test has one page, which is read quicker than any index.
      await client.query('set enable_seqscan = off');
      return (await client.query(`explain (format json) ${text}`, [...values])).rows;
    });
    const found = /"Index Only Scan"[^{}]*"tickets_counted"/.test(JSON.stringify(plan));
    expect(found, JSON.stringify(plan)).toBe(true);
  });

  it('is quick with a thousand events: the page is read by its index', async () => {
    const { organizationId } = scope();
    await database.asSuperuser(
      `insert into events (organization_id, event_id, slug, name, starts_at, ends_at, currency,
         days)
       select $1, gen_random_uuid(), 'bulk-' || n, 'Bulk ' || n, now() + n * interval '1 hour',
         now() + (n + 1) * interval '1 hour', 'ZAR', array[current_date]
       from generate_series(1, 1000) n`,
      [organizationId],
    );
    expect(await names('when=upcoming&search=bulk', 500)).toHaveLength(1_000);
    await database.asSuperuser('analyze events');
    const plan = await database.asSuperuser(
      `explain (format json) select event_id from events where organization_id = '${organizationId}'
         and not (ends_at <= now() or status in ('ended', 'archived'))
       order by starts_at, event_id limit 25`,
    );
    expect(JSON.stringify(plan)).toContain('events_by_time');
  });
});

describe('the figures of an event', () => {
  it('say what its cancelling would concern, and it comes so', async () => {
    const { eventId, seats } = await show();
    const admin = `/api/admin/events/${eventId}`;
    const sold = await shows.sellTo(buyer(), eventId, [
      { seat_id: seats[0] },
      { seat_id: seats[1] },
      { seat_id: seats[2] },
    ]);
    const body = { reason: 'ill' };
    await ask(`POST /api/admin/tickets/${sold[0]?.ticket_id}/void`, { body });
    await ask(`POST /api/admin/tickets/${sold[1]?.ticket_id}/refund`, { body });
    await buyer().reserve(eventId, seats[4] ?? '');
    const paying = buyer();
    await paying.reserve(eventId, seats[10] ?? '');
    const checkout = await paying.ask('POST /api/checkouts', { body: { event_id: eventId } });
    await paying.ask(`POST /api/checkouts/${checkout.data.checkout_id}/pay`, { body: {} });
    const { data } = await ask(`GET ${admin}/figures`);
    const total = Number(checkout.data.total_cents);
    expect(data).toMatchObject({ sold: 1, held: 2, tickets: 1, tickets_ended: 2 });
    expect(data).toMatchObject({ held_places: 1, paying: 1, paying_cents: total });
    expect(data).toMatchObject({ refund_tickets: 1, refund_cents: data.tickets_cents });
    await ask(`POST ${admin}/cancel`, { body: {} });
    // What is owed is not said to become owed.
    await eventually(async () => {
      const { data: now } = await ask(`GET ${admin}/figures`);
      return now.tickets === 1 && now.refund_tickets === 0 && now.held_places === 0;
    });
    const missing = await ask(`GET /api/admin/events/${newId()}/figures`);
    expect([missing.status, missing.body.error]).toEqual([404, 'event_not_found']);
  });

  it('are for viewers and for keys from before, and hide who is behind them', async () => {
    const { eventId } = await show();
    const admin = `/api/admin/events/${eventId}`;
    const FIGURES = ['figures', 'activity?bucket=day', 'occupancy', 'occupancy/history'];
    const WHO = ['holds', 'changes', 'board', 'checkouts', 'entries', 'stream'];
    const [key, other] = [await keyWith('holds:read'), await keyWith('events:read')];
    for (const route of FIGURES) {
      const path = `GET ${admin}/${route}`;
      expect([route, (await as('viewer', path)).status]).toEqual([route, 200]);
      expect([route, (await as('scanner', path)).status]).toEqual([route, 403]);
      expect([route, (await call(node().address, path, { token: key })).status]).toEqual([
        route,
        200,
      ]);
      const refused = await call(node().address, path, { token: other });
      expect([route, refused.status, refused.body.details]).toEqual([
        route,
        403,
        { scope: 'figures:read' },
      ]);
    }
    for (const route of WHO) {
      expect([route, (await as('viewer', `GET ${admin}/${route}`)).status]).toEqual([route, 403]);
    }
    const scan = { token: tokenFor(scope().organizationId, { role: 'viewer', subject: 'viewer' }) };
    const body = { direction: 'in' };
    const entry = await call(node().address, 'POST /api/tickets/AAAA-AAAA-AAAA/entries', {
      ...scan,
      body,
    });
    expect([entry.status, entry.body.details]).toEqual([403, { scope: 'tickets:scan' }]);
  });
});
