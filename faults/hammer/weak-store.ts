import { assert, systemClock } from '@voelgoed/engine/kit';
import type { Connection, Postgres, Statement } from '@voelgoed/engine/postgres';
import { PostgresStore, type Store } from '@voelgoed/engine/registry';
import type { Weakness } from './messages.ts';

type Decide = Parameters<Store['transact']>[2];
type Opened = Parameters<Decide>[0];
type Decision = ReturnType<Decide>;

/** A test that wants to stop a node at the worst moment. */
export type StopSwitch = { armed: boolean; onStop(): void };

/** The store as the product has it, or without one of its guards. */
export function storeFor(postgres: Postgres, weakness: Weakness, stop: StopSwitch): Store {
  const store = new PostgresStore(weakness === 'unlocked' ? withoutLock(postgres) : postgres);
  return {
    load: (event) => store.load(event),
    rowsFrom: (event, revision, most) => store.rowsFrom(event, revision, most),
    heads: (events) => store.heads(events),
    saveSnapshot: (event, board) => store.saveSnapshot(event, board),
    clock: () => store.clock(),
    setDrift: (wanted) => store.setDrift(wanted),
    transact: async (event, ask, decide) => {
      let boasted = false;
      const transacted = await store.transact(event, ask, (opened, asked) => {
        const seen = weakness === 'stale' ? asBefore(asked.revision, opened) : opened;
        const flush = stopping(decide(seen, asked), stop);
        boasted = weakness === 'boastful' && flush !== null;
        return boasted ? null : flush;
      });
      return boasted ? { kind: 'committed' } : transacted;
    },
  };
}

/** As if nobody had committed since the board was loaded. */
function asBefore(revision: number, opened: Opened): Opened {
  const own = opened.rows.find((row) => row.revision === revision);
  if (!opened.head || !own) return opened;
  return { ...opened, rows: [own], head: { ...opened.head, revision, hash: own.hash } };
}

/** Stops this process while it holds the lock of the event and has decided what to write. */
function stopping(flush: Decision, stop: StopSwitch): Decision {
  if (!flush || !stop.armed) return flush;
  stop.armed = false;
  stop.onStop();
  process.kill(process.pid, 'SIGSTOP');
  // Another thread may take the signal; this one must not go on before it has.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  return flush;
}

const LOCK = ' for no key update';

/**
 * Much longer than a flush takes, also on a busy machine: while a node writes, the other one has
 * read, so that both decide on the same state in most flushes and not by chance.
 */
const LINGER_MS = 40;

/** Postgres without the words that lock. */
function withoutLock(postgres: Postgres): Postgres {
  const unlocked = (one: Statement<unknown>): Statement<unknown> => {
    if (one.name !== 'flush.lock') return one;
    assert(one.text.includes(LOCK), 'the lock is in the statement of this name');
    return { ...one, name: 'flush.no_lock', text: one.text.replace(LOCK, '') };
  };
  const weaken = (connection: Connection) =>
    redirected(connection, {
      begin: async (organizationId, statements = []) => {
        const answers = await connection.begin(organizationId, statements.map(unlocked));
        await systemClock.sleep(LINGER_MS);
        return answers;
      },
    });
  const writers = redirected(postgres.writers, {
    use: <Result>(work: (connection: Connection) => Promise<Result>) =>
      postgres.writers.use((connection) => work(weaken(connection))),
  });
  return redirected(postgres, { writers });
}

/** The same object with some of its members replaced. */
function redirected<Target extends object>(target: Target, members: Partial<Target>): Target {
  return new Proxy(target, {
    get: (_, name) => {
      if (name in members) return Reflect.get(members, name);
      const member = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
