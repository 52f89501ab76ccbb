import { scopeOfEvent } from '#events';
import { forgetOldest } from '#kit';
import type { Scope } from '#scope';
import type { Engine } from './change.ts';

/** Everybody who opens a seat map asks; so old may the answer be. Boards may be older. */
const KNOWN_MS = 1_000;
const MOST = 10_000;

/**
 * Whose event it is, for everybody who may know of it. Thousands ask for the same event within a
 * second, and one of them asks the database. That there is none is not remembered: it may be
 * published at any moment, and anybody can make up ids.
 */
export class PublicScopes {
  readonly #tools: Pick<Engine, 'postgres' | 'clock'>;
  readonly #known = new Map<string, { scope: Scope; until_ms: number }>();
  readonly #asking = new Map<string, Promise<Scope | null>>();

  constructor(tools: Pick<Engine, 'postgres' | 'clock'>) {
    this.#tools = tools;
  }

  /** Null when there is none that the world may know of. */
  async of(spelling: string): Promise<Scope | null> {
    const eventId = spelling.toLowerCase();
    const known = this.#known.get(eventId);
    if (known && this.#tools.clock.monotonic() < known.until_ms) return known.scope;
    const asking = this.#asking.get(eventId) ?? this.#ask(eventId);
    this.#asking.set(eventId, asking);
    return asking;
  }

  async #ask(eventId: string): Promise<Scope | null> {
    const { postgres, clock } = this.#tools;
    const until_ms = clock.monotonic() + KNOWN_MS;
    try {
      const scope = await scopeOfEvent(postgres, eventId);
      this.#known.delete(eventId);
      if (scope) this.#known.set(eventId, { scope, until_ms });
      forgetOldest(this.#known, MOST);
      return scope;
    } finally {
      this.#asking.delete(eventId);
    }
  }
}
