import { INVARIANTS, InvariantChecker } from '@voelgoed/engine/jobs';
import { withClient } from '@voelgoed/engine/postgres';
import { eventKeys } from '@voelgoed/engine/redis';
import { holdForCaller } from '@voelgoed/engine/workflows';
import {
  aCaller,
  anOrganization,
  aPublishedEvent,
  aSoldSeat,
  newId,
} from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { useRedis } from '@voelgoed/testkit/redises';
import { testServices } from '@voelgoed/testkit/services';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { alsoLogged, createMetrics } from '#metrics';
import { closeEngine, type OpenEngine, openEngine } from './engine.ts';
import { createLogger } from './logger.ts';

const database = useDatabase();
const redis = useRedis();
const open: OpenEngine[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map(closeEngine));
  // What one test has planted is nobody else's affair.
  await database.asSuperuser(`update events set status = 'archived'`);
});

/** An event with a ticket and a hold, and a checker whose numbers and lines can be read. */
async function aWatchedEvent() {
  const lines: string[] = [];
  const metrics = createMetrics({ redis: true });
  const logger = createLogger('warn', { write: (line) => lines.push(line) });
  const { authSecret } = testServices();
  const services = { ownerUrl: database.ownerUrl, authSecret, redisUrl: redis().url };
  const engine = openEngine(services, alsoLogged(metrics.telemetry, logger));
  open.push(engine);
  await engine.warm?.connect();
  const scope = await anOrganization(database.postgres);
  const { eventId } = await aPublishedEvent(engine, scope);
  await aSoldSeat(engine, scope, eventId);
  const seatId = (await engine.registry.board({ scope, eventId }))?.plan.seatIdOf(0) ?? '';
  const wish = { items: [{ seat_id: seatId }], for: newId(), minutes: 10, notes: null };
  const held = await holdForCaller(engine, aCaller({ scope }), eventId, wish);
  if (held.kind !== 'held') throw new Error(`not held: ${held.kind}`);
  const checker = new InvariantChecker(engine);
  /** Somebody else's wish, each time for another seat. */
  let next = 1;
  const commit = async () => {
    const seat_id = (await engine.registry.board({ scope, eventId }))?.plan.seatIdOf(next++) ?? '';
    const another = { items: [{ seat_id }], for: newId(), minutes: 10, notes: null };
    const { kind } = await holdForCaller(engine, aCaller({ scope }), eventId, another);
    if (kind !== 'held') throw new Error(`not held: ${kind}`);
  };
  /** What a round finds: invariants by the number of contradictions, counted and written down. */
  const round = async (stopping?: AbortSignal): Promise<Record<string, number>> => {
    lines.length = 0;
    const before = await violations(metrics);
    await checker.round(stopping);
    const after = await violations(metrics);
    const found = Object.fromEntries(
      INVARIANTS.flatMap((name) => {
        const grew = (after.get(name) ?? 0) - (before.get(name) ?? 0);
        return grew === 0 ? [] : [[name, grew]];
      }),
    );
    const written = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(written.filter(({ msg }) => msg === 'job.failed')).toEqual([]);
    const told = written.filter(({ msg }) => msg === 'invariant.violated');
    expect(told.map(({ invariant }) => invariant).sort()).toEqual(Object.keys(found).sort());
    const ids = { organization_id: scope.organizationId, event_id: eventId };
    for (const line of told) expect(line).toMatchObject({ level: 50, ids });
    return found;
  };
  return { scope, eventId, engine, round, commit, metrics };
}

async function violations({ text }: { text(): Promise<string> }): Promise<Map<string, number>> {
  const found = (await text()).matchAll(
    /^voelgoed_invariant_violated_total\{invariant="(\w+)"\} (\d+)$/gm,
  );
  return new Map([...found].map(([, name = '', count]) => [name, Number(count)]));
}

/** As a hand in the database would: no trigger and no foreign key has a say. */
const plant = (text: string, values: readonly unknown[]) =>
  withClient(database.superuserUrl, async (client) => {
    await client.query('set session_replication_role = replica');
    expect((await client.query(text, [...values])).rowCount).toBeGreaterThan(0);
  });

