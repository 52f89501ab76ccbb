import { Gathering } from './gathering.ts';

/**
 * One call for all who ask the same. Nobody is told what was read before they asked: whoever comes
 * while a call is under way shares the next one with all others who wait for it. So this is no
 * cache, nothing in it grows old, and with thousands of readers there is one call at a time.
 */
export class SharedCalls<Answer> {
  readonly #calls = new Map<string, Gathering<null, Answer>>();

  async ask(name: string, call: () => Promise<Answer>): Promise<Answer> {
    const gathering = this.#calls.get(name) ?? this.#begin(name, call);
    try {
      return await gathering.ask(null);
    } finally {
      if (gathering.isIdle) this.#calls.delete(name);
    }
  }

  #begin(name: string, call: () => Promise<Answer>): Gathering<null, Answer> {
    const gathering = new Gathering<null, Answer>(async (asked) => {
      const answer = await call();
      return asked.map(() => answer);
    }, Number.POSITIVE_INFINITY);
    this.#calls.set(name, gathering);
    return gathering;
  }
}
