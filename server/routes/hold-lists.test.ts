import { userIdOf } from '@voelgoed/engine/accounts';
import { listEndedHolds, listLiveHolds } from '@voelgoed/engine/workflows';
import { newId } from '@voelgoed/testkit/builders';
import { planOf } from '@voelgoed/testkit/database';
import { call, type Reply } from '@voelgoed/testkit/servers';
import { aHybridHall, useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { ask, buyer, database, node, scope, sellTo, show } = useShows();

const idOf = (subject: string) => userIdOf(scope().organizationId, subject);
const idsOf = ({ list }: Reply) => list.map(({ hold_id }) => hold_id);
const holdIds = ({ data }: Reply) =>
  (data.holds as { hold_id: string }[]).map((one) => one.hold_id);

/** Ann holds two seats, for which she is paying, and three places; Bob holds a seat. */
async function aBusyShow() {
  const event = await show({ config: aHybridHall() });
  const { eventId, seats, zones } = event;
  const [ann, bob] = [buyer('ann'), buyer('bob')];
  const items = [{ seat_id: seats[0] }, { seat_id: seats[1] }, { zone_id: zones[1], quantity: 3 }];
  const held = holdIds(await ann.hold(eventId, items));
  const [other = ''] = holdIds(await bob.hold(eventId, [{ seat_id: seats[2] }]));
  const started = await ann.ask('POST /api/checkouts', {
    body: { event_id: eventId, hold_ids: held.slice(0, 2) },
  });
  const checkoutId = String(started.data.checkout_id);
  const paying = await ann.ask(`POST /api/checkouts/${checkoutId}/pay`, { body: {} });
  expect(paying.status).toBe(200);
  const all = [...held, other].sort();
  return {
    ...event,
    route: `GET /api/admin/events/${eventId}/holds`,
    held,
    other,
    all,
    checkoutId,
  };
}

describe('the holds of an event', () => {
  it('come page by page, each once, and say whether that was all', async () => {
    const { route, all } = await aBusyShow();
    const whole = await ask(route);
    expect([idsOf(whole), whole.body.next]).toEqual([all, undefined]);
    const first = await ask(`${route}?limit=3`);
    expect(idsOf(first)).toEqual(all.slice(0, 3));
    expect(first.body.next).toEqual({ after: all[2] });
    const second = await ask(`${route}?limit=3&after=${all[2]?.toUpperCase()}`);
    expect([idsOf(second), second.body.next]).toEqual([all.slice(3), undefined]);
    const exact = await ask(`${route}?limit=4`);
    expect([idsOf(exact), exact.body.next]).toEqual([all, undefined]);
  });

  it('are found by who, where, checkout, payment and how soon they end', async () => {
    const { route, all, held, other, seats, zones, checkoutId } = await aBusyShow();
    const found = async (query: string) => idsOf(await ask(`${route}?${query}`));
    expect(await found(`user_id=${idOf('bob').toUpperCase()}`)).toEqual([other]);
    expect(await found(`seat_id=${seats[1]}`)).toEqual([held[1]]);
    expect(await found(`seat_id=${newId()}`)).toEqual([]);
    expect(await found(`zone_id=${zones[1]}`)).toEqual([held[2]]);
    const seatsPaid = held.slice(0, 2).sort();
    expect(await found(`checkout_id=${checkoutId}`)).toEqual(seatsPaid);
    expect(await found('paying=true')).toEqual(seatsPaid);
    expect(await found('paying=false')).toEqual(all.filter((id) => !seatsPaid.includes(id)));
    expect(await found('due_within=0')).toEqual([]);
    expect(await found('due_within=3600')).toEqual(all);
    expect(await found(`user_id=${idOf('ann')}&paying=false&zone_id=${zones[1]}`)).toEqual([
      held[2],
    ]);
  });

  it('say in which checkout they are and whether it is being paid', async () => {
    const { route, eventId, seats, held, checkoutId } = await aBusyShow();
    const { list } = await ask(`${route}?user_id=${idOf('ann')}`);
    const shown = list.map(({ hold_id, checkout_id, paying }) => [hold_id, checkout_id, paying]);
    const paid = held.slice(0, 2).map((id) => [id, checkoutId, true]);
    expect(new Set(shown)).toEqual(new Set([...paid, [held[2], null, false]]));
    const seat = await ask(`GET /api/admin/events/${eventId}/seats/${seats[0]}`);
    expect(seat.data.hold).toMatchObject({ checkout_id: checkoutId, paying: true });
  });

  it('are not given more than 1,000 at once', async () => {
    const { route } = await aBusyShow();
    expect((await ask(`${route}?limit=1000`)).status).toBe(200);
    for (const limit of [0, 1_001]) {
      expect(await ask(`${route}?limit=${limit}`)).toMatchObject({ status: 400 });
    }
  });
});

describe('the holds of an organization', () => {
  const ALL = 'GET /api/admin/holds';

  it('are those of all its events and of no other organization, the youngest first', async () => {
    const [one, two] = [await aBusyShow(), await show()];
    const [last] = holdIds(await buyer('cleo').hold(two.eventId, [{ seat_id: two.seats[0] }]));
    const wanted = [last, ...one.all.toReversed()];
    const whole = await ask(ALL);
    expect(new Set(idsOf(whole))).toEqual(new Set(wanted));
    expect(idsOf(whole)).toEqual(idsOf(whole).toSorted().toReversed());
    const seen: unknown[] = [];
    let query = 'limit=2';
    for (let pages = 1; ; pages++) {
      const page = await ask(`${ALL}?${query}`);
      seen.push(...idsOf(page));
      const next = page.body.next as { before: string } | undefined;
      if (!next) {
        expect(pages).toBe(3);
        break;
      }
      query = `limit=2&before=${next.before}`;
    }
    expect(seen).toEqual(idsOf(whole));
    expect(idsOf(await ask(`${ALL}?event_id=${two.eventId}`))).toEqual([last]);
  });

  it('say where, who, from when to when, and whether they are being paid', async () => {
    const { eventId, seats, zones, held, checkoutId } = await aBusyShow();
    const { list } = await ask(`${ALL}?seat_id=${seats[0]}&paying=true`);
    expect(list).toEqual([
      {
        hold_id: held[0],
        event_id: eventId,
        event_name: expect.any(String),
        status: 'held',
        seat_id: seats[0],
        zone_id: zones[0],
        block_name: expect.any(String),
        label: 'A-1',
        quantity: 1,
        user_id: idOf('ann'),
        holder: null,
        source: 'web',
        made_by: null,
        notes: null,
        checkout_id: checkoutId,
        paying: true,
        created_at: expect.any(String),
        held_until: expect.any(String),
        ended_at: null,
        end_reason: null,
      },
    ]);
    const found = async (query: string) => idsOf(await ask(`${ALL}?${query}`));
    expect(await found(`zone_id=${zones[1]}`)).toEqual([held[2]]);
    expect(new Set(await found(`zone_id=${zones[0]}&user_id=${idOf('ann')}`))).toEqual(
      new Set([held[0], held[1]]),
    );
    expect(await found(`seat_id=${seats[1]}`)).toEqual([held[1]]);
    expect(await found(`checkout_id=${checkoutId}`)).toHaveLength(2);
    expect(await found(`paying=false&event_id=${eventId}`)).toHaveLength(2);
    expect(await found('due_within=0')).toEqual([]);
    expect(await found('due_within=3600')).toHaveLength(4);
  });

  it('are found by the time they were made, to the millisecond', async () => {
    const { all } = await aBusyShow();
    const { list } = await ask(ALL);
    expect(new Set(list.map(({ hold_id }) => hold_id))).toEqual(new Set(all));
    const times = list.map(({ created_at }) => Date.parse(String(created_at)));
    // The timeline is the primary key, so an id has to begin with the time of its row.
    const inIds = all
      .toReversed()
      .map((id) => Number.parseInt(id.replace('-', '').slice(0, 12), 16));
    expect(times).toEqual(inIds);
    const [youngest = 0, oldest = 0] = [times.at(0), times.at(-1)];
    const at = (time_ms: number) => new Date(time_ms).toISOString();
    const between = async (from: number, to: number) =>
      idsOf(await ask(`${ALL}?from=${at(from)}&to=${at(to)}`)).length;
    expect(await between(oldest, youngest + 1)).toBe(4);
    expect(await between(oldest, youngest)).toBe(times.filter((time) => time < youngest).length);
    expect(await between(youngest + 1, youngest + 1_000)).toBe(0);
  });

  it('are also those that have ended, by how', async () => {
    const { eventId, seats } = await show();
    const dan = buyer('dan');
    await sellTo(dan, eventId, [{ seat_id: seats[0] }]);
    const [given] = holdIds(await dan.hold(eventId, [{ seat_id: seats[1] }]));
    await dan.ask(`DELETE /api/holds/${given}`);
    const [kept] = holdIds(await dan.hold(eventId, [{ seat_id: seats[1] }]));
    expect(idsOf(await ask(ALL))).toEqual([kept]);
    const sold = await ask(`${ALL}?status=converted`);
    expect(sold.list).toMatchObject([
      { status: 'converted', seat_id: seats[0], end_reason: 'checkout_completed', paying: false },
    ]);
    const ended = await ask(`${ALL}?status=cancelled`);
    expect(ended.list).toMatchObject([
      { hold_id: given, end_reason: 'user_cancelled', ended_at: expect.any(String) },
    ]);
    expect((await ask(`${ALL}?status=expired`)).body).toEqual({ data: [] });
  });

  it('go on where a page has looked at many holds and found few', async () => {
    const { eventId, seats } = await show();
    const [first = ''] = holdIds(await buyer('eve').hold(eventId, [{ seat_id: seats[0] }]));
    await buyer('eve').ask(`DELETE /api/holds/${first}`);
    // Younger ones by the thousand, none of which is wanted.
    await database.asSuperuser(
      `insert into seat_holds (organization_id, event_id, hold_id, zone_id, quantity, user_id,
         cart_token, status, source, created_at, held_until, ended_at, end_reason)
       select organization_id, event_id,
         (left(hold_id::text, 24) || lpad(to_hex(n), 12, '0'))::uuid, zone, 1, user_id, 'c',
         'expired', 'web', created_at, held_until, ended_at, 'ttl_expired'
       from seat_holds, gen_random_uuid() zone, generate_series(1, 6000) n where hold_id = $1`,
      [first],
    );
    const others = await ask(`${ALL}?status=expired&limit=1000`);
    expect(others.list).toHaveLength(1_000);
    let query = 'status=cancelled';
    let pages = 0;
    const found: unknown[] = [];
    for (let next: { before: string } | undefined = { before: '' }; next; pages++) {
      const page: Reply = await ask(`${ALL}?${query}`);
      found.push(...idsOf(page));
      next = page.body.next as typeof next;
      query = `status=cancelled&before=${next?.before}`;
    }
    expect([found, pages]).toEqual([[first], 2]);
  });

  it('are found without an index of their own, whatever Postgres knows of the table', async () => {
    const { postgres } = database;
    const { organizationId } = scope();
    const live = await planOf(postgres, organizationId, listLiveHolds, 'reads');
    // Live ones by the index of live ones, and never in the order of all that there ever were.
    expect(live).toMatch(/seat_holds_(?:user|one_active) on seat_holds live/);
    const ended = await planOf(postgres, organizationId, listEndedHolds, 'reads');
    expect(ended).toMatch(
      /Backward using seat_holds_pkey on seat_holds timeline\s+Index Cond: .*hold_id >= .* </,
    );
    for (const plan of [live, ended]) expect(plan).not.toContain('Seq Scan');
  });

  it('are for staff', async () => {
    expect((await buyer('ann').ask(ALL)).status).toBe(403);
    expect((await call(node().address, ALL)).status).toBe(401);
  });
});
