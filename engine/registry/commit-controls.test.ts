import { control, type Off, weakPostgres } from '@voelgoed/testkit/controls';
import { eventually } from '@voelgoed/testkit/eventually';
import {
  aGate,
  aStandby,
  aWish,
  holdOf,
  keyOf,
  problems,
  type Sale,
  storeWith,
  type TestNode,
  tampered,
  useSales,
} from '@voelgoed/testkit/sales';
import { describe } from 'vitest';
import type { Answer, EventRef, Store } from './registry.ts';
import { isFlush, PostgresStore } from './registry.ts';

const sales = useSales();
const { database } = sales;

const isHeld = (answer: Answer) => answer.kind === 'done' && answer.outcome.kind === 'held';

function hold({ registry }: TestNode, sale: Sale, buyer: number, seat: number): Promise<Answer> {
  const command = holdOf(sale.buyers[buyer] ?? '', sale.seats.slice(seat, seat + 1));
  return registry.submit(sale, aWish(command));
}

async function holdsOf({ eventId }: EventRef): Promise<number> {
  const text = 'select count(*)::int as holds from seat_holds where event_id = $1';
  return Number((await database.asSuperuser(text, [eventId]))[0]?.holds);
}

const waitsForLock = async () => {
  const text = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return (await database.asSuperuser(text)).length > 0;
};

/** Says that it is committed as soon as it is decided. */
function boastful(store: PostgresStore): Store {
  return storeWith(store, {
    transact: (event, ask, decide) =>
      new Promise((resolve, reject) => {
        const transacting = store.transact(event, ask, (...opened) => {
          const flush = decide(...opened);
          if (flush) resolve({ kind: 'committed' });
          return flush;
        });
        transacting.then(resolve, reject);
      }),
  });
}

