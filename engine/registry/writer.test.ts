import { eventually } from '@voelgoed/testkit/eventually';
import {
  aClock,
  aGate,
  aWish,
  blockOf,
  extendOf,
  holdOf,
  holdsIn,
  problems,
  releaseOf,
  type Sale,
  storeWith,
  useSales,
} from '@voelgoed/testkit/sales';
import { describe, expect, it } from 'vitest';
import { LOG_FORMAT } from '#board';
import { systemClock } from '#kit';
import type { Answer, SeatRegistry } from './registry.ts';

const sales = useSales();
const { database } = sales;

const rowsOf = (table: string, eventId: string, order: string) =>
  database.asSuperuser(`select * from ${table} where event_id = $1 order by ${order}`, [eventId]);

async function liveHolds({ eventId }: Sale): Promise<number> {
  const rows = await rowsOf('seat_holds', eventId, 'hold_id');
  return rows.filter(({ status }) => status === 'active').length;
}

/** Holds for a moment that is over when this returns. */
async function expired(registry: SeatRegistry, sale: Sale, wanted: Parameters<typeof holdOf>[1]) {
  const command = holdOf(sale.buyers[0] ?? '', wanted, { hold_seconds: 0.05 });
  const [hold] = holdsIn(await registry.submit(sale, aWish(command)));
  await eventually(() => systemClock.now() > (hold?.until_ms ?? 0) + 5);
  return hold;
}

const refusal = (code: string) => ({ kind: 'done', outcome: { kind: 'refused', code } });
const accepted = { kind: 'done', outcome: { kind: 'held', existing: false } };

describe('one hold', () => {
  it('is in every table, and every table agrees', async () => {
    const sale = await sales.open();
    const { registry } = sales.node();
    const [buyer = ''] = sale.buyers;
    const wanted = [sale.seats[3] ?? '', [sale.floor, 4]] as const;
    const context = { id: buyer, userId: buyer, ip: '192.0.2.1', userAgent: 'test' };
    const command = holdOf(buyer, wanted, { cart_token: 'cart', ip: 'hash', notes: 'aisle' });
    const answer = await registry.submit(sale, aWish(command, { context }));
    expect(answer).toMatchObject({ kind: 'done', revision: 2, replayed: false });
    const [seat, places] = holdsIn(answer);
    const about = { user_id: buyer, cart_token: 'cart', status: 'active', source: 'web' };
    expect(await rowsOf('seat_holds', sale.eventId, 'seat_id')).toMatchObject([
      { ...about, hold_id: seat?.hold_id, seat_id: sale.seats[3], zone_id: null, quantity: 1 },
      { ...about, hold_id: places?.hold_id, seat_id: null, zone_id: sale.floor, quantity: 4 },
    ]);
    const seats = await rowsOf('event_seats', sale.eventId, 'ordinal');
    const held_until = new Date(seat?.until_ms ?? 0);
    expect(seats[3]).toMatchObject({ status: 'held', seat_hold_id: seat?.hold_id, held_until });
    expect(seats.filter(({ status }) => status !== 'available')).toHaveLength(1);
    expect(await rowsOf('event_zones', sale.eventId, 'place')).toMatchObject([
      { held: 1, sold: 0, blocked: 0 },
      { held: 4, sold: 0, blocked: 0 },
    ]);
    const log = await rowsOf('seat_changes', sale.eventId, 'revision');
    expect(log.at(-1)).toMatchObject({ revision: '2', format: LOG_FORMAT });
    const [board] = await rowsOf('event_boards', sale.eventId, 'revision');
    expect(board).toMatchObject({ revision: '2', lineage_head: log.at(-1)?.hash });
    const trail = await database.asSuperuser(
      'select action, entity_id, context_id from audit_log where chain_id = $1 order by sequence',
      [sale.eventId],
    );
    expect(trail).toEqual([
      { action: 'seat_reserved', entity_id: seat?.hold_id, context_id: buyer },
      { action: 'seat_reserved', entity_id: places?.hold_id, context_id: buyer },
    ]);
    expect(await problems(database, sale)).toEqual([]);
  });

  it('takes all of a wish or nothing', async () => {
    const sale = await sales.open();
    const { registry } = sales.node();
    const [one = '', other = ''] = sale.buyers;
    const [a = '', b = '', c = ''] = sale.seats;
    await registry.submit(sale, aWish(holdOf(one, [b])));
    const mixed = await registry.submit(sale, aWish(holdOf(other, [a, b, c, [sale.floor, 2]])));
    expect(mixed).toMatchObject(refusal('seat_held_by_another_user'));
    const tooMany = await registry.submit(sale, aWish(holdOf(other, [a, [sale.floor, 101]])));
    expect(tooMany).toMatchObject(refusal('block_at_capacity'));
    expect(await liveHolds(sale)).toBe(1);
    expect(await problems(database, sale)).toEqual([]);
  });

  it('of the same user again changes nothing and names the first', async () => {
    const sale = await sales.open();
    const { registry } = sales.node();
    const [buyer = ''] = sale.buyers;
    const wanted = sale.seats.slice(0, 2);
    const first = holdsIn(await registry.submit(sale, aWish(holdOf(buyer, wanted))));
    const again = await registry.submit(sale, aWish(holdOf(buyer, wanted)));
    expect(again).toMatchObject({ revision: 2, outcome: { kind: 'held', existing: true } });
    expect(holdsIn(again)).toEqual(first);
    expect(await rowsOf('seat_changes', sale.eventId, 'revision')).toHaveLength(2);
  });

  it('is extended and released, and the trail has each once', async () => {
    const sale = await sales.open();
    const { registry } = sales.node();
    const [buyer = '', other = ''] = sale.buyers;
    const [hold] = holdsIn(
      await registry.submit(sale, aWish(holdOf(buyer, sale.seats.slice(0, 1)))),
    );
    const { hold_id = '', until_ms = 0 } = hold ?? {};
    const foreign = await registry.submit(sale, aWish(extendOf(other, hold_id)));
    expect(foreign).toMatchObject(refusal('hold_not_found'));
    const extended = await registry.submit(sale, aWish(extendOf(buyer, hold_id)));
    const longer = { hold: { until_ms: until_ms + 300_000 } };
    expect(extended).toMatchObject({ outcome: { kind: 'extended', ...longer } });
    const which = { hold_ids: [hold_id] };
    const release = () => registry.submit(sale, aWish(releaseOf(which, { owner: buyer })));
    expect(await release()).toMatchObject({ outcome: { seats: 1 } });
    expect(await release()).toMatchObject({ outcome: { seats: 0 } });
    expect(await problems(database, sale)).toEqual([]);
  });
});

