import { manualClock, systemClock } from '@voelgoed/engine/kit';
import { withClient } from '@voelgoed/engine/postgres';
import type { Scope } from '@voelgoed/engine/scope';
import { createWebhook, removeWebhook } from '@voelgoed/engine/workflows';
import {
  aCaller,
  anEngine,
  anOrganization,
  aPublishedEvent,
  done,
} from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { type Receiver, useCouriers, useReceivers } from '@voelgoed/testkit/receivers';
import { beforeEach, describe, expect, it } from 'vitest';

/** What couriers make of logs that are long, full, broken, or not the ones they knew. */
const database = useDatabase();
const receivers = useReceivers();
const aCourier = useCouriers(database);
let scope: Scope;

beforeEach(async () => {
  scope = await anOrganization(database.postgres);
});

async function anEvent(): Promise<string> {
  return (await aPublishedEvent(anEngine(database.postgres), scope)).eventId;
}

async function anEndpoint(receiver: Receiver, kinds: 'capacity_critical'[] = []): Promise<string> {
  const fields = { url: receiver.url, description: null, kinds, event_ids: [] };
  const made = await createWebhook(anEngine(database.postgres), aCaller({ scope }), fields);
  return done(made).webhook_id;
}

/** Rows at the end of a log, as flushes leave them there. */
async function append(eventId: string, rows: number, change: object, seed = 'one'): Promise<void> {
  await database.asSuperuser(
    `with head as (
       update event_boards set revision = revision + $2 where event_id = $1
       returning organization_id, revision - $2 as before
     )
     insert into seat_changes (organization_id, event_id, revision, flush_id, at, format, changes,
       hash)
     select organization_id, $1, before + i, gen_random_uuid(), now(), last.format,
       jsonb_set(last.changes::jsonb, '{changes}', $3::jsonb)::json,
       sha256(convert_to($4 || before + i, 'UTF8'))
     from head, generate_series(1, $2::bigint) i, lateral (select format, changes
       from seat_changes where event_id = $1 order by revision desc limit 1) last`,
    [eventId, rows, JSON.stringify([change]), seed],
  );
}

const blocked = (reason: string) => ({ kind: 'blocked', reason, ordinals: [0] });

describe('a restore from a backup', () => {
  it('gives new things new ids, though they have the revisions of lost ones', async () => {
    const receiver = await receivers();
    const eventId = await anEvent();
    const id = await anEndpoint(receiver);
    const { work } = aCourier();
    await append(eventId, 1, blocked('lost'), 'before');
    const revision = 'select revision from webhook_cursors where webhook_id = $1';
    const [before] = await database.asSuperuser(revision, [id]);
    await work();
    // The last commit, the cursor and the delivery are gone together; the receiver remembers.
    await database.asSuperuser('delete from webhook_deliveries where webhook_id = $1', [id]);
    await database.asSuperuser(
      `with gone as (delete from seat_changes where event_id = $1 and revision > $2),
         back as (update webhook_cursors set revision = $2 where event_id = $1)
       update event_boards set revision = $2 where event_id = $1`,
      [eventId, before?.revision],
    );
    await append(eventId, 1, blocked('new'), 'after');
    const { work: workOn } = aCourier();
    await workOn();
    const [lost, fresh] = receiver.received;
    expect(lost?.message).toMatchObject({ data: { reason: 'lost' } });
    expect(fresh?.message).toMatchObject({
      revision: lost?.message.revision,
      data: { reason: 'new' },
    });
    expect(fresh?.id).not.toBe(lost?.id);
  });
});

describe('a full zone', () => {
  it('is told however many rows there were to read, also exactly a page of them', async () => {
    const receiver = await receivers();
    const eventId = await anEvent();
    await anEndpoint(receiver, ['capacity_critical']);
    await append(eventId, 100, blocked('camera'));
    await database.asSuperuser('update event_zones set blocked = capacity where event_id = $1', [
      eventId,
    ]);
    await aCourier().work();
    expect(receiver.kinds()).toEqual(['capacity_critical']);
  });
});

