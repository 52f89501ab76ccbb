import {
  aHold,
  anEngine,
  anOrganization,
  aPublishedEvent,
  aUser,
} from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#kit';
import { silentTelemetry } from '#telemetry';
import { HeldLocks } from './locks.ts';
import type { Opened, Store } from './ports.ts';
import { PostgresStore } from './postgres-store.ts';

/** A store that keeps the lock until it is told that the commit is through. */
function aSlowStore() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const store = {
    transact: async (_event, _ask, decide) => {
      decide({} as Opened, {} as never);
      await promise;
      return { kind: 'committed' };
    },
  } as Pick<Store, 'transact'> as Store;
  return { store, commit: resolve };
}

describe('locks that this node holds', () => {
  it('keep others waiting until the commit is known', async () => {
    const locks = new HeldLocks();
    const { store, commit } = aSlowStore();
    const flush = locks.watch(store).transact({} as never, {} as never, () => null);
    expect(locks.isAny).toBe(true);
    let isFree = false;
    const waiting = locks.none(60_000, systemClock).then(() => {
      isFree = true;
    });
    await systemClock.sleep(1);
    expect(isFree).toBe(false);
    commit();
    await Promise.all([flush, waiting]);
    expect([isFree, locks.isAny]).toEqual([true, false]);
  });

  it('keep nobody waiting for long', async () => {
    const locks = new HeldLocks();
    const { store, commit } = aSlowStore();
    const flush = locks.watch(store).transact({} as never, {} as never, () => null);
    await locks.none(5, systemClock);
    expect(locks.isAny).toBe(true);
    commit();
    await flush;
  });
});

describe('a registry', () => {
  const database = useDatabase();

  it('holds a lock from the moment it decides until the commit is known', async () => {
    const scope = await anOrganization(database.postgres);
    const inner = new PostgresStore(database.postgres);
    const free = { during: 0, after: 0 };
    let isCommitted = false;
    const store: Store = new Proxy(inner, {
      get: (target, name: keyof Store) => {
        if (name !== 'transact') return target[name].bind(target);
        return async (...[event, ask, decide]: Parameters<Store['transact']>) => {
          const transacted = await target.transact(event, ask, (...opened) => {
            const flush = decide(...opened);
            void engine.registry.noLocks(10_000).then(() => {
              free[isCommitted ? 'after' : 'during']++;
            });
            return flush;
          });
          isCommitted = true;
          return transacted;
        };
      },
    });
    const engine = anEngine(database.postgres, silentTelemetry, { store });
    const { eventId } = await aPublishedEvent(engine, scope);
    const board = await engine.registry.board({ scope, eventId });
    const items = [{ seat_id: board?.plan.seatIdOf(0) ?? '' }];
    isCommitted = false;
    free.during = free.after = 0;
    const answer = await engine.registry.submit(
      { scope, eventId },
      {
        command: aHold(await aUser(database.postgres, scope), items),
        actor: { kind: 'system', id: null, role: null },
        context: null,
        key: null,
        deadline_ms: systemClock.monotonic() + 5_000,
      },
    );
    expect(answer.kind).toBe('done');
    await eventually(() => free.after === 1);
    expect(free.during).toBe(0);
    await engine.registry.stop();
  });
});
