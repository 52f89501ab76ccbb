import { type Clock, systemClock, systemRandom, type Timers, uuidOf } from '@voelgoed/engine/kit';
import { withClient } from '@voelgoed/engine/postgres';
import {
  type EventRef,
  type Flush,
  isFlush,
  PostgresStore,
  SeatRegistry,
  type Store,
} from '@voelgoed/engine/registry';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import { type Direction, startProxy, type Verdict } from '@voelgoed/faults/proxy';
import { afterAll, describe, expect, it } from 'vitest';
import { aWish, holdOf, keyOf, releaseOf, useSales } from '#sales';
import { testServices } from '#services';
import { Dice, Machine, MemoryDatabase, MemoryEvent, MemoryStore, Simulation } from '#stores';
import { CONFIG, EVENT, FLOOR, PLAN, SEAT_IDS, USERS } from './hall.ts';

type Transact = Store['transact'];
type Opened = Parameters<Parameters<Transact>[2]>[0];
type Trouble = 'the answer is lost' | 'the write is lost';

/** A store with an event on sale, however it is made. */
type Kept = Readonly<{
  store: Store;
  event: EventRef;
  seats: readonly string[];
  floor: string;
  buyers: readonly string[];
  clock: Clock & Timers;
  /** Lets it happen: simulated time does not pass by itself. */
  during<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Somebody else has the event's lock while this runs. */
  locked<Result>(work: () => Promise<Result>): Promise<Result>;
  /** A store on a connection on which this happens to the next commit. */
  suffering(trouble: Trouble): Promise<Store>;
}>;

const sales = useSales();
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

async function inMemory(): Promise<Kept> {
  const simulation = new Simulation();
  const database = new MemoryDatabase(simulation, new MemoryEvent(PLAN, CONFIG));
  const machine = new Machine('node', simulation, 0, 0);
  const storeOf = () => new MemoryStore(database, machine, new Dice(1, 'network'));
  const during = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    let isOver = false;
    const done = work().finally(() => {
      isOver = true;
    });
    await simulation.run(() => isOver);
    return done;
  };
  return {
    store: storeOf(),
    event: EVENT,
    seats: SEAT_IDS,
    floor: FLOOR,
    buyers: USERS,
    clock: machine.clock(),
    during,
    locked: async (work) => {
      database.hog(60_000);
      const result = await during(work);
      database.restart();
      return result;
    },
    suffering: async (trouble) => {
      const store = storeOf();
      store.suffer(trouble === 'the answer is lost' ? 'answers lost' : 'writes lost', 60_000);
      return store;
    },
  };
}

async function inPostgres(): Promise<Kept> {
  const { database } = sales;
  const sale = await sales.open({ seats: 50, places: 12, buyers: 8 });
  const select = 'select 1 from event_boards where event_id = $1 for update';
  return {
    store: new PostgresStore(database.postgres),
    event: { scope: sale.scope, eventId: sale.eventId },
    seats: sale.seats,
    floor: sale.floor,
    buyers: sale.buyers,
    clock: systemClock,
    during: (work) => work(),
    locked: (work) => {
      return withClient(database.superuserUrl, async (other) => {
        await other.query('begin');
        await other.query(select, [sale.eventId]);
        return work();
      });
    },
    suffering: (trouble) => behindProxy(trouble),
  };
}

/** The real store, by way of a proxy that cuts the connection at its first COMMIT. */
async function behindProxy(trouble: Trouble): Promise<Store> {
  const { database } = sales;
  const path = `${new URL(testServices().ownerUrl).searchParams.get('host')}/.s.PGSQL.5432`;
  const isLost = trouble === 'the answer is lost';
  let isWriting = false;
  const onChunk = (direction: Direction, chunk: Buffer): Verdict => {
    if (direction === 'up' && chunk.includes('flush.write')) isWriting = true;
    if (!isWriting) return 'pass';
    if (direction === 'up') return isLost ? 'pass' : 'cut';
    return isLost && chunk.includes(COMMIT_TAG) ? 'cut' : 'pass';
  };
  const proxy = await startProxy({ upstream: { path }, onChunk });
  const url = new URL(proxy.through(database.appUrl));
  url.searchParams.delete('host');
  const postgres = database.open({ appUrl: url.href });
  closing.push(async () => {
    await postgres.close();
    await proxy.close();
  });
  return new PostgresStore(postgres);
}

/** The tag of a successful COMMIT on the wire: message type C, length 11, "COMMIT". */
const COMMIT_TAG = Buffer.from('C\0\0\0\x0bCOMMIT\0', 'latin1');

const NOTHING_ASKED = { keys: [], users: [], unsettled: null, sales: null };

type Seen = { opened: Opened | null; transacted: Awaited<ReturnType<Transact>> | null };