describe('a rush', () => {
  it('is told a bit at a time: no statement asks for more than it can get', async () => {
    const receiver = await receivers();
    const eventId = await anEvent();
    const id = await anEndpoint(receiver);
    const holds = Array.from({ length: 1_000 }, (_, at) => {
      return `01a1e394-0000-7000-8000-${String(at).padStart(12, '0')}`;
    });
    await append(eventId, 9, { kind: 'ended', reason: 'admin_override', holds });
    receiver.answer(() => 500);
    await aCourier().work();
    const [queued] = await database.asSuperuser(
      'select count(distinct revision)::int as rows from webhook_deliveries where webhook_id = $1',
      [id],
    );
    expect(queued).toEqual({ rows: 2 });
    receiver.answer(() => 200);
    await aCourier({ clock: manualClock(systemClock.now() + 60_000) }).work();
    const revisions = receiver.received.slice(1).map(({ message }) => message.revision);
    expect(new Set(revisions).size).toBe(9);
    expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
  });
});

describe('a log that cannot be read', () => {
  it('keeps the other events of the endpoint from nothing', async () => {
    const receiver = await receivers();
    const events = [await anEvent(), await anEvent()];
    await anEndpoint(receiver);
    const { courier, telemetry } = aCourier();
    await courier.round();
    await courier.settled();
    for (const [at, eventId] of events.entries()) {
      await append(eventId, 1, at === 0 ? { kind: 'held', seats: 5 } : blocked('camera'));
    }
    for (const eventId of events) courier.hear({ scope, eventId });
    await courier.settled();
    await courier.round();
    await courier.settled();
    expect(receiver.received.map(({ message }) => message.event_id)).toEqual([events[1]]);
    expect(telemetry.happenings).toContainEqual(
      expect.objectContaining({
        kind: 'job.failed',
        ids: expect.objectContaining({ event_id: events[0] }),
      }),
    );
  });
});

describe('a second endpoint', () => {
  it('hears what happens before couriers have heard of it', async () => {
    const [first, second] = [await receivers(), await receivers()];
    const eventId = await anEvent();
    await anEndpoint(first);
    const { courier, work } = aCourier();
    await work();
    await anEndpoint(second);
    await append(eventId, 1, blocked('camera'));
    courier.hear({ scope, eventId });
    await courier.settled();
    expect(first.kinds()).toEqual(['seat_blocked']);
    await work();
    expect(second.kinds()).toEqual(['seat_blocked']);
  });
});

describe('a courier that has heard nothing', () => {
  it('finds every endpoint that is behind, however many do not answer', async () => {
    const [silent, other] = [await receivers(), await receivers()];
    silent.answer(() => 500);
    const eventId = await anEvent();
    for (let count = 0; count < 20; count++) await anEndpoint(silent);
    const many = scope;
    scope = await anOrganization(database.postgres);
    const quiet = await anEvent();
    for (let count = 0; count < 3; count++) await anEndpoint(other);
    await aCourier().work();
    // More that is behind than anybody looks at in one go.
    await withClient(database.superuserUrl, async (client) => {
      await client.query('set session_replication_role = replica');
      await client.query(
        `insert into event_boards (organization_id, event_id, revision, seat_count)
         select $1, gen_random_uuid(), 1, 0 from generate_series(1, 60)`,
        [many.organizationId],
      );
    });
    await append(eventId, 1, blocked('camera'));
    await append(quiet, 1, blocked('camera'));
    const { courier, work } = aCourier();
    courier.hear({ scope: many, eventId });
    for (let round = 0; round < 3; round++) await work();
    expect(other.kinds()).toEqual(['seat_blocked', 'seat_blocked', 'seat_blocked']);
    expect(courier.lag_ms()).toBeGreaterThan(0);
  });
});

describe('an endpoint with a long log', () => {
  it('can be removed', async () => {
    const receiver = await receivers();
    const id = await anEndpoint(receiver);
    await database.asSuperuser(
      `insert into webhook_deliveries (organization_id, delivery_id, webhook_id, sequence, kind,
         payload, status, happened_at, created_at, finished_at)
       select $1, gen_random_uuid(), $2, i, 'test', '{}', 'delivered', now(), now(), now()
       from generate_series(1, 1000) i`,
      [scope.organizationId, id],
    );
    // As slow as a month of it.
    await database.asSuperuser(
      `create function slowly() returns trigger language plpgsql as
         $$ begin perform pg_sleep(2.3 / 1000); return old; end $$`,
    );
    await database.asSuperuser(
      `create trigger slowly before delete on webhook_deliveries for each row
         execute function slowly()`,
    );
    const engine = anEngine(database.postgres);
    expect(done(await removeWebhook(engine, aCaller({ scope }), id))).toEqual({ webhook_id: id });
    await database.asSuperuser('drop trigger slowly on webhook_deliveries');
    await database.asSuperuser('drop function slowly');
  }, 20_000);
});
