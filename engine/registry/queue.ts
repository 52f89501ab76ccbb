import { CLASSES, classOf, type QueuedWish, type WishClass } from './wish.ts';

/** A stampede of 5,000 on one seat is answered, not turned away; beyond this nobody waits. */
export const QUEUE_LIMIT = 10_000;

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

  get isFull(): boolean {
    return this.length >= QUEUE_LIMIT;
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