/** A node of its own on this store; what it reads and writes can be looked at and changed. */
function aNode(
  { clock }: Kept,
  store: Store,
  ways: { write?: (flush: Flush) => Flush; seen?: Seen } = {},
): SeatRegistry {
  const { write = (flush: Flush) => flush, seen } = ways;
  const watched: Store = {
    load: (event) => store.load(event),
    rowsFrom: (event, revision, most) => store.rowsFrom(event, revision, most),
    heads: (events) => store.heads(events),
    saveSnapshot: (event, board) => store.saveSnapshot(event, board),
    clock: () => store.clock(),
    setDrift: (wanted) => store.setDrift(wanted),
    transact: async (event, ask, decide) => {
      const transacted = await store.transact(event, ask, (opened, asked) => {
        if (seen) seen.opened = opened;
        const flush = decide(opened, asked);
        return isFlush(flush) ? write(flush) : flush;
      });
      if (seen?.transacted === null) seen.transacted = transacted;
      return transacted;
    },
  };
  const tools = { clock, random: systemRandom, telemetry: silentTelemetry };
  return new SeatRegistry({ ...tools, store: watched, feed: { publish: () => {} } });
}

/** One buyer holds one seat. */
function hold(kept: Kept, registry: SeatRegistry, place: number, keyed = false) {
  const buyer = kept.buyers[place] ?? '';
  const key = keyed ? keyOf(buyer, 'a key') : null;
  const deadline_ms = kept.clock.monotonic() + 3_000;
  const wanted = holdOf(buyer, [kept.seats[place] ?? '', [kept.floor, 1]]);
  return registry.submit(kept.event, aWish(wanted, { key, deadline_ms }));
}

/** What contradicts the store, and would be written if nothing looked. */
const NOBODYS = { hold_id: uuidOf('nobody'), checkout_id: null, quantity: 1 };
const CONTRADICTIONS: Readonly<Record<string, (flush: Flush) => Flush>> = {
  'another revision': (flush) => ({
    ...flush,
    row: { ...flush.row, revision: flush.row.revision + 1 },
  }),
  'a revision that is there': (flush) => ({
    ...flush,
    row: { ...flush.row, revision: flush.row.revision - 1 },
  }),
  'another version of a seat': (flush) => ({
    ...flush,
    seats: flush.seats.map((seat) => ({ ...seat, expected_version: seat.expected_version + 1 })),
  }),
  'another hold of a seat': (flush) => ({
    ...flush,
    seats: flush.seats.map((seat) => ({ ...seat, expected_hold: uuidOf('nobody') })),
  }),
  'the end of a hold that is not there': (flush) => ({
    ...flush,
    endedHolds: [
      {
        hold_id: uuidOf('nobody'),
        end: { status: 'expired', reason: 'ttl_expired', at_ms: flush.row.at_ms },
      },
    ],
  }),
  'a longer life of a hold that is not there': (flush) => ({
    ...flush,
    changedHolds: [{ ...NOBODYS, until_ms: flush.row.at_ms }],
  }),
  'more places than there are': (flush) => ({
    ...flush,
    zones: flush.zones.map((zone) => ({ ...zone, held: 1_000 })),
  }),
};

const KINDS: readonly [string, () => Promise<Kept>][] = [
  ['in memory', inMemory],
  ['in Postgres', inPostgres],
];