/** Each invariant with a hand that breaks it, and what else that breaks. */
const PLANTED: readonly (readonly [string, Record<string, number>, string])[] = [
  [
    'a held seat that names no hold',
    { seats: 1 },
    `update event_seats set seat_hold_id = null where event_id = $1 and status = 'held'`,
  ],
  [
    'a hold that ends at another time than its seat',
    { seats: 1, memory: 1, redis: 1 },
    `update seat_holds set held_until = held_until + interval '1 minute' where event_id = $1
       and status = 'active'`,
  ],
  [
    'a sold seat whose ticket is void',
    { tickets: 1 },
    `update tickets set status = 'voided', ended_at = now() where event_id = $1`,
  ],
  [
    'a counter that is one too high',
    { counters: 1, memory: 1 },
    `update event_zones set held = held + 1 where event_id = $1`,
  ],
  [
    'a hold that is over and never ended',
    { overdue_holds: 1, memory: 1, redis: 1 },
    `with gone as (update seat_holds set created_at = now() - interval '1 hour',
         held_until = now() - interval '6 minutes' where event_id = $1 and status = 'active'
         returning seat_id, held_until)
     update event_seats e set held_until = gone.held_until from gone
     where e.event_id = $1 and e.seat_id = gone.seat_id`,
  ],
  [
    'a row of the log that is missing',
    { log: 1 },
    `delete from seat_changes where event_id = $1
       and revision = (select revision from event_boards where event_id = $1)`,
  ],
  [
    'a row of the trail that was altered',
    { audit_chain: 1 },
    `update audit_log set actor_role = 'owner' where chain_id = $1 and sequence = 2`,
  ],
  [
    'a row of the trail that is missing',
    { audit_chain: 1 },
    `delete from audit_log where chain_id = $1 and sequence = 1`,
  ],
];

describe('the checker', () => {
  it('finds nothing in an event that is right, and looks at everything', async () => {
    const { round, metrics } = await aWatchedEvent();
    expect(await round()).toEqual({});
    const text = await metrics.text();
    for (const invariant of INVARIANTS) {
      expect(text).toContain(`voelgoed_invariant_checked_total{invariant="${invariant}"} 1`);
    }
  });

  it.each(PLANTED)('finds %s', async (_, expected, text) => {
    const { eventId, round } = await aWatchedEvent();
    await plant(text, [eventId]);
    expect(await round()).toMatchObject(expected);
  });

  it('does not wait to see whether Redis heals when the node stops', async () => {
    const { eventId, round } = await aWatchedEvent();
    const [, , text = ''] = PLANTED.find(([, expected]) => expected.redis && expected.seats) ?? [];
    await plant(text, [eventId]);
    const found = await round(AbortSignal.abort());
    expect(found).toMatchObject({ seats: 1, memory: 1 });
    expect(found).not.toHaveProperty('redis');
  });

  it('finds rows that stand in another organization than their event', async () => {
    const { scope, round } = await aWatchedEvent();
    const other = await aWatchedEvent();
    await plant(
      `insert into idempotency_keys (organization_id, event_id, user_id, route, key, body_hash,
         answer, created_at)
       values ($1, $2, $3, 'POST /', 'k', decode('00', 'hex'), '{}', now())`,
      [scope.organizationId, other.eventId, newId()],
    );
    expect(await round()).toEqual({ tenancy: 1 });
  });

  it('finds a Redis that says something else', async () => {
    const { scope, eventId, round } = await aWatchedEvent();
    const { seatHolds } = eventKeys(scope.organizationId, eventId);
    await eventually(async () => (await redis().command('zcard', seatHolds)) === 1);
    expect(await round()).toEqual({});
    await redis().command('del', seatHolds);
    expect(await round()).toEqual({ redis: 1 });
  });

  it('finds nothing in an event that is sold faster than it can be looked at', async () => {
    const { engine, round, commit, scope, eventId } = await aWatchedEvent();
    const { warm, registry } = engine;
    if (!warm) throw new Error('there is no Redis');
    const { seatHolds } = eventKeys(scope.organizationId, eventId);
    const lookAt = warm.compare.bind(warm);
    const compare = registry.memory.compare.bind(registry.memory);
    let looks = 0;
    // Between the look at one tier and the look at the next.
    vi.spyOn(warm, 'compare').mockImplementation(async (...asked) => {
      // As if what others have committed were not there yet.
      await redis().command('del', seatHolds);
      const counted = await lookAt(...asked);
      looks++;
      await commit();
      return counted;
    });
    vi.spyOn(registry.memory, 'compare').mockImplementation(async (event) => {
      const [compared] = await Promise.all([compare(event), commit()]);
      return compared;
    });
    expect(await round()).toEqual({});
    expect(looks).toBeGreaterThan(1);
  });
});

describe('the oldest snapshot', () => {
  it('is seen, whoever keeps it open', async () => {
    const { round, metrics } = await aWatchedEvent();
    await withClient(database.superuserUrl, async (client) => {
      await client.query('begin isolation level repeatable read');
      await client.query('select 1 from events limit 1');
      await eventually(async () => {
        await round();
        const [, seconds] =
          /^voelgoed_postgres_oldest_snapshot_seconds (\S+)$/m.exec(await metrics.text()) ?? [];
        return Number(seconds) > 0.2;
      });
    });
  });
});
