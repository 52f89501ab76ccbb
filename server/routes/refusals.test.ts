import type { ErrorCode } from '@voelgoed/client/wire';
import { userIdOf } from '@voelgoed/engine/accounts';
import type { Scope } from '@voelgoed/engine/scope';
import { listRefusalsOfEvent, listRefusalsOfUsers } from '@voelgoed/engine/workflows';
import { anOrganization, newId } from '@voelgoed/testkit/builders';
import { planOf } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { call, tokenFor } from '@voelgoed/testkit/servers';
import {
  aHybridHall,
  documentedCodes,
  PAYMENT_SECRET,
  tell,
  useCodes,
  useShows,
  whileLocked,
} from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { ask, buyer, database, node, scope, show } = useShows({
  PAYMENT_WEBHOOK_SECRET: PAYMENT_SECRET,
  TRUSTED_PROXIES: '127.0.0.1',
});
const { provoke, provoked } = useCodes(ask);

const AUDIT = 'GET /api/admin/audit';
const REFUSALS = 'GET /api/admin/refusals';
const idOf = (subject: string) => userIdOf(scope().organizationId, subject);
const FROM = { 'x-forwarded-for': '203.0.113.7', 'user-agent': 'a phone' };

/** As soon as there are so many. */
const refusals = (query: Record<string, unknown>, count = 1) =>
  eventually(async () => {
    const { list } = await ask(`${REFUSALS}?${new URLSearchParams(query as never)}`);
    return list.length >= count ? list : null;
  });

