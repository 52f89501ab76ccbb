import type { ErrorCode } from '@voelgoed/client/wire';
import { userIdOf } from '@voelgoed/engine/accounts';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import { holdSeats } from '@voelgoed/engine/workflows';
import { aCaller, anEngine, newId } from '@voelgoed/testkit/builders';
import { eventually } from '@voelgoed/testkit/eventually';
import { call } from '@voelgoed/testkit/servers';
import {
  ALL,
  aHybridHall,
  anAccessibleHall,
  BEST,
  BLOCK,
  BUYERS,
  bodyFor,
  documentedCodes,
  EXTEND,
  filled,
  HOLD,
  type Ids,
  MUTATING,
  OWN,
  PAYMENT_SECRET,
  PUBLIC,
  RELEASE,
  RELEASE_OWN,
  RESERVE,
  SEAT,
  SESSION,
  SET_WHITELIST,
  STAFF,
  STAFF_HOLD,
  STAFF_RELEASE,
  tell,
  UNBLOCK,
  useCodes,
  useShows,
  whileCommitsAreSlow,
  whileLocked,
} from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

/** One session an hour, so that the second is one too many. */
const { ask, buyer, database, node, scope, show } = useShows({
  GUEST_SESSIONS_PER_HOUR: '1',
  PAYMENT_WEBHOOK_SECRET: PAYMENT_SECRET,
});

const codes = useCodes(ask);
const { provoked } = codes;

type Options = NonNullable<Parameters<typeof ask>[1]>;

function provoke(code: ErrorCode, route: string, ids: Ids = {}, options: Options = {}) {
  const body = bodyFor(route, ids);
  const asked = { ...(body === undefined ? {} : { body }), ...options };
  return codes.provoke(code, route, filled(route, ids), asked);
}

/** As a buyer of their own, who has no limits used up. */
const asBuyer = (name = newId()) => ({ token: buyer(name).token });

async function aStage() {
  const { eventId: event, seats, zones } = await show({ config: aHybridHall() });
  const [seat = '', other = '', third = ''] = seats;
  const [stalls = '', pit = ''] = zones;
  return { event, seat, other, third, stalls, pit };
}

describe('every route about holds answers with', () => {
  it('invalid_request for an id or a body that is none', async () => {
    const none = { event: 'x', seat: 'x', zone: 'x', hold: 'x' };
    for (const route of ALL) {
      const body = route === STAFF_RELEASE ? {} : bodyFor(route, {});
      await provoke('invalid_request', route, none, { body });
    }
    const missing = await ask(STAFF_RELEASE, { body: { reason: 'which?' } });
    expect([missing.status, missing.body.error]).toEqual([400, 'invalid_request']);
  });

  it('unauthorized for a credential that proves nothing', async () => {
    const { event } = await aStage();
    for (const route of ALL) await provoke('unauthorized', route, { event }, { token: 'x' });
  });

  it('forbidden for a role or a key that may not', async () => {
    const made = await ask('POST /api/admin/api-keys', {
      body: { name: 'reader', scopes: ['events:read'] },
    });
    const { event } = await aStage();
    for (const route of BUYERS) {
      await provoke('forbidden', route, { event }, { token: String(made.data.key) });
    }
    for (const route of STAFF) await provoke('forbidden', route, { event }, asBuyer());
  });

  it('event_not_found for an event that nobody has', async () => {
    for (const route of [RESERVE, HOLD, BEST, OWN, RELEASE_OWN, ...PUBLIC, ...STAFF]) {
      await provoke('event_not_found', route, { event: newId() });
    }
  });

  it('hold_not_found for a hold that nobody has', async () => {
    for (const route of [EXTEND, RELEASE]) await provoke('hold_not_found', route);
  });

  it('seat_not_found and zone_not_found', async () => {
    const { event } = await aStage();
    for (const route of [RESERVE, HOLD, SEAT, BLOCK, UNBLOCK, STAFF_HOLD]) {
      await provoke('seat_not_found', route, { event });
    }
    const items = [{ zone_id: newId(), quantity: 1 }];
    await provoke('zone_not_found', HOLD, { event }, { body: { items } });
    await provoke('zone_not_found', STAFF_HOLD, { event }, { body: { items, for: 'Ann' } });
    await provoke('zone_not_found', SET_WHITELIST, { event });
    await provoke('zone_not_found', BEST, { event, zone: newId() });
  });

  it('event_not_available when it is cancelled, event_sales_closed before the sale', async () => {
    const { event, seat, stalls: zone } = await aStage();
    const sale_starts_at = '2099-01-01T00:00:00.000Z';
    await ask(`PATCH /api/admin/events/${event}`, { body: { sale_starts_at } });
    for (const route of [RESERVE, HOLD, BEST])
      await provoke('event_sales_closed', route, { event, seat });
    await ask(`POST /api/admin/events/${event}/cancel`, { body: { reason: 'rain' } });
    for (const route of [RESERVE, HOLD, BEST, STAFF_HOLD, SESSION, SET_WHITELIST]) {
      await provoke('event_not_available', route, { event, seat, zone });
    }
  });
});