describe('an expired hold', () => {
  it('is taken over in one commit, seat and places, with the sweep off', async () => {
    const sale = await sales.open({ places: 3 });
    const { registry } = sales.node();
    const [seat = ''] = sale.seats;
    await expired(registry, sale, [seat, [sale.floor, 3]]);
    const before = (await registry.board(sale))?.revision ?? 0;
    const wish = aWish(holdOf(sale.buyers[1] ?? '', [seat, [sale.floor, 3]]));
    expect(await registry.submit(sale, wish)).toMatchObject({ ...accepted, revision: before + 1 });
    const statuses = (await rowsOf('seat_holds', sale.eventId, 'created_at, seat_id')).map(
      ({ status, end_reason }) => [status, end_reason],
    );
    const over = ['expired', 'ttl_expired'];
    expect(statuses).toEqual([over, over, ['active', null], ['active', null]]);
    expect(await problems(database, sale)).toEqual([]);
  });

  it('cannot be extended any more', async () => {
    const sale = await sales.open();
    const { registry } = sales.node();
    const hold = await expired(registry, sale, sale.seats.slice(0, 1));
    const extend = aWish(extendOf(sale.buyers[0] ?? '', hold?.hold_id ?? ''));
    expect(await registry.submit(sale, extend)).toMatchObject(refusal('hold_not_found'));
  });
});

