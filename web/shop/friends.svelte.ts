import { isFailure } from '@voelgoed/client/client';

export type Item = { seat_id: string } | { zone_id: string; quantity: number };
type NamedItem =
  | { seat_id: string; for_user_id?: string }
  | { zone_id: string; quantity: number; for_user_ids?: string[] };

/** So many friends are to be named: each place of the zone is for a person who may enter. */
export type FriendsNeeded = Readonly<{
  places: number;
  /** Who of those that were named may not enter. */
  denied: readonly string[];
  /** One of those who were named has a place already. */
  isTwice: boolean;
  /** The visitor has a ticket of their own. */
  isOwnBought: boolean;
}>;

/** A place is for a person whom the visitor has not named. */
export function isNameless(error: unknown): boolean {
  return isFailure(error, 'zone_access_denied') && (error.details.unnamed ?? 0) > 0;
}

function sizeOf(item: Item): number {
  return 'seat_id' in item ? 1 : item.quantity;
}

export function placesOf(items: readonly Item[]): number {
  return items.reduce((sum, item) => sum + sizeOf(item), 0);
}

/** Names go to the last places: the first one is the visitor's own, if it can be. */
export function withPeople(
  items: readonly Item[],
  people: readonly string[],
  isForPeople: (item: Item) => boolean,
): NamedItem[] {
  const left = [...people];
  const named = [...items].reverse().map((item): NamedItem => {
    if (left.length === 0 || !isForPeople(item)) return item;
    const own = left.splice(-sizeOf(item));
    return 'seat_id' in item
      ? { ...item, for_user_id: own[0] ?? '' }
      : { ...item, for_user_ids: own };
  });
  return named.reverse();
}

/**
 * Asks for whom places are, when a zone demands it: a request that lacks names is
 * made again with them, until it succeeds, fails for another reason, or is given up.
 */
export class Friends {
  /** What the visitor is asked; null: nothing. */
  needed = $state.raw<FriendsNeeded | null>(null);
  isBusy = $state(false);
  readonly #own: () => string | null;
  #answer: (people: readonly string[] | null) => void = () => {};
  /** Whom the visitor has named for a seat, as far as this page knows. */
  readonly #people = new Map<string, string>();
  /** Settles when nothing is asked any more. */
  #last: Promise<void> = Promise.resolve();

  constructor(own: () => string | null) {
    this.#own = own;
  }

  /** The visitor's own number, for friends who buy for them. */
  get ownNumber(): string | null {
    return this.#own();
  }

  /**
   * Null: the visitor does not say. One after the other: a dialog asks one question, and what was
   * taken with its answer counts for the next.
   */
  name<Held>(
    most: number,
    hold: (people: readonly string[]) => Promise<Held>,
    named: readonly string[] = [],
  ): Promise<Held | null> {
    const own = this.#last.then(() => this.#nameNow(most, hold, named));
    this.#last = own.then(
      () => {},
      () => {},
    );
    return own;
  }

  async #nameNow<Held>(
    most: number,
    hold: (people: readonly string[]) => Promise<Held>,
    named: readonly string[],
  ): Promise<Held | null> {
    let people = named;
    try {
      for (;;) {
        try {
          return await hold(people);
        } catch (error) {
          const answer = await this.#ask(error, people, most);
          if (!answer) return null;
          people = answer;
        }
      }
    } finally {
      this.needed = null;
      this.isBusy = false;
    }
  }

  personOf(seatId: string): string | null {
    return this.#people.get(seatId) ?? null;
  }

  /** For whom these are asked for; a seat without a name is the visitor's own. */
  remember(items: readonly NamedItem[]): void {
    for (const item of items) {
      if (!('seat_id' in item)) continue;
      if (item.for_user_id) this.#people.set(item.seat_id, item.for_user_id);
      else this.#people.delete(item.seat_id);
    }
  }

  say(people: readonly string[]): void {
    this.isBusy = true;
    this.#answer(people);
  }

  giveUp(): void {
    this.#answer(null);
  }

  #ask(error: unknown, named: readonly string[], most: number): Promise<readonly string[] | null> {
    if (!isFailure(error, 'zone_access_denied')) throw error;
    const { unnamed = 0, people: denied = [], owned = 0 } = error.details;
    // Without a name that is asked for, or refused, it is about the visitor.
    if (unnamed === 0 && denied.length === 0) throw error;
    const places = Math.max(named.length, Math.min(unnamed, most));
    const isTwice = unnamed > 0 && named.length > 0;
    this.needed = { places, denied, isTwice, isOwnBought: owned > 0 };
    this.isBusy = false;
    return new Promise((resolve) => {
      this.#answer = resolve;
    });
  }
}
