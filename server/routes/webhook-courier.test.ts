import { pruneOnce } from '@voelgoed/engine/jobs';
import { manualClock, seededRandom, systemClock } from '@voelgoed/engine/kit';
import { withClient } from '@voelgoed/engine/postgres';
import type { Scope } from '@voelgoed/engine/scope';
import { changeWebhook, createWebhook, switchWebhook } from '@voelgoed/engine/workflows';
import {
  aCaller,
  aHold,
  anEngine,
  anOrganization,
  aPublishedEvent,
  aUser,
  done,
} from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { type Receiver, useCouriers, useReceivers } from '@voelgoed/testkit/receivers';
import { beforeEach, describe, expect, it } from 'vitest';

/** Couriers without a node around them, whose time a test may move. */
const database = useDatabase();
const receivers = useReceivers();
const aCourier = useCouriers(database);
let scope: Scope;

beforeEach(async () => {
  scope = await anOrganization(database.postgres);
});

const HOUR_MS = 3_600_000;

async function anEvent() {
  const engine = anEngine(database.postgres);
  const { eventId } = await aPublishedEvent(engine, scope);
  const event = { scope, eventId };
  const board = await engine.registry.board(event);
  const user = await aUser(database.postgres, scope);
  const hold = async (seat: number) => {
    const seat_id = board?.plan.seatIdOf(seat) ?? '';
    const answer = await engine.registry.submit(event, {
      command: aHold(user, [{ seat_id }], { guest: false, role: 'owner' }),
      actor: { kind: 'user', id: user, role: 'customer' },
      context: null,
      key: null,
      deadline_ms: systemClock.monotonic() + 3_000,
    });
    expect(answer).toMatchObject({ outcome: { kind: 'held' } });
  };
  return { eventId, hold };
}

async function anEndpoint(receiver: Receiver): Promise<string> {
  const fields = { url: receiver.url, description: null, kinds: [], event_ids: [] };
  const made = await createWebhook(anEngine(database.postgres), aCaller({ scope }), fields);
  return done(made).webhook_id;
}

const rowOf = async (id: string) =>
  (await database.asSuperuser('select * from webhooks where webhook_id = $1', [id]))[0];
const deliveriesOf = (id: string) =>
  database.asSuperuser('select * from webhook_deliveries where webhook_id = $1 order by sequence', [
    id,
  ]);

describe('order', () => {
  it('is kept whatever fails: the first that does not arrive holds back the rest', async () => {
    const random = seededRandom(12);
    const clock = manualClock(systemClock.now());
    const receiver = await receivers();
    const accepted: number[] = [];
    receiver.answer(({ message }) => {
      if (random.next() < 0.5) return 500;
      accepted.push(message.revision);
      return 200;
    });
    const { hold } = await anEvent();
    await anEndpoint(receiver);
    const { work } = aCourier({ clock });
    for (let seat = 0; seat < 10; seat++) await hold(seat);
    for (let tries = 0; tries < 100 && accepted.length < 10; tries++) {
      await work();
      clock.advance(HOUR_MS);
    }
    expect(accepted).toHaveLength(10);
    expect(accepted).toEqual([...accepted].sort((a, b) => a - b));
    expect(new Set(accepted).size).toBe(10);
    expect(receiver.received.length).toBeGreaterThan(12);
  });

  it('is kept by two nodes: one at a time sends for an endpoint', async () => {
    const receiver = await receivers();
    let under = 0;
    let most = 0;
    receiver.answer((_, reply) => {
      most = Math.max(most, ++under);
      setImmediate(() => {
        under--;
        reply.writeHead(200).end();
      });
      return undefined;
    });
    const { hold } = await anEvent();
    const id = await anEndpoint(receiver);
    const [one, other] = [aCourier(), aCourier({ postgres: database.open() })];
    for (let seat = 0; seat < 10; seat++) {
      await hold(seat);
      await Promise.all([one.work(), other.work()]);
    }
    await eventually(
      async () => {
        await Promise.all([one.work(), other.work()]);
        return (
          (await deliveriesOf(id)).filter(({ status }) => status === 'delivered').length === 10
        );
      },
      { within_ms: 15_000 },
    );
    expect(most).toBe(1);
    const revisions = receiver.received.map(({ message }) => message.revision);
    expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
    expect(new Set(receiver.ids()).size).toBe(10);
    expect(receiver.received).toHaveLength(10);
  });

  it('control: without the lease both send; who has lost it writes nothing', async () => {
    const receiver = await receivers();
    const hanging: (() => void)[] = [];
    receiver.answer((_, reply) => {
      hanging.push(() => reply.writeHead(500).end());
      return hanging.length === 1 ? undefined : 200;
    });
    const { hold } = await anEvent();
    const id = await anEndpoint(receiver);
    await hold(0);
    const [one, other] = [aCourier(), aCourier()];
    const first = one.work();
    await eventually(() => hanging.length === 1, { within_ms: 5_000 });
    await database.asSuperuser('update webhooks set leased_until = null where webhook_id = $1', [
      id,
    ]);
    await other.work();
    expect(receiver.received).toHaveLength(2);
    expect(new Set(receiver.ids()).size).toBe(1);
    hanging[0]?.();
    await first;
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'delivered', attempts: 1 }]);
  });
});

