import type { Board, ChangeRow } from '#board';
import type { EventRef, Watch } from './ports.ts';

/** Somebody who wants to know what becomes of one event's board; must not fail. */
export type Watcher = Readonly<{
  /** The board after a row. */
  row(board: Board, row: ChangeRow): void;
  /** It was loaded, or it is gone and will be loaded by whoever asks. */
  changed(): void;
}>;

/** Passes on what the registry tells: to the tier that sees all events, and to watchers of one. */
export class Watchers implements Watch {
  readonly #all: Watch | null;
  readonly #byEvent = new Map<string, Set<Watcher>>();
  readonly #listeners = new Set<(event: EventRef) => void>();

  constructor(all: Watch | null = null) {
    this.#all = all;
  }

  /** Until the function that comes back is called. */
  add({ eventId }: EventRef, watcher: Watcher): () => void {
    const watchers = this.#byEvent.get(eventId) ?? new Set();
    this.#byEvent.set(eventId, watchers.add(watcher));
    return () => {
      watchers.delete(watcher);
      if (watchers.size === 0) this.#byEvent.delete(eventId);
    };
  }

  /** Told of every event that gets a row, until the function that comes back is called. */
  listen(heard: (event: EventRef) => void): () => void {
    this.#listeners.add(heard);
    return () => this.#listeners.delete(heard);
  }

  loaded(event: EventRef, board: Board): void {
    this.#all?.loaded(event, board);
    for (const watcher of this.#of(event)) watcher.changed();
  }

  row(event: EventRef, board: Board, row: ChangeRow): void {
    this.#all?.row(event, board, row);
    for (const watcher of this.#of(event)) watcher.row(board, row);
    for (const heard of this.#listeners) heard(event);
  }

  left(event: EventRef, why: 'discarded' | 'evicted'): void {
    this.#all?.left(event, why);
    for (const watcher of this.#of(event)) watcher.changed();
  }

  #of({ eventId }: EventRef): Iterable<Watcher> {
    return this.#byEvent.get(eventId) ?? [];
  }
}