describe('refusals', () => {
  it('are kept with who, what and from where, the address as a keyed hash', async () => {
    const { eventId, seats, zones } = await show({ config: aHybridHall() });
    await buyer('ann').reserve(eventId, seats[0] ?? '');
    const bob = buyer('bob');
    await bob.reserve(eventId, seats[0] ?? '', { headers: FROM });
    await bob.hold(eventId, [{ zone_id: zones[1], quantity: 6 }], { headers: FROM });
    const rows = await refusals({ event_id: eventId }, 2);
    const who = { event_id: eventId, user_id: idOf('bob'), user_agent: 'a phone', times: 1 };
    expect(rows).toMatchObject([
      { ...who, code: 'block_at_capacity', seats: [], zones: [{ id: zones[1], name: 'Pit' }] },
      { ...who, code: 'seat_held_by_another_user', seats: [{ id: seats[0], name: 'A-1' }] },
    ]);
    const [hash, same] = rows.map(({ ip_hash }) => String(ip_hash));
    expect(hash).toBe(same);
    expect(hash).toMatch(/^[\w-]{22}$/);
    const [held] = await database.asSuperuser(
      'select ip_hash from seat_holds where event_id = $1',
      [eventId],
    );
    expect(String(held?.ip_hash).split('.')[0]).not.toBe(hash);
    await bob.reserve(eventId, seats[3] ?? '', { headers: FROM });
    const [own] = await database.asSuperuser(
      'select ip_hash from seat_holds where event_id = $1 and user_id = $2',
      [eventId, idOf('bob')],
    );
    expect(String(own?.ip_hash).split('.')[0]).toBe(hash);
    expect(JSON.stringify(rows)).not.toContain('203.0.113');
  });

  it('are searched by code, user, seat and time, and read page by page', async () => {
    const { eventId, seats } = await show();
    await buyer('ann').hold(eventId, [{ seat_id: seats[0] }, { seat_id: seats[1] }]);
    const bob = buyer('bob');
    await bob.reserve(eventId, seats[0] ?? '');
    await bob.reserve(eventId, seats[1] ?? '');
    await bob.reserve(eventId, newId());
    await buyer('eve').reserve(eventId, seats[1] ?? '');
    const all = await refusals({ event_id: eventId }, 4);
    const find = async (query: Record<string, unknown>) => {
      const found = await refusals({ event_id: eventId, ...query }, 0);
      return found.map(({ refusal_id }) => all.findIndex((one) => one.refusal_id === refusal_id));
    };
    expect(await find({ code: 'seat_not_found' })).toEqual([1]);
    expect(await find({ user: idOf('bob') })).toEqual([1, 2, 3]);
    expect(await find({ seat: 'A-2' })).toEqual([0, 2]);
    expect(await find({ seat: seats[1], user: idOf('eve') })).toEqual([0]);
    expect(await find({ to: String(all[1]?.at) })).toEqual([2, 3]);
    expect(await find({ from: String(all[1]?.at) })).toEqual([0, 1]);
    expect(await find({ limit: 2 })).toEqual([0, 1]);
    expect(await find({ limit: 2, before: String(all[1]?.refusal_id) })).toEqual([2, 3]);
    // Below the first of two rows of the same time, and below a row that is not there.
    expect(await find({ code: 'seat_not_found', before: String(all[1]?.refusal_id) })).toEqual([]);
    expect(await find({ before: newId() })).toEqual([]);
    const own = await refusals({ user: idOf('bob') }, 3);
    expect(own).toHaveLength(3);
    expect(await refusals({ code: 'seat_not_found' }, 1)).toHaveLength(1);
  });

  it('of one code among many rows are found in pages, each of which looks at some', async () => {
    const { eventId } = await show();
    const { organizationId } = scope();
    await database.asSuperuser(RUSH, [organizationId, eventId]);
    const read = async (query: Record<string, string>) => {
      const found: unknown[] = [];
      let [pages, next]: [number, object | undefined] = [0, {}];
      for (; next; pages++) {
        const asked = new URLSearchParams({ event_id: eventId, ...query, ...next });
        const { list, body } = await ask(`${REFUSALS}?${asked}`);
        found.push(...list.map(({ code, user_agent }) => `${code} ${user_agent}`));
        next = body.next as object | undefined;
      }
      return { pages, found };
    };
    const rare = [
      'hold_limit_reached 20000',
      'hold_limit_reached 20001',
      'hold_limit_reached 39999',
    ];
    expect(await read({ code: 'hold_limit_reached' })).toEqual({ pages: 3, found: rare });
    expect((await read({ code: 'hold_limit_reached', limit: '1' })).found).toEqual(rare);
    expect(await read({ code: 'no_available_seats' })).toEqual({ pages: 3, found: [] });
  });

  it('of limits, events that are not there and busy ones are kept, too', async () => {
    const { eventId, seats } = await show();
    const eve = buyer('eve');
    const [first = '', second = '', third = ''] = seats;
    const gone = newId();
    await eve.reserve(gone, first, { headers: FROM });
    await whileLocked(database, eventId, async () => {
      const busy = await eve.reserve(eventId, second, { headers: FROM });
      expect(busy.status).toBe(503);
    });
    // What is given back is not given back to the rate.
    for (let left = 30; left > 0; left--) {
      const reply = await eve.reserve(eventId, third, { headers: FROM });
      if (reply.status === 429) break;
      await eve.ask(`DELETE /api/holds/${reply.data.hold_id}`);
    }
    // A guest's session is good for its own event: any other is not there.
    const guest = await call(node().address, `POST /api/events/${eventId}/sessions`);
    const other = (await show()).eventId;
    const token = String(guest.data.token);
    await call(node().address, `POST /api/events/${other}/seats/${first}/reserve`, { token });
    const missing = await refusals({ code: 'event_not_found' }, 2);
    expect(missing.map(({ seats }) => seats)).toEqual([
      [{ id: first, name: null }],
      [{ id: first, name: null }],
    ]);
    const kept = await refusals({ user: idOf('eve') }, 3);
    const who = {
      user_id: idOf('eve'),
      user_agent: 'a phone',
      ip_hash: expect.stringMatching(/^[\w-]{22}$/),
    };
    expect(kept).toContainEqual(
      expect.objectContaining({ ...who, code: 'event_not_found', event_id: null }),
    );
    const seat = (id: string) => [expect.objectContaining({ id })];
    expect(kept).toContainEqual(
      expect.objectContaining({ ...who, code: 'event_busy', seats: seat(second) }),
    );
    expect(kept).toContainEqual(
      expect.objectContaining({ ...who, code: 'rate_limited', seats: seat(third) }),
    );
  });
});