describe('a slow endpoint', () => {
  it('delays nobody else', async () => {
    const [slow, fast] = [await receivers(), await receivers()];
    const hanging: (() => void)[] = [];
    slow.answer((_, reply) => {
      hanging.push(() => reply.writeHead(200).end());
      return undefined;
    });
    const { hold } = await anEvent();
    await anEndpoint(slow);
    await anEndpoint(fast);
    for (const seat of [0, 1, 2]) await hold(seat);
    const { courier } = aCourier();
    await courier.round();
    await eventually(() => fast.received.length === 3, { within_ms: 5_000 });
    expect(slow.received).toHaveLength(1);
    slow.answer(() => 200);
    hanging[0]?.();
    await courier.settled();
    expect(slow.received).toHaveLength(3);
  });
});

describe('an organization', () => {
  it('has its share: its silent endpoints leave room for others', async () => {
    const silent = await receivers();
    const hanging: (() => void)[] = [];
    silent.answer((_, reply) => {
      hanging.push(() => reply.writeHead(200).end());
      return undefined;
    });
    const greedy = await anEvent();
    for (let count = 0; count < 6; count++) await anEndpoint(silent);
    await greedy.hold(0);
    scope = await anOrganization(database.postgres);
    const other = await anEvent();
    const fast = await receivers();
    await anEndpoint(fast);
    await other.hold(0);
    const { courier } = aCourier();
    await courier.round();
    await fast.one('seat_held');
    await eventually(() => hanging.length === 4, { within_ms: 5_000 });
    expect(silent.received).toHaveLength(4);
    silent.answer(() => 200);
    for (const answer of hanging) answer();
    await courier.settled();
    expect(new Set(silent.ids()).size).toBe(6);
  });
});

