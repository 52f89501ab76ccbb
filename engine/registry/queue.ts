import type { Command } from '#board';
import { CLASSES, classOf, isNeverRefused, type QueuedWish, type WishClass } from './wish.ts';

/** A stampede of 5,000 on one seat is answered, not turned away; beyond this nobody waits. */
export const QUEUE_LIMIT = 10_000;

/** A flush takes so many: while Postgres writes them, as many again arrive and are parsed. */
export const BATCH = 256;
export const LARGE_BATCH = 1_024;

/**
 * Of a long queue a flush takes half: with thousands of requests one turn of the loop takes a tenth
 * of a second, and so does every round trip to Postgres; there must be few of them. Never more than
 * `most`, which is less than `LARGE_BATCH` while one is looked for that cannot be stored.
 */
export function flushSize(most: number, waiting: number): number {
  return Math.min(most, Math.max(BATCH, waiting >> 1));
}

/** What frees seats and keeps promises still finds room where new wishes find none. */
const ROOM: Readonly<Record<WishClass, number>> = {
  hold: QUEUE_LIMIT,
  extend: QUEUE_LIMIT + 500,
  release: QUEUE_LIMIT + 1_000,
  complete: QUEUE_LIMIT + 2_000,
};

export function hasRoom(name: WishClass, length: number): boolean {
  return length < ROOM[name];
}

/** Wishes for one event, in order of arrival within their class. */
export class WishQueue {
  readonly #lanes: Readonly<Record<WishClass, QueuedWish[]>> = {
    complete: [],
    release: [],
    extend: [],
    hold: [],
  };

  get length(): number {
    return CLASSES.reduce((sum, name) => sum + this.#lanes[name].length, 0);
  }

  hasRoomFor(command: Command): boolean {
    return isNeverRefused(command) || hasRoom(classOf(command), this.length);
  }

  add(wish: QueuedWish): void {
    this.#lanes[classOf(wish.wish.command)].push(wish);
  }

  /** Up to `most`, first class first. Those that were answered meanwhile are left out. */
  take(most: number): QueuedWish[] {
    const taken: QueuedWish[] = [];
    for (const name of CLASSES) {
      const lane = this.#lanes[name];
      let count = 0;
      while (count < lane.length && taken.length < most) {
        const wish = lane[count++];
        if (wish && !wish.isSettled) taken.push(wish);
      }
      lane.splice(0, count);
    }
    return taken;
  }

  /** Back to where they were, in the same order. */
  putBack(wishes: readonly QueuedWish[]): void {
    for (const name of CLASSES) {
      const own = wishes.filter((one) => !one.isSettled && classOf(one.wish.command) === name);
      if (own.length > 0) this.#lanes[name].unshift(...own);
    }
  }

  /** Holds that wait, from the `from`th on. */
  holds(from: number, most: number): readonly QueuedWish[] {
    return this.#lanes.hold.slice(from, from + most);
  }

  all(): QueuedWish[] {
    return CLASSES.flatMap((name) => this.#lanes[name]);
  }
}
