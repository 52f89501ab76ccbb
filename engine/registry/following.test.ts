import { aCaller, anEngine, done, newId } from '@voelgoed/testkit/builders';
import { eventually } from '@voelgoed/testkit/eventually';
import {
  aClock,
  aGate,
  aWish,
  holdOf,
  holdsIn,
  problems,
  releaseOf,
  type Sale,
  storeWith,
  type TestNode,
  useSales,
} from '@voelgoed/testkit/sales';
import { describe, expect, it } from 'vitest';
import { spreadPolicies, sweepOnce } from '#jobs';
import { OperatingError, systemClock, systemRandom } from '#kit';
import { startListener } from '#postgres';
import { silentTelemetry } from '#telemetry';
import { changeSeatingPolicy, type Engine } from '#workflows';
import type { EventRef } from './ports.ts';
import { PostgresFeed } from './postgres-feed.ts';
import type { PostgresStore } from './postgres-store.ts';
import type { SeatRegistry } from './seat-registry.ts';

const sales = useSales();
const { database } = sales;

async function hold({ registry }: TestNode, sale: Sale, buyer: number, seat: number) {
  const command = holdOf(sale.buyers[buyer] ?? '', sale.seats.slice(seat, seat + 1));
  return registry.submit(sale, aWish(command));
}

/** The revision of a board that a node has in memory, without asking anybody. */
function shown(node: TestNode, sale: Sale): Promise<number> {
  return node.registry.board(sale).then((board) => board?.revision ?? 0);
}

/** A node with a feed, whose boards count as confirmed all the time: it follows the feed alone. */
async function aListeningNode(
  listen = startListener,
): Promise<{ node: TestNode; feed: PostgresFeed }> {
  const tools = { clock: systemClock, random: systemRandom, telemetry: silentTelemetry };
  const feed = new PostgresFeed({ ...tools, url: database.appUrl, listen });
  const still = { ...systemClock, monotonic: () => 0 };
  const node = sales.node({ feed, clock: still });
  await feed.start(node.registry);
  return { node, feed };
}

const forever = { deadline_ms: 1_000_000 };