/** The connection is cut between the lock and the write. */
async function cutBeforeTheWrite(off: Off): Promise<string[]> {
  const sale = await sales.open();
  const cutting = Promise.withResolvers<void>();
  let cuts = 1;
  const store = new PostgresStore(
    weakPostgres(database.postgres, {
      beforeWrite: async () => {
        if (cuts-- <= 0) return;
        await database.asSuperuser(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and state = 'idle in transaction'`,
        );
        cutting.resolve();
      },
    }),
  );
  const node = sales.node({ store: off.has('publish after commit') ? boastful(store) : store });
  const told = await hold(node, sale, 0, 0);
  await cutting.promise;
  const harm = isHeld(told) && (await holdsOf(sale)) === 0 ? ['told, and not there'] : [];
  return [...harm, ...(await problems(database, sale))];
}

/** The node hears nothing of its COMMIT, which is still on its way to the database. */
async function lostAnswer(off: Off): Promise<string[]> {
  const sale = await sales.open();
  const gate = aGate();
  gate.shut();
  let [writes, isAsking] = [0, false];
  const weak = weakPostgres(database.postgres, {
    off: new Set(['event lock']),
    isWeak: () => isAsking && off.has('unknown commits under the lock'),
    beforeWrite: () => (++writes === 1 ? gate.pass() : Promise.resolve()),
    hears: (finishing) => {
      if (writes > 1) return finishing;
      return Promise.resolve({ kind: 'unknown', error: new Error('nothing was heard') });
    },
  });
  const store = new PostgresStore(weak);
  const node = sales.node({
    store: storeWith(store, {
      transact: (event, ask, decide) => {
        const noticing = () => {
          const asked = ask();
          isAsking = asked.unsettled !== null;
          return asked;
        };
        return store.transact(event, noticing, decide);
      },
    }),
  });
  await node.registry.board(sale);
  const wish = aWish(holdOf(sale.buyers[0] ?? '', [[sale.floor, 2]]));
  const answer = node.registry.submit(sale, wish);
  await eventually(async () => writes === 2 || (await waitsForLock()));
  gate.open();
  await answer;
  const harm = (await holdsOf(sale)) > 1 ? ['one wish, done twice'] : [];
  return [...harm, ...(await problems(database, sale))];
}

/** A node dies after its commit; whoever waited asks another one with the same key. */
async function askedAgain(off: Off): Promise<string[]> {
  const sale = await sales.open();
  const [buyer = ''] = sale.buyers;
  const wish = () => aWish(holdOf(buyer, [[sale.floor, 2]]), { key: keyOf(buyer, 'k') });
  const later = off.has('idempotency in the commit');
  const first = sales.node({
    wrap: (store) =>
      tampered(store, { write: (flush) => (later ? { ...flush, keys: [] } : flush) }),
  });
  await first.registry.submit(sale, wish());
  await first.registry.stop();
  await sales.node().registry.submit(sale, wish());
  const harm = (await holdsOf(sale)) > 1 ? ['one key, done twice'] : [];
  return [...harm, ...(await problems(database, sale))];
}

/** A node does not see that a key is there. */
async function keyOverlooked(off: Off): Promise<string[]> {
  const sale = await sales.open();
  const [buyer = ''] = sale.buyers;
  const wish = () => aWish(holdOf(buyer, [[sale.floor, 2]]), { key: keyOf(buyer, 'k') });
  let isBlind = true;
  const node = sales.node({
    store: tampered(new PostgresStore(weakPostgres(database.postgres, { off })), {
      read: (opened) => {
        const seen = isBlind ? { ...opened, answers: [] } : opened;
        isBlind = false;
        return seen;
      },
    }),
  });
  await sales.node().registry.submit(sale, wish());
  await node.registry.submit(sale, wish());
  const harm = (await holdsOf(sale)) > 1 ? ['one key, done twice'] : [];
  return [...harm, ...(await problems(database, sale))];
}

/** A node has a board in memory, and hears nothing of what another one commits. */
async function unheard(off: Off): Promise<string[]> {
  const sale = await sales.open();
  const [deaf, other] = [sales.node(), sales.node()];
  await deaf.registry.board(sale);
  if (!off.has('poll')) deaf.registry.start();
  await hold(other, sale, 0, 0);
  const isBehind = () => deaf.registry.loadedBoard(sale)?.holdCount === 0;
  const isLate = async () => {
    const late = `select from seat_holds
      where event_id = $1 and created_at < clock_timestamp() - interval '2 seconds'`;
    return (await database.asSuperuser(late, [sale.eventId])).length > 0;
  };
  await eventually(async () => !isBehind() || (off.has('poll') && (await isLate())));
  return isBehind() ? ['a board stays behind'] : [];
}

/** Shows a node its own hashes, whatever the log has. */
function flattering(store: PostgresStore): Store {
  const own = new Map<number, string>();
  return storeWith(store, {
    load: async (event) => {
      const board = await store.load(event);
      if (board) own.set(board.revision, board.hash);
      return board;
    },
    transact: (event, ask, decide) =>
      store.transact(event, ask, (opened, asked) => {
        const { revision } = asked;
        const hash = own.get(revision) ?? '';
        const rows = opened.rows.map((row) => (row.revision === revision ? { ...row, hash } : row));
        const isOwn = opened.head?.revision === revision;
        const head = opened.head && isOwn ? { ...opened.head, hash } : opened.head;
        const flush = decide({ ...opened, rows, head }, asked);
        if (isFlush(flush)) own.set(flush.row.revision, flush.row.hash);
        return flush;
      }),
  });
}

/** A failover has lost two commits, and another node has made two others since. */
async function lostCommits(off: Off): Promise<string[]> {
  const sale = await sales.open();
  const node = sales.node(off.has('lineage') ? { wrap: flattering } : {});
  await hold(node, sale, 0, 0);
  const failOver = await aStandby(database, sale.eventId);
  for (const seat of [1, 2]) await hold(node, sale, 1, seat);
  await failOver();
  const other = sales.node();
  for (const seat of [1, 2]) await hold(other, sale, 2, seat);
  await hold(node, sale, 3, 5);
  return problems(database, sale);
}

/** A hold is over and nobody has ended it; somebody else asks for the seat. */
async function takenOver(off: Off): Promise<string[]> {
  const sale = await sales.open();
  const wrap = (store: PostgresStore) =>
    storeWith(store, {
      load: async (event) => {
        const board = await store.load(event);
        if (!board || !off.has('expiry before decide')) return board;
        return Object.assign(board, { due: () => [], nextDue: () => Number.POSITIVE_INFINITY });
      },
    });
  const node = sales.node({ wrap, demoHoldSeconds: 1 });
  await hold(node, sale, 0, 0);
  const over = 'select from seat_holds where event_id = $1 and held_until <= clock_timestamp()';
  await eventually(async () => (await database.asSuperuser(over, [sale.eventId])).length > 0);
  const answer = await hold(node, sale, 1, 0);
  const harm = isHeld(answer) ? [] : ['an expired seat was refused'];
  return [...harm, ...(await problems(database, sale))];
}

describe('what was told', () => {
  control('publish after commit', cutBeforeTheWrite);
});

describe('a commit whose answer was lost', () => {
  control('unknown commits under the lock', lostAnswer);
});

describe('a wish that is asked again', () => {
  control('idempotency in the commit', askedAgain);
  control('key row', keyOverlooked);
});

describe('a node that nobody tells', () => {
  control('poll', unheard);
});

describe('commits that a failover has lost', () => {
  control('lineage', lostCommits);
});

describe('a hold that is over', () => {
  control('expiry before decide', takenOver);
});
