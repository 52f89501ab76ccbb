import type { Clock, Timers } from '@voelgoed/engine/kit';
import { systemClock } from '@voelgoed/engine/kit';
import {
  type EventRef,
  type Flush,
  isFlush,
  type PostgresStore,
  type Store,
} from '@voelgoed/engine/registry';

type Transact = Store['transact'];
type Opened = Parameters<Parameters<Transact>[2]>[0];
type Asked = Parameters<Parameters<Transact>[2]>[1];

/** The system's clock, which a test can set forward. */
export function aClock(): Clock & Timers & { ahead_ms: number } {
  const clock = {
    ...systemClock,
    ahead_ms: 0,
    monotonic: () => systemClock.monotonic() + clock.ahead_ms,
  };
  return clock;
}

/** A store with some of its ways replaced. */
export function storeWith(store: PostgresStore, ways: Partial<Store>): Store {
  return {
    load: (event) => store.load(event),
    transact: (event, ask, decide) => store.transact(event, ask, decide),
    rowsFrom: (event, revision, most) => store.rowsFrom(event, revision, most),
    heads: (events) => store.heads(events),
    saveSnapshot: (event, board) => store.saveSnapshot(event, board),
    clock: () => store.clock(),
    setDrift: (wanted) => store.setDrift(wanted),
    ...ways,
  };
}

/** Changes what a node reads under the lock, or what it writes. */
export function tampered(
  store: PostgresStore,
  ways: {
    read?: (opened: Opened, asked: Asked, event: EventRef) => Opened;
    write?: (flush: Flush) => Flush;
  },
): Store {
  const { read = (opened) => opened, write = (flush) => flush } = ways;
  return storeWith(store, {
    transact: (event, ask, decide) =>
      store.transact(event, ask, (opened, asked) => {
        const flush = decide(read(opened, asked, event), asked);
        return isFlush(flush) ? write(flush) : flush;
      }),
  });
}

/** A gate that a store waits at. It is open until it is shut. */
export function aGate() {
  let opening: PromiseWithResolvers<void> | null = null;
  return {
    shut: () => {
      opening ??= Promise.withResolvers<void>();
    },
    open: () => {
      opening?.resolve();
      opening = null;
    },
    pass: async () => opening?.promise,
  };
}
