import { readFile } from 'node:fs/promises';
import { InvariantChecker } from '@voelgoed/engine/jobs';
import { systemClock } from '@voelgoed/engine/kit';
import { withClient } from '@voelgoed/engine/postgres';
import { eventKeys } from '@voelgoed/engine/redis';
import type { Happening } from '@voelgoed/engine/telemetry';
import {
  type Caller,
  type Engine,
  extendHold,
  holdSeats,
  releaseHold,
} from '@voelgoed/engine/workflows';
import {
  aCaller,
  aHold,
  anActiveLayout,
  anEngine,
  aPublishedEvent,
  aSoldSeat,
  aUser,
} from '@voelgoed/testkit/builders';
import { eventually } from '@voelgoed/testkit/eventually';
import { useReceivers } from '@voelgoed/testkit/receivers';
import { useRedis } from '@voelgoed/testkit/redises';
import { aWish } from '@voelgoed/testkit/sales';
import {
  aHybridHall,
  anAccessibleHall,
  PAYMENT_SECRET,
  tell,
  useShows,
} from '@voelgoed/testkit/shows';
import { Viewer } from '@voelgoed/testkit/viewers';
import { describe, expect, it } from 'vitest';
import { WITHOUT_EVENT } from './lines-without-event.ts';
import { createMetrics, LEVELS } from './metrics.ts';

/** Where what no whole node does on a good day is brought about with its cause. */
const ELSEWHERE: Partial<Record<Happening['kind'], string>> = {
  'http.answer_dropped': 'server/http/one-answer.test.ts',
  'bug.uncaught': 'faults/attacks/bugs.test.ts',
  'postgres.retry': 'engine/postgres/transaction.test.ts',
  'postgres.pool_full': 'engine/postgres/transaction.test.ts',
  'postgres.connection_lost': 'engine/postgres/listener.test.ts',
  'board.other_lineage': 'engine/registry/lineage.test.ts',
  'board.evicted': 'engine/registry/following.test.ts',
  'board.renewed': 'engine/registry/memory-check.test.ts',
  'warm.digest_mismatch': 'engine/warm/lies.test.ts',
  'clock.stepped': 'engine/registry/clock.test.ts',
  'flush.settled': 'engine/registry/wire.test.ts',
  'flush.guard': 'engine/registry/guards.test.ts',
  'writer.stopped': 'engine/registry/guards.test.ts',
  'command.broken': 'engine/registry/guards.test.ts',
  'companions.changed': 'engine/registry/best-available.test.ts',
  'stream.dropped': 'server/stream/client.test.ts',
  'feed.failed': 'engine/registry/following.test.ts',
  'cache.corrupt': 'engine/warm/lies.test.ts',
  'reaper.failed': 'server/metrics/reaper.test.ts',
  'job.failed': 'server/routes/webhook-log.test.ts',
  'invariant.violated': 'server/processes/invariants.test.ts',
  'webhook.disabled': 'server/routes/webhook-courier.test.ts',
};

const seen = new Map<string, Happening>();
const counted = createMetrics({ redis: true });
const telemetry = {
  emit: (happening: Happening) => {
    seen.set(happening.kind, happening);
    counted.telemetry.emit(happening);
  },
};
const redis = useRedis();
const receivers = useReceivers();
const shows = useShows(
  {
    ALLOW_INTERNAL_ADDRESSES: '1',
    PAYMENT_WEBHOOK_SECRET: PAYMENT_SECRET,
    REDIS_PROBE_SECONDS: '1',
  },
  () => redis().url,
  { ...counted, telemetry },
);
const { ask, buyer, database, node, scan, scope, show } = shows;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whom the last one of its kind was about. */
function idsOf(kind: Happening['kind']): unknown {
  const happening = seen.get(kind);
  if (!happening || !('ids' in happening)) return null;
  return typeof happening.ids === 'function' ? happening.ids() : happening.ids;
}