describe('what is paid for answers with', () => {
  it('payment_in_progress, then ticket_already_paid', async () => {
    const { event, seat } = await aStage();
    const ann = buyer();
    const as = { token: ann.token };
    const held = await ann.hold(event, [{ seat_id: seat }]);
    const [{ hold_id: hold = '' } = {}] = held.data.holds as { hold_id: string }[];
    const started = await ann.ask('POST /api/checkouts', { body: { event_id: event } });
    const paid = await ann.ask(`POST /api/checkouts/${started.data.checkout_id}/pay`);
    await provoke('payment_in_progress', RELEASE, { hold }, as);
    await provoke('payment_in_progress', RELEASE_OWN, { event }, as);
    await provoke('payment_in_progress', BLOCK, { event, seat });
    const { attempt_id, amount_cents } = paid.data;
    await tell(node().address, { type: 'payment.succeeded', attempt_id, amount_cents });
    await provoke('ticket_already_paid', RELEASE, { hold }, as);
  });
});

describe('every wish answers with', () => {
  it('zone_access_denied where one may not enter', async () => {
    const config = aHybridHall({ stalls: { access_mode: 'whitelist' } });
    const { eventId: event, seats, zones } = await show({ config });
    const ids = { event, seat: seats[0] ?? '', zone: zones[0] ?? '' };
    for (const route of [RESERVE, HOLD, BEST]) {
      await provoke('zone_access_denied', route, ids, asBuyer());
    }
  });

  it('what others need: companions, wheelchair users, whoever comes next', async () => {
    const { eventId: event, seats } = await show({ config: anAccessibleHall() });
    const [space = '', companion = '', second = ''] = seats;
    const ann = { token: buyer().token };
    await ask(filled(RESERVE, { event, seat: space }), ann);
    for (const route of [RESERVE, HOLD]) {
      await provoke('companion_reserved', route, { event, seat: companion }, asBuyer());
      await provoke('wheelchair_limit', route, { event, seat: second }, ann);
    }
    const asking = (body: object) => ({ ...asBuyer(), body });
    await provoke('wheelchair_limit', BEST, { event }, asking({ quantity: 2, accessible: 2 }));
    const items = [{ seat_id: seats[7] }, { seat_id: seats[8] }];
    await provoke('orphan_rule', HOLD, { event }, asking({ items }));
    await provoke('no_adjacent_seats', BEST, { event }, asking({ quantity: 7, together: true }));
    await provoke('no_available_seats', BEST, { event }, asking({ quantity: 10 }));
    const dan = asBuyer();
    for (const n of [6, 8]) await ask(filled(RESERVE, { event, seat: seats[n] ?? '' }), dan);
    await provoke('orphan_rule', BEST, { event }, dan);
  });

  it('what the rules of an event forbid: naming seats, and sitting apart', async () => {
    const policy = { prefer_clustering_over_selection: true, group_adjacency_strict: true };
    const overrides = { seating_overrides: policy };
    const { eventId: event, seats } = await show({ config: anAccessibleHall(), overrides });
    const ids = { event, seat: seats[8] ?? '' };
    for (const route of [RESERVE, HOLD]) await provoke('forbidden', route, ids, asBuyer());
    const body = { items: [{ seat_id: seats[1] }, { seat_id: seats[3] }] };
    await provoke('no_adjacent_seats', HOLD, { event }, { ...asBuyer(), body });
  });

  it('what stands in the way of seats and places', async () => {
    const { event, seat, other, pit } = await aStage();
    await buyer().reserve(event, seat);
    const body = { seat_ids: [other], reason: 'pillar' };
    await ask(filled(BLOCK, { event }), { body });
    for (const route of [RESERVE, HOLD, STAFF_HOLD]) {
      await provoke('seat_held_by_another_user', route, { event, seat });
      await provoke('seat_not_available', route, { event, seat: other });
    }
    const items = [{ zone_id: pit, quantity: 6 }];
    await provoke('block_at_capacity', HOLD, { event }, { body: { items } });
    await provoke('block_at_capacity', STAFF_HOLD, { event }, { body: { items, for: 'Ann' } });
    // A seat of a zone that is closed cannot be put on sale by itself.
    const zone_id = newId();
    const config = aHybridHall({ stalls: { zone_id } });
    const closed = await show({ config, overrides: { disabled_zones: [zone_id] } });
    const ids = { event: closed.eventId, seat: closed.seats[0] ?? '' };
    await provoke('seat_not_available', UNBLOCK, ids);
  });

  it('limits: of a booking, of a while, of an extension', async () => {
    const policy = { max_seats_per_booking: 1, hold_rate_seats: 2, max_hold_total_minutes: 10 };
    expect((await ask('PUT /api/admin/policy', { body: policy })).status).toBe(200);
    const { event, seat, other, third } = await aStage();
    const [ann, bob] = [buyer(), buyer()];
    const held = await ann.reserve(event, seat);
    const hold = String(held.data.hold_id);
    await provoke('extension_limit_reached', EXTEND, { hold }, { token: ann.token });
    for (const route of [RESERVE, HOLD, BEST]) {
      await provoke('hold_limit_reached', route, { event, seat: third }, { token: ann.token });
    }
    for (const chosen of [other, third]) {
      await bob.ask(filled(RELEASE_OWN, { event }));
      expect((await bob.reserve(event, chosen)).status).toBe(201);
    }
    for (const route of [RESERVE, HOLD, BEST]) {
      await provoke('rate_limited', route, { event, seat }, { token: bob.token });
    }
    const guest = filled(SESSION, { event });
    await call(node().address, guest);
    await provoke('rate_limited', SESSION, { event });
  });

  it('hold_expired when its time is over', async () => {
    const { event, seat } = await aStage();
    const ann = buyer('ann');
    await ann.ask(filled(OWN, { event }));
    const quick = anEngine(database.postgres, silentTelemetry, { demoHoldSeconds: 1 });
    const id = userIdOf(scope().organizationId, 'ann');
    const caller = aCaller({ scope: scope(), actor: { kind: 'user', id, role: 'customer' } });
    const wish = { items: [{ seat_id: seat }], cart_token: null, source: 'web' } as const;
    const held = await holdSeats(quick, caller, event, wish);
    const hold = held.kind === 'held' ? held.holds[0]?.hold.hold_id : undefined;
    const over = 'select from seat_holds where hold_id = $1 and held_until < clock_timestamp()';
    await eventually(async () => (await database.asSuperuser(over, [hold])).length === 1);
    await provoke('hold_expired', EXTEND, { hold: hold ?? '' }, { token: ann.token });
  });

  it('body_too_large', async () => {
    const body = { much: 'x'.repeat(1_100_000) };
    const routes = [RESERVE, HOLD, BEST, STAFF_RELEASE, BLOCK, UNBLOCK, STAFF_HOLD, SET_WHITELIST];
    for (const route of routes) await provoke('body_too_large', route, {}, { body });
  });

  it('idempotency_key_reused for another wish with the same key', async () => {
    const { event, seat, other, third, stalls: zone, pit } = await aStage();
    const options = { headers: { 'idempotency-key': 'one' } };
    const once = async (route: string, ids: Ids, again: Ids, differently: Options = {}) => {
      const body = bodyFor(route, ids);
      const first = await ask(filled(route, ids), { ...options, ...(body ? { body } : {}) });
      expect([route, first.status < 300]).toEqual([route, true]);
      await provoke('idempotency_key_reused', route, again, { ...options, ...differently });
    };
    await once(RESERVE, { event, seat }, { event, seat: third });
    await once(HOLD, { event, seat: other }, { event, seat: third });
    await once(BEST, { event, zone: pit }, { event, zone });
    const { data } = await ask(filled(OWN, { event }));
    const [hold = '', second = ''] = (data.holds as { hold_id: string }[]).map((h) => h.hold_id);
    await once(EXTEND, { hold }, { hold: second });
    await once(RELEASE, { hold }, { hold: second });
    await once(STAFF_RELEASE, { hold: second }, { event });
    await once(BLOCK, { event, seat }, { event, seat: other });
    await once(UNBLOCK, { event, seat }, { event, seat: other });
    await once(STAFF_HOLD, { event, seat }, { event, seat: other });
    const body = { user_ids: [userIdOf(scope().organizationId, 'tester')] };
    await once(SET_WHITELIST, { event, zone }, { event, zone }, { body });
    const release = filled(RELEASE_OWN, { event });
    await ask(filled(RESERVE, { event, seat: third }));
    expect((await ask(release, options)).status).toBe(200);
    const again = await ask(release, { ...options, body: { again: 1 } });
    expect(again.body.error).toBe('idempotency_key_reused');
    provoked.add(`${RELEASE_OWN} idempotency_key_reused`);
  });
});

