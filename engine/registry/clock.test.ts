import { control, type Off } from '@voelgoed/testkit/controls';
import { eventually } from '@voelgoed/testkit/eventually';
import {
  aWish,
  holdOf,
  keyOf,
  type Sale,
  storeWith,
  type TestNode,
  useSales,
} from '@voelgoed/testkit/sales';
import { beforeEach, describe, expect, it } from 'vitest';
import { sweepOnce } from '#jobs';
import { systemClock, systemRandom } from '#kit';
import { silentTelemetry } from '#telemetry';
import { readDrift, removeDrift, slewDrift } from '#workflows';
import { type ClockState, driftAt } from './clock-rules.ts';
import type { Store } from './ports.ts';
import { PostgresStore } from './postgres-store.ts';

const sales = useSales();
const { database } = sales;
const HOUR_MS = 3_600_000;
const HOLD_SECONDS = 2;

// Not after a test: its nodes still run then, and would set their drift again.
beforeEach(() => database.asSuperuser(`update clock_state set drift_ms = 0, slewing_since = null`));

/** A database whose clock can be set: every reading of it is moved by as much. */
function aClockThatIsSet(off?: Off) {
  const set = { by_ms: 0 };
  let jumps = 0;
  const asRead = (state: ClockState): ClockState => ({
    ...state,
    changed_ms: state.changed_ms + set.by_ms,
    // As if each reading had nothing to do with the one before.
    jumps: off?.has('shared drift') ? jumps++ : state.jumps,
  });
  const wrap = (store: PostgresStore): Store =>
    storeWith(store, {
      clock: async () => {
        const read = await store.clock();
        return { wall_ms: read.wall_ms + set.by_ms, state: asRead(read.state) };
      },
      setDrift: ({ from_ms, until_ms, ...wanted }) => {
        const range = { from_ms: from_ms - set.by_ms, until_ms: until_ms - set.by_ms };
        return store.setDrift({ ...wanted, ...range });
      },
      transact: (event, ask, decide) =>
        store.transact(event, ask, (opened, asked) => {
          const clock = asRead(opened.clock);
          return decide({ ...opened, clock, now_ms: opened.now_ms + set.by_ms }, asked);
        }),
    });
  return { set, wrap };
}

async function hold({ registry }: TestNode, sale: Sale, buyer: number, seat: number) {
  const command = holdOf(sale.buyers[buyer] ?? '', sale.seats.slice(seat, seat + 1));
  const answer = await registry.submit(sale, aWish(command));
  return answer.kind === 'done' ? answer.outcome : answer;
}

/** Two nodes, a hold, and then the clock of the database is set. */
async function aStep(by_ms: number, off?: Off) {
  const sale = await sales.open();
  const { set, wrap } = aClockThatIsSet(off);
  const options = { wrap, demoHoldSeconds: HOLD_SECONDS };
  const [one, other] = [sales.node(options), sales.node(options)];
  const [before] = await drifts();
  expect(await hold(one, sale, 0, 0)).toMatchObject({ kind: 'held' });
  const held_ms = systemClock.monotonic();
  expect(await hold(other, sale, 3, 3)).toMatchObject({ kind: 'held' });
  set.by_ms = by_ms;
  return { sale, one, other, held_ms, before };
}

function drifts() {
  return database.asSuperuser('select epoch::int, drift_ms::float8 from clock_state');
}

async function endedEarly(off: Off): Promise<string[]> {
  const { sale, other } = await aStep(HOUR_MS, off);
  await hold(other, sale, 2, 5);
  const outcome = await hold(other, sale, 1, 0);
  return outcome.kind === 'held' ? ['a hold has ended early'] : [];
}