/** These are told by what the block does, or it fails. */
async function tells(kinds: readonly Happening['kind'][], work: () => Promise<unknown>) {
  for (const kind of kinds) seen.delete(kind);
  await work();
  await eventually(() => {
    const missing = kinds.filter((kind) => !seen.has(kind));
    if (missing.length > 0) throw new Error(`nobody told ${missing.join(', ')}`);
    return true;
  });
}

async function holdOne(engine: Engine, caller: Caller, eventId: string, seat_id = '') {
  const wish = { items: [{ seat_id }], cart_token: null, source: 'web' } as const;
  const held = await holdSeats(engine, caller, eventId, wish);
  if (held.kind !== 'held') throw new Error(`not held: ${held.kind}`);
  return held.holds[0]?.hold.hold_id ?? '';
}

describe('what happens is told', () => {
  it('by a sale', async () => {
    const receiver = await receivers();
    await ask('POST /api/admin/webhooks', { body: { url: receiver.url } });
    const { eventId, seats, zones } = await show({ config: aHybridHall() });
    const path = `/api/events/${eventId}/stream`;
    const viewer = new Viewer({ address: () => node().address, path });
    const [ann, bob] = [buyer(), buyer()];
    const kinds = [
      ...['hold.attempt', 'hold.success', 'hold.redis_success', 'seats.changed'],
      ...['flush.done', 'postgres.statement', 'redis.command', 'warm.claim', 'warm.written'],
      ...['board.loaded', 'cache.lookup', 'layout.loaded', 'stream.sent', 'webhook.sent'],
      ...['hold.conflict', 'hold.refused_fast', 'http.refused', 'hold.extended'],
      'hold.reduced',
      ...['checkout.closed', 'ticket.sold', 'hold.converted_to_ticket', 'payment.message'],
      ...['refund.due', 'job.done', 'reaper.run', 'entry.scanned'],
    ] as Happening['kind'][];
    await tells(kinds, async () => {
      await ann.ask(`GET /api/events/${eventId}/seatmap`);
      const held = await ann.reserve(eventId, seats[0] ?? '');
      expect((await bob.reserve(eventId, seats[0] ?? '')).status).toBe(409);
      await ann.ask(`POST /api/holds/${held.data.hold_id}/extend`);
      const two = await ann.hold(eventId, [{ zone_id: zones[1], quantity: 2 }]);
      const [places] = two.data.holds as { hold_id: string }[];
      await ann.ask(`PATCH /api/holds/${places?.hold_id}`, { body: { quantity: 1 } });
      const started = await ann.ask('POST /api/checkouts', { body: { event_id: eventId } });
      const pay = `POST /api/checkouts/${started.data.checkout_id}/pay`;
      const { attempt_id, amount_cents } = (await ann.ask(pay)).data;
      const paid = { type: 'payment.succeeded', attempt_id, amount_cents };
      expect((await tell(node().address, paid)).status).toBe(200);
      // A door sale, which is called off afterwards: money is owed for it.
      const [ticket] = await shows.sellTo(bob, eventId, [{ seat_id: seats[3] }]);
      await scan(ticket?.code ?? '');
      const body = { reason: 'test' };
      await ask(`POST /api/admin/tickets/${ticket?.ticket_id}/refund`, { body });
    });
    await viewer.close();
    expect(seen.get('hold.success')).toMatchObject({ seats: 1 });
    expect(seen.get('hold.attempt')).toMatchObject({ method: 'redis' });
  });

  it('by holds that end', async () => {
    const engine = anEngine(database.postgres, telemetry, { demoHoldSeconds: 1 });
    const { eventId, seats } = await show();
    const event = { scope: scope(), eventId };
    const id = await aUser(database.postgres, scope());
    const actor = { kind: 'user', id, role: 'customer' } as const;
    const ann = aCaller({ scope: scope(), actor, role: 'customer' });
    const kinds = ['hold.released', 'release.repeated', 'hold.expired'] as const;
    await tells([...kinds, 'hold.expired_before_checkout'], async () => {
      const first = await holdOne(engine, ann, eventId, seats[0]);
      await releaseHold(engine, ann, first);
      await releaseHold(engine, ann, first);
      const second = await holdOne(engine, ann, eventId, seats[4]);
      await eventually(async () => {
        await engine.registry.sweep(event, systemClock.monotonic() + 2_000);
        return seen.has('hold.expired');
      });
      expect(await extendHold(engine, ann, second)).toEqual({ kind: 'expired' });
    });
    expect(seen.get('hold.expired')).toMatchObject({ holds: 1 });
    expect(idsOf('hold.expired')).toMatchObject({ event_id: eventId, seat_ids: [seats[4]] });
    await engine.registry.stop();
  });

  it('by choices with consequences', async () => {
    const kinds = ['accessible.held', 'orphans.left', 'zone.access'] as const;
    await tells(kinds, async () => {
      const { eventId, seats } = await show({ config: anAccessibleHall() });
      await buyer().reserve(eventId, seats[0] ?? '');
      await buyer().reserve(eventId, seats[8] ?? '');
      await ask('PUT /api/admin/policy', { body: { allow_vip_zones: true } });
      const vip = { access_mode: 'whitelist', zone_type: 'vip_reserved' };
      const hall = await show({ config: aHybridHall({ stalls: vip }) });
      expect((await buyer().reserve(hall.eventId, hall.seats[0] ?? '')).status).toBe(403);
    });
    expect(seen.get('zone.access')).toMatchObject({ granted: false });
  });

  it('by an event that nobody can write to', async () => {
    const { eventId, seats } = await show();
    const ann = buyer();
    const held = await ann.reserve(eventId, seats[0] ?? '');
    const hold = `/api/holds/${held.data.hold_id}`;
    const kinds = ['hold.error', 'hold.extension_failed', 'release.failed'] as const;
    await withClient(database.superuserUrl, async (client) => {
      await client.query('begin');
      await client.query('select from event_boards where event_id = $1 for update', [eventId]);
      await tells([...kinds, 'flush.trouble'], () =>
        Promise.all([
          buyer().reserve(eventId, seats[3] ?? ''),
          ann.ask(`POST ${hold}/extend`),
          ann.ask(`DELETE ${hold}`),
        ]),
      );
      await client.query('rollback');
    });
    expect(seen.get('hold.error')).toMatchObject({ reason: 'event_busy' });
    expect(idsOf('hold.error')).toMatchObject({ event_id: eventId, seat_ids: [seats[3]] });
    expect(idsOf('hold.extension_failed')).toMatchObject({ hold_ids: [held.data.hold_id] });
    expect(idsOf('flush.trouble')).toEqual({
      organization_id: scope().organizationId,
      event_id: eventId,
    });
  });

  it('as no error by a buyer who left before there was an answer', async () => {
    const engine = anEngine(database.postgres, telemetry);
    const { eventId, seats } = await show();
    const id = await aUser(database.postgres, scope());
    const actor = { kind: 'user', id, role: 'customer' } as const;
    const ann = aCaller({ scope: scope(), actor, role: 'customer', signal: AbortSignal.abort() });
    const before = seen.get('hold.error');
    await tells(['hold.attempt'], () =>
      expect(holdOne(engine, ann, eventId, seats[0])).rejects.toMatchObject({ code: 'event_busy' }),
    );
    expect(seen.get('hold.error')).toBe(before);
    await engine.registry.stop();
  });

  it('by a rule that fails', async () => {
    const engine = anEngine(database.postgres, telemetry);
    const { eventId } = await aPublishedEvent(engine, scope());
    const event = { scope: scope(), eventId };
    const board = await engine.registry.board(event);
    Object.defineProperty(board, 'free', {
      get: () => {
        throw new Error('the index is upside down');
      },
    });
    const user = await aUser(database.postgres, scope());
    const seat_id = board?.plan.seatIdOf(1) ?? '';
    await tells(['rule.broken'], () =>
      engine.registry.submit(event, aWish(aHold(user, [{ seat_id }]))),
    );
    await engine.registry.stop();
  });

  it('by layouts, checks and a stream that cannot count', async () => {
    const engine = anEngine(database.postgres, telemetry);
    await tells(['layout.version_changed'], () => anActiveLayout(engine, scope()));
    const { organizationId: organization_id } = scope();
    expect(idsOf('layout.version_changed')).toMatchObject({ organization_id });
    await tells(['invariant.checked', 'postgres.oldest_snapshot'], () =>
      new InvariantChecker(engine).round(),
    );
    await engine.registry.stop();
    const { eventId } = await show();
    // Only then anybody asks who is inside.
    await shows.openDoors(eventId);
    const path = `/api/events/${eventId}/stream`;
    const viewer = new Viewer({ address: () => node().address, path });
    await eventually(() => viewer.of('snapshot').length > 0);
    await database.asOwner('revoke select on zone_days from voelgoed_app');
    await tells(['stream.failed'], async () => {});
    await database.asOwner('grant select on zone_days to voelgoed_app');
    await viewer.close();
  });

  it('by other nodes', async () => {
    const { eventId } = await show();
    await ask(`GET /api/events/${eventId}/availability`);
    const other = anEngine(database.postgres);
    await tells(['feed.followed'], () => aSoldSeat(other, scope(), eventId));
    await other.registry.stop();
  });

  it('by a Redis that lies, dies and comes back', async () => {
    const { eventId, seats } = await show();
    const held = () => buyer().reserve(eventId, seats[0] ?? '');
    await held();
    const { seatHolds } = eventKeys(scope().organizationId, eventId);
    await eventually(async () => (await redis().command('zcard', seatHolds)) === 1);
    await tells(['warm.healed', 'warm.reconciled'], async () => {
      await redis().command('del', seatHolds);
      await ask('POST /api/admin/registry/reconcile', { body: { event_id: eventId } });
    });
    expect(idsOf('warm.healed')).toMatchObject({ keys_invalidated: [expect.any(String)] });
    const lost = ['redis.connection_lost', 'redis.breaker', 'hold.redis_fallback'] as const;
    await tells(lost, async () => {
      await redis().kill('SIGKILL');
      await eventually(async () => {
        for (const seat of seats.slice(5, 12)) await buyer().reserve(eventId, seat);
        return seen.has('redis.breaker');
      });
      await buyer().reserve(eventId, seats[15] ?? '');
    });
    expect(idsOf('hold.redis_fallback')).toMatchObject({
      event_id: eventId,
      seat_ids: [seats[15]],
    });
    expect(seen.get('hold.attempt')).toMatchObject({ method: 'postgres' });
    expect(seen.get('redis.breaker')).toMatchObject({
      state: 'open',
      failures: expect.any(Number),
    });
    await tells(['redis.probe_failed'], async () => {});
    await tells(['redis.connected'], () => redis().restart());
  });

  it('by Postgres that refuses', async () => {
    const { database } = shows;
    const set = (is: string) =>
      database.asSuperuser(`alter role voelgoed_app in database ${database.name}
        set default_transaction_read_only = ${is}`);
    await tells(['postgres.refused'], async () => {
      await set('on');
      await database.asSuperuser(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and usename = 'voelgoed_app'`);
    });
    await set('off');
  });

  it('by somebody who listens', () => {
    expect(seen.has('postgres.listening')).toBe(true);
  });

  it('with the event that it was about, wherever a line warns of one', () => {
    const loud = [...seen.values()].filter(({ kind }) => /warn|error/.test(String(LEVELS[kind])));
    expect(loud.length).toBeGreaterThan(8);
    for (const { kind } of loud) {
      if (kind in WITHOUT_EVENT) continue;
      expect([kind, idsOf(kind)]).toEqual([
        kind,
        expect.objectContaining({
          organization_id: expect.stringMatching(UUID),
          event_id: expect.stringMatching(UUID),
        }),
      ]);
    }
  });

  it('or by a test that brings its cause about', async () => {
    for (const [kind, file] of Object.entries(ELSEWHERE)) {
      const text = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
      expect(text.includes(`'${kind}'`), `${file} does not see ${kind}`).toBe(true);
    }
    const missing = Object.keys(LEVELS).filter((kind) => !seen.has(kind) && !(kind in ELSEWHERE));
    expect(missing).toEqual([]);
  });
});