describe('an endpoint that does not answer', () => {
  it('is given up after three days, with a notice, and goes on when it is enabled', async () => {
    const clock = manualClock(systemClock.now());
    const receiver = await receivers();
    receiver.answer(() => 500);
    const { hold } = await anEvent();
    const id = await anEndpoint(receiver);
    const { work, telemetry } = aCourier({ clock });
    await hold(0);
    await hold(1);
    const started_ms = clock.now();
    for (let hours = 0; hours < 100 && (await rowOf(id))?.status === 'active'; hours++) {
      await work();
      clock.advance(HOUR_MS);
    }
    const days = (clock.now() - started_ms) / (24 * HOUR_MS);
    expect(days).toBeGreaterThan(2.9);
    expect(days).toBeLessThan(3.4);
    expect(await rowOf(id)).toMatchObject({ status: 'disabled', disabled_reason: 'failing' });
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'dead' }, { status: 'pending' }]);
    expect(receiver.received.length).toBeGreaterThan(15);
    expect(receiver.received.length).toBeLessThan(60);
    expect(telemetry.happenings).toContainEqual(
      expect.objectContaining({ kind: 'webhook.disabled', reason: 'failing' }),
    );
    const notice = await database.asSuperuser(
      `select changes from audit_log where entity_id = $1 and action = 'webhook_disabled'`,
      [id],
    );
    expect(notice).toEqual([{ changes: { reason: 'failing', error: 'answered 500' } }]);
    const sent = receiver.received.length;
    clock.advance(100 * HOUR_MS);
    await work();
    expect(receiver.received).toHaveLength(sent);
    receiver.answer(() => 200);
    const engine = { ...anEngine(database.postgres), clock };
    done(await switchWebhook(engine, aCaller({ scope }), id, 'enabled'));
    await hold(2);
    await work();
    const after = receiver.received.slice(sent).map(({ message }) => message.revision);
    expect(after).toHaveLength(2);
    expect(await rowOf(id)).toMatchObject({ status: 'active', failing_since: null });
  });

  it('is disabled at once when it says that it is gone', async () => {
    const receiver = await receivers();
    receiver.answer(() => 410);
    const { hold } = await anEvent();
    const id = await anEndpoint(receiver);
    await hold(0);
    await aCourier().work();
    expect(await rowOf(id)).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'dead', response_status: 410 }]);
  });

  it('keeps its failures to itself: one success ends the count', async () => {
    const clock = manualClock(systemClock.now());
    const receiver = await receivers();
    receiver.answer(() => 500);
    const { hold } = await anEvent();
    const id = await anEndpoint(receiver);
    const { work } = aCourier({ clock });
    await hold(0);
    for (let hours = 0; hours < 60; hours++) {
      await work();
      clock.advance(HOUR_MS);
    }
    await hold(1);
    // The first arrives and the second does not, in the same turn: it has just begun to fail.
    receiver.answer(({ id: one }) => (one === receiver.ids()[0] ? 200 : 500));
    clock.advance(20 * HOUR_MS);
    await work();
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'delivered' }, { status: 'pending' }]);
    expect(await rowOf(id)).toMatchObject({ status: 'active' });
  });
});

describe('an address', () => {
  it('that was wrong and is put right is tried at once', async () => {
    const [wrong, right] = [await receivers(), await receivers()];
    wrong.answer(() => 404);
    const { hold } = await anEvent();
    const id = await anEndpoint(wrong);
    await hold(0);
    const { work } = aCourier();
    await work();
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'pending', attempts: 1 }]);
    const engine = anEngine(database.postgres);
    done(await changeWebhook(engine, aCaller({ scope }), id, { description: 'no other address' }));
    await work();
    expect(wrong.received).toHaveLength(1);
    done(await changeWebhook(engine, aCaller({ scope }), id, { url: right.url }));
    await work();
    expect(right.received).toMatchObject([{ kind: 'seat_held', attempt: 2 }]);
  });
});

describe('the delivery log', () => {
  it('is kept for a month', async () => {
    const receiver = await receivers();
    const { hold } = await anEvent();
    const id = await anEndpoint(receiver);
    for (const seat of [0, 1, 2]) await hold(seat);
    await aCourier().work();
    await database.asSuperuser(
      `update webhook_deliveries set finished_at = now() - interval '31 days'
       where webhook_id = $1 and sequence = 1`,
      [id],
    );
    await pruneOnce({ postgres: database.postgres });
    expect((await deliveriesOf(id)).map(({ sequence }) => sequence)).toEqual([2, 3].map(String));
  });
});

describe('what is not committed', () => {
  it('is not told, and never when it is rolled back', async () => {
    const receiver = await receivers();
    const { eventId, hold } = await anEvent();
    await anEndpoint(receiver);
    await hold(0);
    const { courier, work } = aCourier();
    await work();
    expect(receiver.received).toHaveLength(1);
    const flush = `with row as (
        insert into seat_changes (organization_id, event_id, revision, flush_id, at, format,
          changes, hash)
        select organization_id, event_id, revision + 1, gen_random_uuid(), at, format, changes,
          hash from seat_changes where event_id = $1 order by revision desc limit 1)
      update event_boards set revision = revision + 1 where event_id = $1`;
    const tell = () => {
      courier.hear({ scope, eventId });
      return work();
    };
    for (const end of ['rollback', 'commit']) {
      await withClient(database.superuserUrl, async (client) => {
        await client.query('begin');
        await client.query(flush, [eventId]);
        await tell();
        expect(receiver.received).toHaveLength(1);
        await client.query(end);
      });
      await tell();
      // The control: the same row is told as soon as it is there.
      expect(receiver.received).toHaveLength(end === 'commit' ? 2 : 1);
    }
  });
});