describe('a clock of the database that is set while nodes are running', () => {
  it.each([
    ['an hour forward', HOUR_MS],
    ['an hour back', -HOUR_MS],
    ['a day forward', 24 * HOUR_MS],
    ['a day back', -24 * HOUR_MS],
  ])('ends no hold early and none late: %s', async (_, by_ms) => {
    const { sale, one, other, held_ms, before } = await aStep(by_ms);
    // Both find it at once; one of them sets the drift, and both sell.
    const both = await Promise.all([hold(one, sale, 1, 4), hold(other, sale, 2, 5)]);
    for (const outcome of both) expect(outcome).toMatchObject({ kind: 'held' });
    expect(await hold(other, sale, 5, 0)).toMatchObject({ code: 'seat_held_by_another_user' });
    const [after] = await drifts();
    expect(after?.epoch).toBe(Number(before?.epoch) + 1);
    expect(Math.abs(Number(after?.drift_ms) - by_ms)).toBeLessThan(3_000);
    expect(one.count('clock.stepped') + other.count('clock.stepped')).toBe(1);
    // Memory still refuses, and the hold ends when its time is over.
    await eventually(async () => (await hold(other, sale, 5, 0)).kind === 'held');
    const lasted_ms = systemClock.monotonic() - held_ms;
    expect(lasted_ms).toBeGreaterThan(HOLD_SECONDS * 1_000 - 500);
    const at = 'select at from seat_changes where event_id = $1 order by revision';
    const times = (await database.asSuperuser(at, [sale.eventId])).map((row) => Number(row.at));
    expect(times).toEqual([...times].sort((x, y) => x - y));
    // What is written is the event's time, not the clock's.
    expect(Math.abs((times.at(-1) ?? 0) - systemClock.now())).toBeLessThan(60_000);
  });

  it('is found by the poll of every second, without any request', async () => {
    const { one } = await aStep(HOUR_MS);
    await one.registry.poll();
    expect(one.count('clock.stepped')).toBe(1);
    expect(Math.abs(one.registry.drift_ms - HOUR_MS)).toBeLessThan(3_000);
    expect(Math.abs(one.registry.time() - systemClock.now())).toBeLessThan(3_000);
    expect(Math.abs(one.registry.wall() - HOUR_MS - systemClock.now())).toBeLessThan(3_000);
  });

  control('shared drift', endedEarly);
});