describe.each(KINDS)('a store %s', (_, make) => {
  it('gives back what was committed: board, rows and head', async () => {
    const kept = await make();
    const { store, event } = kept;
    const registry = aNode(kept, store);
    await kept.during(async () => {
      const first = await registry.board(event);
      const base = first?.revision ?? 0;
      await hold(kept, registry, 0);
      await hold(kept, registry, 1);
      const [board, loaded] = [await registry.board(event), await store.load(event)];
      expect([loaded?.revision, loaded?.digest]).toEqual([base + 2, board?.digest]);
      const [own, next] = await store.rowsFrom(event, base + 1, 10);
      expect(own).toMatchObject({ revision: base + 1, changes: [], keyed: [] });
      expect(next?.changes).toMatchObject([{ kind: 'held' }]);
      expect(await store.heads([event])).toMatchObject([
        { eventId: event.eventId, revision: base + 2, hash: next?.hash },
      ]);
    });
  });

  it('lets two nodes write one after the other, and each sees the other', async () => {
    const kept = await make();
    const nodes = [aNode(kept, kept.store), aNode(kept, kept.store)];
    await kept.during(async () => {
      const answers = await Promise.all(nodes.map((node, place) => hold(kept, node, place)));
      const revisions = answers.map((one) => (one.kind === 'done' ? one.revision : 0)).sort();
      expect((revisions[1] ?? 0) - (revisions[0] ?? 0)).toBe(1);
      expect((await kept.store.load(kept.event))?.holdCount).toBe(4);
    });
  });

  it('says after half a second that somebody else has the lock', async () => {
    const kept = await make();
    const transact = () =>
      kept.store.transact(
        kept.event,
        () => ({ revision: 0, ...NOTHING_ASKED }),
        () => null,
      );
    const started = kept.clock.monotonic();
    const refused = await kept.locked(transact);
    expect(refused).toMatchObject({ kind: 'failed', trouble: 'conflict' });
    expect(kept.clock.monotonic() - started).toBeGreaterThan(450);
    expect(await kept.during(transact)).toEqual({ kind: 'nothing' });
  });

  it('lets go of the lock when nothing is decided, or deciding throws', async () => {
    const kept = await make();
    const { store, event } = kept;
    const asked = { revision: 0, ...NOTHING_ASKED };
    await kept.during(async () => {
      expect(
        await store.transact(
          event,
          () => asked,
          () => null,
        ),
      ).toEqual({ kind: 'nothing' });
      const thrown = await store.transact(
        event,
        () => asked,
        () => {
          throw new Error('a bug');
        },
      );
      expect(thrown).toMatchObject({ kind: 'failed', trouble: 'fault' });
      expect(
        await store.transact(
          event,
          () => asked,
          () => null,
        ),
      ).toEqual({ kind: 'nothing' });
    });
  });

  it.each(Object.keys(CONTRADICTIONS))('refuses %s, and writes nothing of it', async (name) => {
    const kept = await make();
    const { store, event } = kept;
    await kept.during(async () => {
      await hold(kept, aNode(kept, store), 0);
      const before = await store.load(event);
      const seen: Seen = { opened: null, transacted: null };
      const careless = aNode(kept, store, { write: CONTRADICTIONS[name] ?? ((one) => one), seen });
      await hold(kept, careless, 1).catch(() => {});
      expect(seen.transacted).toMatchObject({ kind: 'failed', trouble: 'guard' });
      const after = await store.load(event);
      expect([after?.revision, after?.digest]).toEqual([before?.revision, before?.digest]);
    });
  });

  it('refuses a second live hold of a seat, whatever else fits', async () => {
    const kept = await make();
    const { store, event } = kept;
    await kept.during(async () => {
      await hold(kept, aNode(kept, store), 0);
      const seen: Seen = { opened: null, transacted: null };
      const write = (flush: Flush) => ({
        ...flush,
        seats: [],
        newHolds: flush.newHolds.map((one) =>
          one.seat_id === null ? one : { ...one, seat_id: kept.seats[0] ?? '' },
        ),
      });
      await hold(kept, aNode(kept, store, { write, seen }), 1).catch(() => {});
      expect(seen.transacted).toMatchObject({ kind: 'failed', trouble: 'guard' });
      expect((await store.load(event))?.holdCount).toBe(2);
    });
  });

  it('finds keys and the author of a revision under the lock', async () => {
    const kept = await make();
    const { store, event } = kept;
    await kept.during(async () => {
      const registry = aNode(kept, store);
      const answer = await hold(kept, registry, 0, true);
      const revision = answer.kind === 'done' ? answer.revision : 0;
      const [row] = await store.rowsFrom(event, revision, 1);
      const key = keyOf(kept.buyers[0] ?? '', 'a key');
      const seen: { opened: Opened | null } = { opened: null };
      const asked = { revision, keys: [key], users: [], unsettled: revision, sales: null };
      await store.transact(
        event,
        () => asked,
        (opened) => {
          seen.opened = opened;
          return null;
        },
      );
      expect(seen.opened).toMatchObject({
        head: { revision, hash: row?.hash },
        unsettledFlush: row?.flush_id,
        answers: [{ key: 'a key', bodyHash: key.bodyHash.toString('hex'), answer }],
      });
      const again = await hold(kept, registry, 0, true);
      expect(again).toEqual({ ...answer, replayed: true });
    });
  });

  it.each(['the answer is lost', 'the write is lost'] as const)(
    'does not know what came of a commit when %s; the log does',
    async (trouble) => {
      const kept = await make();
      const { store, event } = kept;
      const bad = await kept.suffering(trouble);
      await kept.during(async () => {
        await hold(kept, aNode(kept, store), 0);
        const before = (await store.load(event))?.revision ?? 0;
        const seen: Seen = { opened: null, transacted: null };
        const node = aNode(kept, bad, { seen });
        await hold(kept, node, 1).catch(() => {});
        expect(seen.transacted).toMatchObject({ kind: 'unknown' });
        // Under the lock: whatever was under way is over.
        const asked = { ...NOTHING_ASKED, revision: before, unsettled: before + 1 };
        const found: { flush: string | null } = { flush: null };
        const look = () =>
          store.transact(
            event,
            () => asked,
            (opened) => {
              found.flush = opened.unsettledFlush;
              return null;
            },
          );
        for (let tries = 0; tries < 5 && (await look()).kind !== 'nothing'; tries++);
        expect(found.flush !== null).toBe(trouble === 'the answer is lost');
        await node.stop();
      });
    },
  );

  it('ends what is given back, and the seat is free for the next', async () => {
    const kept = await make();
    const { store, event } = kept;
    await kept.during(async () => {
      const registry = aNode(kept, store);
      await hold(kept, registry, 0);
      const buyer = kept.buyers[0] ?? '';
      const deadline_ms = kept.clock.monotonic() + 3_000;
      const wanted = releaseOf({ user_id: buyer }, { owner: buyer });
      await registry.submit(event, aWish(wanted, { deadline_ms }));
      expect((await store.load(event))?.holdCount).toBe(0);
      expect(await hold(kept, registry, 0)).toMatchObject({ outcome: { kind: 'held' } });
    });
  });
});
