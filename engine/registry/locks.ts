import { nextTurn, type Timers } from '#kit';
import type { Store } from './ports.ts';

/**
 * Event locks that this node holds at this moment. Others wait for each of them: work that can wait
 * a little stays off the processor until they are given back.
 */
export class HeldLocks {
  #held = 0;
  #waiting: (() => void)[] = [];

  get isAny(): boolean {
    return this.#held > 0;
  }

  /** When none is held and the first who waited for it were told; at the latest after this. */
  async none(most_ms: number, timers: Timers): Promise<void> {
    if (this.#held === 0) return;
    const over = new AbortController();
    const given = new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
    });
    await Promise.race([given, timers.sleep(most_ms, over.signal).catch(() => {})]);
    over.abort(new Error('given back'));
    await nextTurn();
  }

  /** The same store, and we know when it has a lock: from the answer to it until the commit's. */
  watch(store: Store): Store {
    return {
      load: (event) => store.load(event),
      rowsFrom: (event, revision, most) => store.rowsFrom(event, revision, most),
      heads: (events) => store.heads(events),
      saveSnapshot: (event, board) => store.saveSnapshot(event, board),
      clock: () => store.clock(),
      setDrift: (wanted) => store.setDrift(wanted),
      transact: async (event, ask, decide) => {
        let isOurs = false;
        try {
          return await store.transact(event, ask, (opened, asked) => {
            isOurs = true;
            this.#held++;
            return decide(opened, asked);
          });
        } finally {
          if (isOurs) this.#giveBack();
        }
      },
    };
  }

  #giveBack(): void {
    this.#held--;
    if (this.#held > 0) return;
    for (const resume of this.#waiting.splice(0)) resume();
  }
}