describe('the shared row', () => {
  it('is changed by one of two who read the same epoch', async () => {
    const [one, other] = [
      new PostgresStore(database.postgres),
      new PostgresStore(database.postgres),
    ];
    const { state, wall_ms } = await one.clock();
    const wanted = {
      epoch: state.epoch,
      isJump: false,
      from_ms: wall_ms,
      until_ms: wall_ms + HOUR_MS,
    };
    const set = [
      one.setDrift({ ...wanted, drift_ms: 1_000 }),
      other.setDrift({ ...wanted, drift_ms: 2_000 }),
    ];
    expect((await Promise.all(set)).sort()).toEqual([false, true]);
    const after = await one.clock();
    expect(after.state.epoch).toBe(state.epoch + 1);
    expect(after.state.changed_ms).toBeGreaterThanOrEqual(wall_ms);
    expect(after.state.changed_ms).toBeLessThanOrEqual(after.wall_ms);
  });

  it.each([
    ['back', HOUR_MS],
    ['forward', -HOUR_MS],
  ])('is not changed for a clock that has been set %s since', async (_, by_ms) => {
    const store = new PostgresStore(database.postgres);
    const { state, wall_ms } = await store.clock();
    const range = { from_ms: wall_ms + by_ms, until_ms: wall_ms + by_ms + 5_000 };
    const wanted = { epoch: state.epoch, drift_ms: by_ms, isJump: false, ...range };
    expect(await store.setDrift(wanted)).toBe(false);
    expect((await store.clock()).state).toEqual(state);
  });

  it.each([
    ['no drift', 0, null],
    ['ahead', HOUR_MS, null],
    ['behind', -HOUR_MS, null],
    ['ahead, slewing', 60_000, 100_000],
    ['behind, slewing', -60_000, 100_000],
    ['slewed away', 1_000, 3_600_000],
  ])('says the same in SQL and in memory: %s', async (_, drift_ms, since_ms) => {
    await database.asSuperuser(
      `update clock_state set drift_ms = $1, slewing_since =
         case when $2::float8 is not null then now() - make_interval(secs => $2 / 1000) end`,
      [drift_ms, since_ms],
    );
    const [row] = await database.asSuperuser(
      `select extract(epoch from t.wall - t.event) * 1000 as apart,
         extract(epoch from t.wall) * 1000 as wall
       from (select event_now() as event, clock_timestamp() as wall offset 0) t`,
    );
    const { state } = await new PostgresStore(database.postgres).clock();
    expect(Math.abs(driftAt(state, Number(row?.wall)) - Number(row?.apart))).toBeLessThan(20);
  });

  it('is what an operator slews, keeps and removes', async () => {
    const tools = { postgres: database.postgres };
    await database.asSuperuser(`update clock_state set drift_ms = 90000`);
    expect(await slewDrift(tools, true)).toBe(true);
    expect(await readDrift(tools)).toMatchObject({ slewing: true });
    expect(await slewDrift(tools, false)).toBe(true);
    const { drift_ms, slewing } = await readDrift(tools);
    expect(slewing).toBe(false);
    expect(drift_ms).toBeGreaterThan(89_000);
    expect(await removeDrift(tools)).toBe(true);
    expect(await readDrift(tools)).toMatchObject({ drift_ms: 0 });
    // Event time never runs backwards.
    await database.asSuperuser(`update clock_state set drift_ms = -90000`);
    expect(await removeDrift(tools)).toBe(false);
  });

  it('lets a key be known for 24 hours of event time, whatever the clock says', async () => {
    const sale = await sales.open();
    const DAY_AND_MORE_MS = 25 * HOUR_MS;
    await database.asSuperuser(
      `update clock_state set drift_ms = ${DAY_AND_MORE_MS}, jumps = jumps + 1`,
    );
    const { registry } = sales.node();
    const buyer = sale.buyers[0] ?? '';
    const command = holdOf(buyer, sale.seats.slice(0, 1));
    const wish = { ...aWish(command), key: keyOf(buyer, 'once') };
    expect(await registry.submit(sale, wish)).toMatchObject({ kind: 'done', replayed: false });
    expect(await registry.submit(sale, wish)).toMatchObject({ kind: 'done', replayed: true });
  });

  it('decides what the reaper finds due', async () => {
    const sale = await sales.open();
    const node = sales.node({ demoHoldSeconds: 600 });
    expect(await hold(node, sale, 0, 0)).toMatchObject({ kind: 'held' });
    const tools = { clock: systemClock, random: systemRandom, telemetry: silentTelemetry };
    const sweep = () =>
      sweepOnce({ ...tools, postgres: database.postgres, registry: node.registry });
    const live = async () => {
      const count = `select count(*)::int as live from seat_holds
        where event_id = $1 and status = 'active'`;
      return (await database.asSuperuser(count, [sale.eventId]))[0]?.live;
    };
    // The clock says that it was over long ago; event time says that it is not.
    const move = `update seat_holds set held_until = held_until - interval '1 hour',
      created_at = created_at - interval '1 hour' where event_id = $1`;
    await database.asSuperuser(move, [sale.eventId]);
    await database.asSuperuser(
      `update event_seats set held_until = held_until - interval '1 hour'
       where event_id = $1 and held_until is not null`,
      [sale.eventId],
    );
    await database.asSuperuser(`update clock_state set drift_ms = ${HOUR_MS}, jumps = jumps + 1`);
    await sweep();
    expect(await live()).toBe(1);
    const due = 'select from lookup_due_events(1000) where event_id = $1';
    expect(await database.asSuperuser(due, [sale.eventId])).toEqual([]);
    await database.asSuperuser(`update clock_state set drift_ms = 0, jumps = jumps + 1`);
    expect(await database.asSuperuser(due, [sale.eventId])).toHaveLength(1);
  });
});
