import { anEngine, anOrganization, aPublishedEvent, newId } from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#kit';
import type { EventRef, Store } from './ports.ts';
import { PostgresStore, type SeatRegistry } from './registry.ts';

const database = useDatabase();

/** An event, some buyers, and its first seats. */
async function anEvent() {
  const scope = await anOrganization(database.postgres);
  const { eventId } = await aPublishedEvent(anEngine(database.postgres), scope);
  const users = Array.from({ length: 3 }, newId);
  const insert = 'insert into users (organization_id, user_id) select $1, unnest($2::uuid[])';
  await database.asSuperuser(insert, [scope.organizationId, users]);
  const select = 'select seat_id from event_seats where event_id = $1 order by ordinal';
  const rows = await database.asSuperuser(select, [eventId]);
  const seats = rows.map(({ seat_id }) => String(seat_id));
  const event: EventRef = { scope, eventId };
  const hold = async (registry: SeatRegistry, user: number, seat: number) => {
    const answer = await registry.submit(event, {
      command: {
        kind: 'hold',
        user_id: users[user] ?? '',
        items: [{ seat_id: seats[seat] ?? '' }],
        cart_token: null,
        source: 'web',
        ip: null,
        role: 'customer',
        guest: false,
        made_by: null,
        hold_seconds: null,
        notes: null,
      },
      actor: { kind: 'user', id: users[user] ?? '', role: 'customer' },
      context: null,
      key: null,
      deadline_ms: systemClock.monotonic() + 3_000,
    });
    return answer.kind === 'done' ? answer.outcome : answer;
  };
  return { event, hold };
}

/** A registry whose process stands still for so long after the database has answered. */
function aLateRegistry() {
  const late = { ms: 0 };
  const store = new PostgresStore(database.postgres);
  const slow: Store = {
    load: (one) => store.load(one),
    rowsFrom: (one, revision, most) => store.rowsFrom(one, revision, most),
    heads: (events) => store.heads(events),
    saveSnapshot: (one, board) => store.saveSnapshot(one, board),
    clock: () => store.clock(),
    setDrift: (wanted) => store.setDrift(wanted),
    transact: (one, ask, decide) =>
      store.transact(one, ask, (...opened) => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, late.ms);
        return decide(...opened);
      }),
  };
  const settings = { store: slow, demoHoldSeconds: 1 };
  const { registry } = anEngine(database.postgres, undefined, settings);
  return { late, registry };
}

describe('an answer of the database that comes late', () => {
  const isOver = async (eventId: string) => {
    const over = `select from seat_holds where event_id = $1 and held_until <= clock_timestamp()`;
    return (await database.asSuperuser(over, [eventId])).length > 0;
  };

  it('does not make a node believe that it is earlier than it is', async () => {
    const { event, hold } = await anEvent();
    const { late, registry } = aLateRegistry();
    expect(await hold(registry, 0, 0)).toMatchObject({ kind: 'held' });
    late.ms = 700;
    expect(await hold(registry, 1, 1)).toMatchObject({ kind: 'held' });
    late.ms = 0;
    await eventually(() => isOver(event.eventId));
    expect(await hold(registry, 2, 0)).toMatchObject({ kind: 'held', existing: false });
  });

  it('refuses no buyer because of a hold that is over, also the first answer', async () => {
    const { event, hold } = await anEvent();
    const { late, registry } = aLateRegistry();
    late.ms = 900;
    expect(await hold(registry, 0, 0)).toMatchObject({ kind: 'held' });
    late.ms = 0;
    await eventually(() => isOver(event.eventId));
    expect(await hold(registry, 1, 0)).toMatchObject({ kind: 'held', existing: false });
  });
});

describe('a row of the log that cannot be applied', () => {
  it('spoils no more than the board in memory, which is loaded anew', async () => {
    const { event, hold } = await anEvent();
    const one = anEngine(database.postgres).registry;
    const other = anEngine(database.postgres).registry;
    expect(await hold(one, 0, 0)).toMatchObject({ kind: 'held' });
    expect(await hold(other, 1, 1)).toMatchObject({ kind: 'held' });
    const impossible = { kind: 'ended', reason: 'ttl_expired', holds: [newId()] };
    const change = `update seat_changes set changes = $2 where event_id = $1 and revision = 3`;
    const text = JSON.stringify({ changes: [impossible], keyed: [] });
    await database.asSuperuser(change, [event.eventId, text]);
    expect(await hold(one, 2, 1)).toMatchObject({ code: 'seat_held_by_another_user' });
    expect(await hold(one, 2, 2)).toMatchObject({ kind: 'held' });
  });
});
