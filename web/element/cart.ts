import { type Failure, isFailure, type OwnHold, type SeatingClient } from '@voelgoed/client/client';

/** Remembers a guest between two visits of a page; a page without storage forgets. */
export type Memory = Readonly<{
  get(key: string): string | null;
  set(key: string, value: string | null): void;
}>;

type Asked = { seat_id: string } | { zone_id: string; quantity: number };

/** What a buyer holds in one event, and who the buyer is: a page's own, or a guest. */
export class Cart {
  readonly #event_id: string;
  readonly #memory: Memory;
  readonly #key: string;
  #client: SeatingClient | null = null;
  #given: string | null;
  #guest: string | null;
  #holds: readonly OwnHold[] = [];
  cart_token: string | null = null;
  /** Of the board after the last thing that was held. */
  revision = -1;

  constructor(event_id: string, server: string, given: string | null, memory: Memory) {
    this.#event_id = event_id;
    this.#memory = memory;
    this.#key = `voelgoed-seat-map ${server} ${event_id}`;
    this.#given = given;
    this.#guest = given === null ? memory.get(this.#key) : null;
  }

  /** The client asks this cart for its token, so it comes after it. */
  use(client: SeatingClient): void {
    this.#client = client;
  }

  get token(): string | null {
    return this.#given ?? this.#guest;
  }

  get holds(): readonly OwnHold[] {
    return this.#holds;
  }

  /** A guest whose session is over gets another one; a page has to give a new token itself. */
  async renewed(reason: 'needed' | 'refused'): Promise<string | null> {
    if (reason === 'refused' && this.#given === null && this.#guest !== null) {
      this.#forget();
      await this.#begin();
    }
    return this.token;
  }

  /** As the stream says it: all of them, each time. */
  take(holds: readonly OwnHold[]): void {
    this.#holds = holds;
  }

  /** True when the buyer has just become somebody: the stream should know. */
  async become(): Promise<boolean> {
    if (this.token !== null) return false;
    await this.#begin();
    return true;
  }

  async hold(asked: Asked): Promise<Failure | null> {
    return this.#try(async (client) => {
      const { cart_token } = this;
      const wish = { items: [asked], ...(cart_token ? { cart_token } : {}) };
      const held = await client.holds.create(this.#event_id, wish);
      this.cart_token = held.cart_token;
      this.revision = held.revision;
    });
  }

  async release(hold_id: string): Promise<Failure | null> {
    return this.#try(async (client) => {
      await client.holds.release(hold_id);
    });
  }

  async #begin(): Promise<void> {
    const session = await this.#client?.events.session(this.#event_id);
    this.#guest = session?.token ?? null;
    this.#memory.set(this.#key, this.#guest);
  }

  #forget(): void {
    this.#guest = null;
    this.cart_token = null;
    this.#memory.set(this.#key, null);
  }

  async #try(work: (client: SeatingClient) => Promise<void>): Promise<Failure | null> {
    if (!this.#client) return null;
    try {
      await work(this.#client);
      return null;
    } catch (error) {
      if (isFailure(error)) return error;
      throw error;
    }
  }
}

/** Of this tab: another tab of the same page is another visit. */
export const tabMemory: Memory = {
  get: (key) => {
    try {
      return sessionStorage.getItem(key);
    } catch {
      return null;
    }
  },
  set: (key, value) => {
    try {
      if (value === null) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, value);
    } catch {
      // A page in a sandbox has no storage; its guest lasts as long as the page.
    }
  },
};