describe('a flush', () => {
  it('frees seats before it gives them away, whoever came first', async () => {
    const sale = await sales.open();
    const [one = '', other = ''] = sale.buyers;
    const [seat = ''] = sale.seats;
    await sales.node().registry.submit(sale, aWish(holdOf(one, [seat])));
    // A node that has not loaded the board refuses nothing by itself.
    const { registry } = sales.node();
    const [held, released] = await Promise.all([
      registry.submit(sale, aWish(holdOf(other, [seat]))),
      registry.submit(sale, aWish(releaseOf({ user_id: one }))),
    ]);
    expect(released).toMatchObject({ outcome: { kind: 'released', seats: 1 } });
    expect(held).toMatchObject(accepted);
    expect(held).toMatchObject({ revision: released.kind === 'done' ? released.revision : 0 });
    expect(await problems(database, sale)).toEqual([]);
  });

  it('gives one seat to one of many who wish for it at once', async () => {
    const sale = await sales.open({ buyers: 40 });
    const [seat = ''] = sale.seats;
    const nodes = [sales.node(), sales.node(), sales.node()];
    const answers = await Promise.all(
      sale.buyers.map((buyer, index) =>
        nodes[index % 3]?.registry.submit(sale, aWish(holdOf(buyer, [seat]))),
      ),
    );
    const kinds = answers.map((answer) => answer?.kind === 'done' && answer.outcome.kind);
    expect(kinds.filter((kind) => kind === 'held')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'refused')).toHaveLength(39);
    expect(await problems(database, sale)).toEqual([]);
  });

  it('that releases all also meets holds that end at the same moment', async () => {
    const sale = await sales.open();
    const { registry } = sales.node();
    const [one = '', other = ''] = sale.buyers;
    const [a = '', b = '', c = ''] = sale.seats;
    await registry.submit(sale, aWish(holdOf(other, [a, b])));
    await expired(registry, sale, [c]);
    const all = () => registry.submit(sale, aWish(releaseOf('all')));
    const [own, first, second] = await Promise.all([
      registry.submit(sale, aWish(releaseOf({ user_id: one }))),
      all(),
      all(),
    ]);
    expect([own, first, second]).toMatchObject([
      { outcome: { kind: 'released', seats: 0 } },
      { outcome: { kind: 'released', seats: 2 } },
      { outcome: { kind: 'released', seats: 0 } },
    ]);
    expect(await liveHolds(sale)).toBe(0);
    expect(await problems(database, sale)).toEqual([]);
  });

  it('blocks a seat that somebody holds and gives it back when it is unblocked', async () => {
    const sale = await sales.open();
    const { registry } = sales.node();
    const [one = '', other = ''] = sale.buyers;
    const [seat = ''] = sale.seats;
    await registry.submit(sale, aWish(holdOf(one, [seat])));
    await registry.submit(sale, aWish(blockOf([seat])));
    const taken = await registry.submit(sale, aWish(holdOf(other, [seat])));
    expect(taken).toMatchObject(refusal('seat_not_available'));
    await registry.submit(sale, aWish(blockOf([seat], 'unblock')));
    expect(await registry.submit(sale, aWish(holdOf(other, [seat])))).toMatchObject(accepted);
    expect(await problems(database, sale)).toEqual([]);
  });
});

describe('a zone with restricted access', () => {
  it('looks under the lock who somebody is now', async () => {
    const zone = { access_mode: 'membership_tier', membership_tier: 'gold' };
    const sale = await sales.open({ zone });
    const { registry } = sales.node();
    const [buyer = ''] = sale.buyers;
    const hold = () => registry.submit(sale, aWish(holdOf(buyer, [[sale.floor, 1]])));
    expect(await hold()).toMatchObject(refusal('zone_access_denied'));
    const member = (status: string) =>
      database.asSuperuser(
        `insert into memberships (organization_id, user_id, role, tier, status)
         values ($1, $2, 'customer', 'gold', $3)
         on conflict (organization_id, user_id) do update set status = excluded.status`,
        [sale.scope.organizationId, buyer, status],
      );
    await member('active');
    expect(await hold()).toMatchObject(accepted);
    await member('revoked');
    expect(await hold()).toMatchObject(refusal('zone_access_denied'));
  });
});