describe('another node’s board', () => {
  it('follows by the feed, also after its listener was cut off', async () => {
    const sale = await sales.open();
    const [one, other] = [await aListeningNode(), await aListeningNode()];
    await other.node.registry.board(sale);
    const commit = (seat: number) => {
      const command = holdOf(sale.buyers[0] ?? '', sale.seats.slice(seat, seat + 1));
      return one.node.registry.submit(sale, aWish(command, forever));
    };
    for (let seat = 0; seat < 3; seat++) {
      await commit(seat);
      await eventually(async () => (await shown(other.node, sale)) === 2 + seat, {
        within_ms: 2_000,
      });
    }
    await database.asSuperuser(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'voelgoed listener' and datname = current_database()`,
    );
    await commit(3);
    await eventually(async () => (await shown(other.node, sale)) === 5, { within_ms: 3_000 });
    await commit(4);
    await eventually(async () => (await shown(other.node, sale)) === 6, { within_ms: 3_000 });
    const boards = [one, other].map(({ node }) => node.registry.board(sale));
    const [mine, theirs] = await Promise.all(boards);
    expect(theirs?.digest).toBe(mine?.digest);
    await Promise.all([one.feed.stop(), other.feed.stop()]);
  });

  it('hears what was committed while the writer’s listener was cut off', async () => {
    const sale = await sales.open();
    const line = { cut: true, lost: 0 };
    const writer = await aListeningNode((options) => {
      const listener = startListener(options);
      const notify = async (channel: string, payload: string) => {
        if (!line.cut) return listener.notify(channel, payload);
        line.lost++;
        return false;
      };
      return { ...listener, notify };
    });
    const reader = await aListeningNode();
    await reader.node.registry.board(sale);
    await hold(writer.node, sale, 0, 0);
    await eventually(() => line.lost > 0);
    expect(await shown(reader.node, sale)).toBe(1);
    line.cut = false;
    await eventually(async () => (await shown(reader.node, sale)) === 2);
    // Whoever stops at once has told.
    await hold(writer.node, sale, 0, 1);
    await writer.feed.stop();
    await eventually(async () => (await shown(reader.node, sale)) === 3);
    await reader.feed.stop();
  });

  it('hears the last commit of a node that stops, made while a message was sent', async () => {
    const sale = await sales.open();
    const go = Promise.withResolvers<void>();
    const writer = await aListeningNode((options) => {
      const listener = startListener(options);
      const notify = async (channel: string, payload: string) => {
        const isTold = await listener.notify(channel, payload);
        await go.promise;
        return isTold;
      };
      return { ...listener, notify };
    });
    const reader = await aListeningNode();
    await reader.node.registry.board(sale);
    await hold(writer.node, sale, 0, 0);
    await eventually(async () => (await shown(reader.node, sale)) === 2);
    await hold(writer.node, sale, 0, 1);
    const stopped = writer.feed.stop();
    go.resolve();
    await stopped;
    await eventually(async () => (await shown(reader.node, sale)) === 3);
    await reader.feed.stop();
  });

  it('is not left behind by a commit that was told of at the end of a flush', async () => {
    const sale = await sales.open();
    const writer = sales.node();
    const told = async () => {
      await hold(writer, sale, 0, 0);
      reader.registry.hear(sale.eventId, 2);
    };
    const reader: TestNode = sales.node({
      clock: { ...systemClock, monotonic: () => 0 },
      wrap: (store) =>
        storeWith(store, {
          transact: async (...asked) => {
            const transacted = await store.transact(...asked);
            await told();
            return transacted;
          },
        }),
    });
    const nothing = releaseOf({ user_id: sale.buyers[1] ?? '' });
    expect(await reader.registry.submit(sale, aWish(nothing, forever))).toMatchObject({
      revision: 1,
    });
    await eventually(async () => (await shown(reader, sale)) === 2);
  });

  it('is not left behind by a commit that was told of while it was loaded', async () => {
    const sale = await sales.open();
    const [writer, late] = [sales.node(), aGate()];
    let isRead = false;
    const reader = sales.node({
      clock: { ...systemClock, monotonic: () => 0 },
      wrap: (store) =>
        storeWith(store, {
          load: async (event) => {
            const board = await store.load(event);
            isRead = true;
            await late.pass();
            return board;
          },
        }),
    });
    late.shut();
    const loading = reader.registry.board(sale);
    await eventually(() => isRead);
    await hold(writer, sale, 0, 0);
    reader.registry.hear(sale.eventId, 2);
    late.open();
    await loading;
    await eventually(async () => (await shown(reader, sale)) === 2);
  });

  it('is brought up to date by the poll when the feed has lost a message', async () => {
    const sale = await sales.open();
    const [writer, reader] = [
      sales.node(),
      sales.node({ clock: { ...systemClock, monotonic: () => 0 } }),
    ];
    await reader.registry.board(sale);
    await hold(writer, sale, 0, 0);
    expect(await shown(reader, sale)).toBe(1);
    reader.registry.start();
    await eventually(async () => (await shown(reader, sale)) === 2, { within_ms: 3_000 });
  });

  it('is behind while nobody can look, and that is told', async () => {
    const sale = await sales.open();
    const error = new OperatingError('unavailable', 'gone', { retryable: true });
    const reader = sales.node({
      wrap: (store) => storeWith(store, { heads: () => Promise.reject(error) }),
    });
    await reader.registry.board(sale);
    await reader.registry.poll();
    expect(reader.count('feed.failed')).toBe(1);
    expect(reader.registry.boards).toHaveLength(1);
  });

  it('is loaded anew when it is more than 1,000 revisions behind', async () => {
    const sale = await sales.open();
    const behind = sales.node();
    await behind.registry.board(sale);
    const writer = sales.node();
    await hold(writer, sale, 0, 0);
    await database.asSuperuser(
      `insert into seat_changes select organization_id, event_id, revision + step,
         gen_random_uuid(), at, format, '{"changes":[],"keyed":[]}', sha256(step::text::bytea)
       from seat_changes, generate_series(1, 1200) step where event_id = $1 and revision = 2`,
      [sale.eventId],
    );
    await database.asSuperuser(
      `update event_boards set revision = 1202, lineage_head = sha256('1200') where event_id = $1`,
      [sale.eventId],
    );
    expect(await hold(behind, sale, 1, 1)).toMatchObject({ revision: 1_203 });
    expect(behind.count('board.loaded')).toBe(2);
    // One that only reads follows in portions instead.
    await writer.registry.poll();
    await eventually(async () => (await shown(writer, sale)) === 1_203);
    expect(writer.count('board.loaded')).toBe(1);
  });
});

describe('jobs', () => {
  it('the sweep makes an expired hold visible, and asks nothing of other events', async () => {
    const sale = await sales.open();
    const node = sales.node();
    const command = holdOf(sale.buyers[0] ?? '', sale.seats.slice(0, 1), { hold_seconds: 0.1 });
    const [made] = holdsIn(await node.registry.submit(sale, aWish(command)));
    await eventually(() => systemClock.now() > (made?.until_ms ?? 0) + 5);
    expect((await node.registry.board(sale))?.holdCount).toBe(1);
    const sweeper = sales.node();
    const { postgres } = database;
    const tools = { postgres, registry: sweeper.registry, clock: systemClock };
    await sweepOnce({ ...tools, telemetry: silentTelemetry });
    await node.registry.poll();
    await eventually(async () => (await node.registry.board(sale))?.holdCount === 0);
    const flushes = sweeper.count('flush.done');
    await sweepOnce({ ...tools, telemetry: silentTelemetry });
    expect(sweeper.count('flush.done')).toBe(flushes);
    expect(await problems(database, sale)).toEqual([]);
  });

  it('a change of the policy is carried to the events, each by its own commit', async () => {
    const sale = await sales.open();
    const engine = anEngine(database.postgres);
    const node = sales.node();
    const minutes = async (seat: number) => {
      const [made] = holdsIn(await hold(node, sale, 0, seat));
      return Math.round(((made?.until_ms ?? 0) - (made?.created_ms ?? 0)) / 60_000);
    };
    expect(await minutes(0)).toBe(10);
    const caller = aCaller({ scope: sale.scope });
    done(await changeSeatingPolicy(engine, caller, { default_hold_ttl_minutes: 20 }, 'platform'));
    expect(await minutes(1)).toBe(10);
    await spreadPolicies(engine);
    expect(await minutes(2)).toBe(20);
    const before = await shown(node, sale);
    await spreadPolicies(engine);
    expect(await shown(node, sale)).toBe(before);
    expect((await node.store.load(sale))?.config.policy.max_seats_per_booking).toBe(1_000);
    await engine.registry.stop();
    expect(await problems(database, sale)).toEqual([]);
  });

  it('and an event that cannot be changed keeps no other from it', async () => {
    const [broken, sound] = [await sales.open(), await sales.open()];
    const engine = anEngine(database.postgres);
    for (const { scope } of [broken, sound]) {
      const changes = { default_hold_ttl_minutes: 20 };
      done(await changeSeatingPolicy(engine, aCaller({ scope }), changes, 'platform'));
    }
    await spreadPolicies(withBroken(engine, [broken.eventId]));
    await spreadPolicies(withBroken(engine, [broken.eventId]));
    const ttl = async (sale: Sale) =>
      (await sales.node().registry.board(sale))?.config.policy.default_hold_ttl_minutes;
    expect([await ttl(broken), await ttl(sound)]).toEqual([10, 20]);
    await engine.registry.stop();
  });
});

/** An engine that can do nothing to some events. */
function withBroken(engine: Engine, eventIds: readonly string[]): Engine {
  const submit: SeatRegistry['submit'] = (event, wish) =>
    eventIds.includes(event.eventId)
      ? Promise.reject(new OperatingError('unavailable', 'broken', { retryable: false }))
      : engine.registry.submit(event, wish);
  return { ...engine, registry: { submit } as SeatRegistry };
}

describe('boards in memory', () => {
  it('are loaded once, also when another organization asks for the event meanwhile', async () => {
    const sale = await sales.open();
    const { scope } = await sales.open();
    const gate = aGate();
    const load = async (store: PostgresStore, event: EventRef) => {
      if (event.scope === sale.scope) await gate.pass();
      return store.load(event);
    };
    const node = sales.node({
      wrap: (store) => storeWith(store, { load: (event) => load(store, event) }),
    });
    gate.shut();
    const first = node.registry.board(sale);
    expect(await node.registry.board({ scope, eventId: sale.eventId })).toBeNull();
    const second = node.registry.board(sale);
    gate.open();
    expect(await first).toBe(await second);
  });

  it('leave nothing behind where they could not be read, nor where there are none', async () => {
    const sale = await sales.open();
    const empty = sales.node();
    const nowhere = { ...sale, eventId: newId() };
    expect(await hold(empty, nowhere, 0, 0)).toEqual({ kind: 'not_on_sale' });
    expect(await empty.registry.board(nowhere)).toBeNull();
    await empty.registry.poll();
    expect(empty.registry.known).toBe(0);
    const error = new OperatingError('unavailable', 'gone', { retryable: true });
    const node = sales.node({
      wrap: (store) => storeWith(store, { load: () => Promise.reject(error) }),
    });
    await expect(node.registry.board(sale)).rejects.toThrow('gone');
    await expect(hold(node, sale, 0, 0)).rejects.toThrow('gone');
    await eventually(() => node.registry.queued === 0);
    await node.registry.poll();
    expect(node.registry.known).toBe(0);
  });

  it('leave when there are too many bytes, but never one that is busy', async () => {
    const [busy, idle, last] = [await sales.open(), await sales.open(), await sales.open()];
    const gate = aGate();
    const node = sales.node({
      limit_bytes: 1,
      wrap: (store) =>
        storeWith(store, {
          transact: async (event, ask, decide) => {
            if (event.eventId === busy.eventId) await gate.pass();
            return store.transact(event, ask, decide);
          },
        }),
    });
    gate.shut();
    const answer = hold(node, busy, 0, 0);
    await eventually(() => node.count('board.loaded') === 1);
    for (const sale of [idle, last]) await node.registry.board(sale);
    expect(node.count('board.evicted')).toBe(2);
    expect(node.registry.loaded).toBe(1);
    gate.open();
    expect(await answer).toMatchObject({ outcome: { kind: 'held' } });
    expect(node.count('board.loaded')).toBe(3);
    await node.registry.board(idle);
    expect(node.registry.loaded).toBe(0);
  });

  it('leave also when nobody reads and everybody only wishes', async () => {
    const node = sales.node({ limit_bytes: 1 });
    for (let round = 0; round < 3; round++) await hold(node, await sales.open(), 0, 0);
    expect(node.registry.loaded).toBeLessThanOrEqual(1);
  });

  it('are not kept for events that do not exist, nor taken by another organization', async () => {
    const [sale, stranger] = [await sales.open(), await sales.open()];
    const node = sales.node();
    await hold(node, sale, 0, 0);
    const foreign = { scope: stranger.scope, eventId: sale.eventId };
    expect(await node.registry.board(foreign)).toBeNull();
    const wish = aWish(holdOf(stranger.buyers[0] ?? '', sale.seats.slice(0, 1)));
    expect(await node.registry.submit(foreign, wish)).toEqual({ kind: 'not_on_sale' });
    expect((await node.registry.board(sale))?.holdCount).toBe(1);
    expect(node.count('board.loaded')).toBe(3);
    expect(node.registry.loaded).toBe(1);
  });

  it('are loaded once for everybody who asks at the same time', async () => {
    const sale = await sales.open();
    const node = sales.node();
    const boards = await Promise.all(Array.from({ length: 20 }, () => node.registry.board(sale)));
    expect(new Set(boards).size).toBe(1);
    await node.registry.sweep(sale, aClock().monotonic() + 1_000);
    expect(node.count('board.loaded')).toBe(1);
  });
});