const audit = async (query: Record<string, string>) =>
  (await ask(`${AUDIT}?${new URLSearchParams(query)}`)).list;
const deeds = (list: readonly Record<string, unknown>[]) => list.map(({ action }) => action);

describe('the audit log of a sale', () => {
  it('follows payments and refunds of a checkout, and of its buyer', async () => {
    const { eventId, seats } = await show();
    const zoe = buyer('zoe');
    await zoe.hold(eventId, [{ seat_id: seats[0] }]);
    const started = await zoe.ask('POST /api/checkouts', { body: { event_id: eventId } });
    const id = String(started.data.checkout_id);
    const { data } = await zoe.ask(`POST /api/checkouts/${id}/pay`);
    const { attempt_id, amount_cents } = data;
    await tell(node().address, { type: 'payment.succeeded', attempt_id, amount_cents });
    const [sold] = await audit({ checkout_id: id, action: 'checkout_completed' });
    const changes = sold?.changes as { tickets: { ticket_id: string }[] } | undefined;
    const [ticket] = changes?.tickets ?? [];
    const body = { reason: 'ill' };
    await ask(`POST /api/admin/tickets/${ticket?.ticket_id}/refund`, { body });
    const found = deeds(await audit({ checkout_id: id }));
    expect(new Set(found)).toEqual(
      new Set([
        'seat_reserved',
        'seat_hold_extended',
        'checkout_started',
        'payment_begun',
        'payment_message',
        'checkout_completed',
        'ticket_refunded',
        'refund_due',
      ]),
    );
    expect(deeds(await audit({ event_id: eventId, user: idOf('zoe') }))).toEqual(found);
  });
});

describe('who may read them', () => {
  it('is neither another organization nor a role without the scope', async () => {
    const { eventId, seats } = await show();
    await buyer('ann').reserve(eventId, seats[0] ?? '');
    await buyer('bob').reserve(eventId, seats[0] ?? '');
    await refusals({ event_id: eventId });
    const other = await anOrganization(database.postgres);
    const theirs = { token: tokenFor(other.organizationId) };
    const about = `event_id=${eventId}&user=${idOf('ann')}`;
    for (const query of [about, `user=${idOf('bob')}`, `event_id=${eventId}`]) {
      for (const route of [AUDIT, REFUSALS]) {
        const { list } = await call(node().address, `${route}?${query}`, theirs);
        expect(list.filter(({ action }) => action !== 'organization_created')).toEqual([]);
      }
    }
    const seat = `event_id=${eventId}&seat=${seats[0]}`;
    const found = await call(node().address, `${REFUSALS}?${seat}`, theirs);
    expect(found.list).toEqual([]);
    for (const role of ['staff', 'viewer', 'scanner', 'customer'] as const) {
      const token = tokenFor(scope().organizationId, { role, subject: newId() });
      for (const route of [AUDIT, REFUSALS]) {
        const reply = await call(node().address, `${route}?event_id=${eventId}`, { token });
        expect([role, reply.status]).toEqual([role, 403]);
      }
    }
    const admin = tokenFor(scope().organizationId, { role: 'admin', subject: newId() });
    const seen = await call(node().address, `${REFUSALS}?event_id=${eventId}`, { token: admin });
    expect(seen.list).toHaveLength(1);
  });

  it('the function that looks seats up answers for its own organization alone', async () => {
    const { eventId, seats } = await show();
    await buyer('ann').reserve(eventId, seats[0] ?? '');
    const text = 'select * from lookup_begun($1, $2)';
    const look = (of: Scope) =>
      database.postgres.transaction(of, { name: 'test' }, (one) =>
        one.query({ name: '', text, values: [eventId, [seats[0]]], long: false }),
      );
    expect(await look(scope())).toHaveLength(1);
    expect(await look(await anOrganization(database.postgres))).toEqual([]);
  });

  it('what is personal in them can be erased', async () => {
    const { eventId, seats } = await show();
    await buyer('ann').reserve(eventId, seats[0] ?? '');
    await buyer('bob').reserve(eventId, seats[0] ?? '', { headers: FROM });
    expect(await refusals({ event_id: eventId })).toMatchObject([{ user_agent: 'a phone' }]);
    const erased = await ask(`DELETE /api/admin/users/${idOf('bob')}/personal-data`);
    expect(erased.status).toBe(200);
    const after = await refusals({ event_id: eventId });
    expect(after).toMatchObject([{ user_id: idOf('bob'), user_agent: null, ip_hash: null }]);
  });

  it('the list of an event and of a user has an index', async () => {
    const { organizationId } = scope();
    await database.asSuperuser(MANY_REFUSALS, [organizationId]);
    await database.asSuperuser('analyze refusal_log');
    const plans = [
      [listRefusalsOfEvent, /refusal_log_event.*\n\s+Index Cond: .*event_id = /],
      [listRefusalsOfUsers, /refusal_log_user.*\n\s+Index Cond: .*user_id = ANY/],
    ] as const;
    for (const [made, index] of plans) {
      expect(await planOf(database.postgres, organizationId, made, 'reads')).toMatch(index);
    }
  });
});

