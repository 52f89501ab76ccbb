import type { ChangeRow } from '#board';
import type { Clock, Random, Timers } from '#kit';
import { type Listener, startListener } from '#postgres';
import type { Telemetry } from '#telemetry';
import type { EventRef, Feed } from './ports.ts';

type Hears = Readonly<{
  hear(eventId: string, revision: number): void;
  hearGap(): void;
  hearDoubt(eventId: string): void;
}>;

const CHANNEL = 'voelgoed_changes';
/** In place of a revision: the board is to be compared with the tables. */
const COMPARE = 'compare';
/** One message for all commits of this time: NOTIFY in every flush cut commits to a third. */
const GATHER_MS = 20;
/** Until the connection is back: what was committed meanwhile is told then. */
const SILENCE_MS = 100;
/** A payload has less than 8,000 bytes; an event takes 36 and its revision up to 16. */
const EVENTS_PER_MESSAGE = 140;

export type PostgresFeedOptions = Readonly<{
  url: string;
  clock: Clock & Timers;
  random: Random;
  telemetry: Telemetry;
  /** The connection is made anew after this time at the latest. */
  life_ms?: number | undefined;
  /** A simulator brings a network of its own. */
  listen?: typeof startListener;
}>;

/**
 * Tells other nodes by NOTIFY, on a connection of its own and outside any flush. What is committed
 * while that connection is down is told when it is back; what others missed is found by the poll.
 */
export class PostgresFeed implements Feed {
  readonly #options: PostgresFeedOptions;
  readonly #changed = new Map<string, number>();
  #listener: Listener | null = null;
  #gathering: Promise<void> | null = null;
  #stopping = false;

  constructor(options: PostgresFeedOptions) {
    this.#options = options;
  }

  start(registry: Hears): Promise<void> {
    const { listen = startListener, ...options } = this.#options;
    this.#listener = listen({
      ...options,
      channels: [CHANNEL],
      onMessage: (_, payload) => {
        for (const [eventId, revision] of parse(payload)) {
          if (revision === COMPARE) registry.hearDoubt(eventId);
          else registry.hear(eventId, revision);
        }
      },
      onGap: () => registry.hearGap(),
    });
    return this.#listener.ready;
  }

  publish({ eventId }: EventRef, { revision }: Pick<ChangeRow, 'revision'>): void {
    if (!this.#listener || this.#stopping) return;
    this.#changed.set(eventId, revision);
    this.#gather();
  }

  #gather(): void {
    this.#gathering ??= this.#send().finally(() => {
      this.#gathering = null;
      // Somebody may have committed in the very moment the last message was sent.
      if (this.#changed.size > 0 && !this.#stopping) this.#gather();
    });
  }

  /** What is committed is told, if there is a connection. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#gathering;
    // What was committed while the last message was on its way.
    await this.#send();
    await this.#listener?.stop();
    this.#listener = null;
  }

  async #send(): Promise<void> {
    while (this.#changed.size > 0) {
      await this.#options.clock.sleep(GATHER_MS);
      const entries = [...this.#changed];
      this.#changed.clear();
      const untold = await this.#tell(entries);
      this.#keep(untold);
      if (this.#stopping) return;
      if (untold.length > 0) await this.#options.clock.sleep(SILENCE_MS);
    }
  }

  /** What nobody was told, because there was no connection. */
  async #tell(entries: readonly [string, number][]): Promise<readonly [string, number][]> {
    for (let from = 0; from < entries.length; from += EVENTS_PER_MESSAGE) {
      const message = entries.slice(from, from + EVENTS_PER_MESSAGE);
      const payload = message.map(([eventId, revision]) => `${eventId}:${revision}`).join(',');
      if (!(await this.#listener?.notify(CHANNEL, payload))) return entries.slice(from);
    }
    return [];
  }

  /** For the next message; a revision that came meanwhile is newer. */
  #keep(untold: readonly [string, number][]): void {
    for (const [eventId, revision] of untold) {
      if (!this.#changed.has(eventId)) this.#changed.set(eventId, revision);
    }
  }
}

/** What is not understood is not ours. */
function parse(payload: string): [string, number | typeof COMPARE][] {
  return payload.split(',').flatMap((part): [string, number | typeof COMPARE][] => {
    const [eventId = '', word = ''] = part.split(':');
    if (eventId && word === COMPARE) return [[eventId, COMPARE]];
    return eventId && /^\d+$/.test(word) ? [[eventId, Number(word)]] : [];
  });
}