describe('while the database does not answer', () => {
  /** One event on which these routes have something to do, each for somebody else. */
  async function furnished(routes = MUTATING) {
    const { eventId: event, seats, zones } = await show({ config: aHybridHall() });
    const used = [RELEASE_OWN, EXTEND, RELEASE, STAFF_RELEASE];
    const asks = await Promise.all(
      routes.map(async (route, index) => {
        const seat = seats[index] ?? '';
        const isStaff = route.includes('/admin/');
        const person = buyer(`who ${route.split(' ')[0]} ${index}`);
        const held = used.includes(route) ? await person.reserve(event, seat) : null;
        const hold = held ? { hold: String(held.data.hold_id) } : {};
        const ids = { event, seat, zone: zones[route === BEST ? 1 : 0] ?? '', ...hold };
        return { route, ids, options: isStaff ? {} : { token: person.token } };
      }),
    );
    const blocked = asks.find(({ route }) => route === UNBLOCK)?.ids.seat;
    await ask(filled(BLOCK, { event }), { body: { seat_ids: [blocked], reason: 'test' } });
    return { event, asks };
  }

  const revisionOf = async (event: string) => {
    const text = 'select revision from event_boards where event_id = $1';
    return (await database.asSuperuser(text, [event]))[0]?.revision;
  };

  it('event_busy: nothing was done', async () => {
    const { event, asks } = await furnished();
    const before = await revisionOf(event);
    await whileLocked(database, event, () =>
      Promise.all(
        asks.map(({ route, ids, options }) => provoke('event_busy', route, ids, options)),
      ),
    );
    expect(await revisionOf(event)).toBe(before);
  });

  it('outcome_unknown, and with the same key the answer is learnt later', async () => {
    // Each on an event of its own, so that nobody waits for somebody else's commit.
    const stages = await Promise.all(MUTATING.map((route) => furnished([route])));
    const headers = { 'idempotency-key': 'lost' };
    const before = await Promise.all(stages.map(({ event }) => revisionOf(event)));
    await whileCommitsAreSlow(database, async () => {
      for (let first = 0; first < stages.length; first += FEW) {
        const asks = stages.slice(first, first + FEW).flatMap((stage) => stage.asks);
        await Promise.all(
          asks.map(({ route, ids, options }) =>
            provoke('outcome_unknown', route, ids, { ...options, headers }),
          ),
        );
      }
    });
    for (const { route, ids, options } of stages.flatMap((stage) => stage.asks)) {
      const body = bodyFor(route, ids);
      const again = { ...options, headers, ...(body ? { body } : {}) };
      const reply = await eventually(async () => {
        const tried = await ask(filled(route, ids), again);
        return tried.status < 300 ? tried : null;
      });
      expect([route, reply.headers.get('idempotent-replayed')]).toEqual([route, 'true']);
    }
    // It was done once, when nobody knew.
    const after = await Promise.all(stages.map(({ event }) => revisionOf(event)));
    expect(after.map(Number)).toEqual(before.map((revision) => Number(revision) + 1));
  });
});

/** Events whose commits may be slow at the same time: a node has eight connections for them. */
const FEW = 4;

describe('the documented codes of these routes', () => {
  it('were all provoked, and no other', async () => {
    expect([...provoked].sort()).toEqual(await documentedCodes(node().address, ALL));
  });
});