/** Two stretches, and ten rows of a third; the older half of all rows came in one moment. */
const RUSH = `insert into refusal_log
    (organization_id, refusal_id, event_id, at, action, code, user_agent)
  select $1::uuid, gen_random_uuid(), $2::uuid, now() - make_interval(secs => least(n, 20005)),
    'seat_reserve_failed',
    case when n in (20000, 20001, 39999) then 'hold_limit_reached' else 'seat_sold' end, n::text
  from generate_series(1, 40010) n`;

/** Of other events and users than the one that is asked for. */
const MANY_REFUSALS = `insert into refusal_log
    (organization_id, refusal_id, event_id, at, action, code, user_id)
  select $1::uuid, gen_random_uuid(), gen_random_uuid(), now(), 'seat_reserve_failed', 'seat_sold',
    gen_random_uuid()
  from generate_series(1, 5000) n`;

describe('codes of both searches', () => {
  const refused = (code: ErrorCode, route: string, query: string, options = {}) =>
    provoke(code, route, `${route}?${query}`, options);

  it.each([
    ['the audit log', AUDIT],
    ['refusals', REFUSALS],
  ])('of %s', async (_, route) => {
    const { eventId } = await show();
    const malformed = await refused('invalid_request', route, 'from=yesterday');
    expect(malformed.body.details).toMatchObject({ problems: [{ path: 'querystring/from' }] });
    const alone = await refused('invalid_request', route, 'seat=A-1');
    expect(alone.body.message).toContain('`event_id`');
    await refused('unauthorized', route, '', { token: 'none' });
    const token = tokenFor(scope().organizationId, { role: 'staff', subject: newId() });
    await refused('forbidden', route, '', { token });
    await refused('event_not_found', route, `seat=A-1&event_id=${newId()}`);
    await refused('seat_not_found', route, `seat=Z-99&event_id=${eventId}`);
    await refused('not_found', route, `user=who@x.test&event_id=${eventId}`);
  });

  it('of checkouts', async () => {
    await refused('checkout_not_found', AUDIT, `checkout_id=${newId()}`);
  });

  it('were all provoked, and no other', async () => {
    const documented = await documentedCodes(node().address, [AUDIT, REFUSALS]);
    expect([...provoked].sort()).toEqual(documented);
  });
});