describe('bounds', () => {
  it('10,000 wait for one seat and are answered; the next is told to come back', async () => {
    const sale = await sales.open();
    const { registry, count } = sales.node();
    const [seat = ''] = sale.seats;
    const deadline_ms = aClock().monotonic() + 15_000;
    const wishes = Array.from({ length: 10_001 }, (_, index) => {
      const command = holdOf(sale.buyers[index % 2] ?? '', [seat]);
      return registry.submit(sale, aWish(command, { deadline_ms }));
    });
    const answers = await Promise.allSettled(wishes);
    expect(answers.pop()).toMatchObject({ status: 'rejected', reason: { code: 'event_busy' } });
    const kinds = answers.map((one) => (one.status === 'fulfilled' ? kindOf(one.value) : 'busy'));
    expect(kinds.filter((kind) => kind === 'held')).toHaveLength(5_000);
    expect(kinds.filter((kind) => kind === 'refused')).toHaveLength(5_000);
    expect(await liveHolds(sale)).toBe(1);
    expect(count('flush.trouble')).toBe(0);
  });

  it('too late or given up: not decided', async () => {
    const sale = await sales.open();
    const { registry } = sales.node();
    const [a = '', b = ''] = sale.buyers;
    const late = aWish(holdOf(a, sale.seats.slice(0, 1)), { deadline_ms: 0 });
    const { signal } = { signal: AbortSignal.abort() };
    const gone = aWish(holdOf(b, sale.seats.slice(1, 2)), { signal });
    const busy = { code: 'event_busy' };
    await expect(registry.submit(sale, late)).rejects.toMatchObject(busy);
    await expect(registry.submit(sale, gone)).rejects.toMatchObject(busy);
    expect(await liveHolds(sale)).toBe(0);
  });

  it('given up between the queue and the lock: not decided', async () => {
    const sale = await sales.open();
    const gate = aGate();
    const { registry } = sales.node({
      wrap: (store) =>
        storeWith(store, {
          transact: async (event, ask, decide) => {
            await gate.pass();
            return store.transact(event, ask, decide);
          },
        }),
    });
    gate.shut();
    const giving = new AbortController();
    const command = holdOf(sale.buyers[0] ?? '', sale.seats.slice(0, 1));
    const wish = registry.submit(sale, aWish(command, { signal: giving.signal }));
    giving.abort();
    gate.open();
    await expect(wish).rejects.toMatchObject({ code: 'event_busy' });
    expect(await liveHolds(sale)).toBe(0);
  });

  it.each([
    ['before it has decided', false, 'event_busy', 0],
    ['after it has decided', true, 'outcome_unknown', 1],
  ] as const)('a store that is silent %s', async (_, decides, code, holds) => {
    const sale = await sales.open();
    const gate = aGate();
    const { registry } = sales.node({
      wrap: (store) =>
        storeWith(store, {
          transact: async (event, ask, decide) => {
            if (!decides) await gate.pass();
            const done = await store.transact(event, ask, decide);
            if (decides) await gate.pass();
            return done;
          },
        }),
    });
    gate.shut();
    const deadline_ms = aClock().monotonic() + 200;
    const command = holdOf(sale.buyers[0] ?? '', sale.seats.slice(0, 1));
    const wish = registry.submit(sale, aWish(command, { deadline_ms }));
    await expect(wish).rejects.toMatchObject({ code });
    gate.open();
    await registry.sweep(sale, aClock().monotonic() + 2_000);
    expect(await liveHolds(sale)).toBe(holds);
  });
});

it('a wish that comes while a flush without wishes is under way is of the next one', async () => {
  const sale = await sales.open();
  const [buyer = ''] = sale.buyers;
  const [seat = '', other = ''] = sale.seats;
  const later: Promise<Answer>[] = [];
  const { registry } = sales.node({
    wrap: (store) =>
      storeWith(store, {
        transact: (event, ask, decide) =>
          store.transact(event, ask, (...opened) => {
            const flush = decide(...opened);
            if (later.length === 0) {
              later.push(registry.submit(sale, aWish(holdOf(buyer, [other]))));
            }
            return flush;
          }),
      }),
  });
  await registry.board(sale);
  const signal = { aborted: false };
  const given = registry.submit(sale, { ...aWish(holdOf(buyer, [seat])), signal });
  signal.aborted = true;
  await expect(given).rejects.toThrow();
  await eventually(() => later.length > 0);
  expect(await later[0]).toMatchObject({ outcome: { kind: 'held' } });
});

it('nobody waits for somebody else’s patience', async () => {
  const sale = await sales.open();
  const gate = aGate();
  const { registry } = sales.node({
    wrap: (store) =>
      storeWith(store, {
        transact: async (event, ask, decide) => {
          await gate.pass();
          return store.transact(event, ask, decide);
        },
      }),
  });
  gate.shut();
  const wish = (place: number, within_ms: number) => {
    const command = holdOf(sale.buyers[place] ?? '', sale.seats.slice(place, place + 1));
    const deadline_ms = systemClock.monotonic() + within_ms;
    return registry.submit(sale, aWish(command, { deadline_ms }));
  };
  const patient = wish(0, 10_000);
  const started = systemClock.monotonic();
  await expect(wish(1, 100)).rejects.toMatchObject({ code: 'event_busy' });
  expect(systemClock.monotonic() - started).toBeLessThan(5_000);
  gate.open();
  expect(await patient).toMatchObject(accepted);
});

function kindOf(answer: Answer): string {
  return answer.kind === 'done' ? answer.outcome.kind : answer.kind;
}
