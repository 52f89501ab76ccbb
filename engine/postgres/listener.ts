import pg from 'pg';
import { backoff, type Clock, type Random, type Timers } from '#kit';
import type { Telemetry } from '#telemetry';
import { hostUrls } from './addresses.ts';
import { checkWritable } from './session.ts';

export type Listener = Readonly<{
  /** Resolves when the channels are heard for the first time. */
  ready: Promise<void>;
  /** Speaks on the same connection. False: there is none, or it broke, and perhaps nobody heard. */
  notify(channel: string, payload: string): Promise<boolean>;
  stop(): Promise<void>;
}>;

export type ListenerOptions = Readonly<{
  /** It may name several hosts. */
  url: string;
  channels: readonly string[];
  onMessage(channel: string, payload: string): void;
  /** Called each time the channels are heard again: messages in between are lost, look yourself. */
  onGap(): void;
  clock: Clock & Timers;
  random: Random;
  telemetry: Telemetry;
  /** The connection is made anew after this time at the latest (default: it stays). */
  life_ms?: number | undefined;
}>;

/** A half-open connection is silent for ever; asking every few seconds finds it. */
const PROBE_MS = 5_000;
const ANSWER_MS = 2_000;
const RECONNECT = { first_ms: 50, most_ms: 2_000 };

/**
 * Hears NOTIFY on a connection of its own, through server restarts: it connects again with growing
 * pauses, listens again and reports the gap. LISTEN needs a direct connection, no transaction
 * pooler.
 */
export function startListener(options: ListenerOptions): Listener {
  const stopping = new AbortController();
  const { promise: ready, resolve: heard } = Promise.withResolvers<void>();
  const session: Session = { client: null };
  const done = keepListening(options, stopping.signal, session, heard);
  return {
    ready,
    notify: async (channel, payload) => {
      const { client } = session;
      if (!client) return false;
      try {
        await client.query(`select pg_notify($1, $2)`, [channel, payload]);
        return true;
      } catch {
        // A broken connection is noticed by whoever listens on it.
        return false;
      }
    },
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
}

/** The connection of the moment. */
type Session = { client: pg.Client | null };

async function keepListening(
  options: ListenerOptions,
  stopping: AbortSignal,
  session: Session,
  heard: () => void,
): Promise<void> {
  let sessions = 0;
  const urls = hostUrls(options.url);
  let host = 0;
  for (let attempt = 0; !stopping.aborted; attempt++) {
    try {
      await listenOnce({ ...options, url: urls[host] ?? '' }, stopping, session, () => {
        options.telemetry.emit({ kind: 'postgres.listening', again: sessions > 0 });
        if (sessions > 0) options.onGap();
        sessions++;
        attempt = 0;
        heard();
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      options.telemetry.emit({ kind: 'postgres.connection_lost', pool: 'listener', reason });
      host = (host + 1) % urls.length;
    }
    const pause = backoff(attempt, RECONNECT, options.random);
    await options.clock.sleep(pause, stopping).catch(() => {});
  }
}

/** Lives as long as one connection does. */
async function listenOnce(
  options: ListenerOptions,
  stopping: AbortSignal,
  session: Session,
  onListening: () => void,
): Promise<void> {
  const client = new pg.Client({
    connectionString: options.url,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    application_name: 'voelgoed listener',
  });
  const lost = new AbortController();
  client.on('error', (error) => lost.abort(error));
  client.on('end', () => lost.abort(new Error('the connection ended')));
  client.on('notification', ({ channel, payload }) => options.onMessage(channel, payload ?? ''));
  const over = AbortSignal.any([stopping, lost.signal]);
  try {
    await client.connect();
    await checkWritable(client);
    for (const channel of options.channels) {
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    }
    session.client = client;
    onListening();
    const until_ms = options.clock.monotonic() + (options.life_ms ?? Number.POSITIVE_INFINITY);
    while (!over.aborted && options.clock.monotonic() < until_ms) {
      await options.clock.sleep(PROBE_MS, over).catch(() => {});
      // A primary that became a standby sends no notice any more: others are on the new one.
      if (!over.aborted) await checkWritable(client);
    }
    if (lost.signal.aborted && !stopping.aborted) throw lost.signal.reason;
  } finally {
    session.client = null;
    // A connection into a black hole never says goodbye.
    const goodbye = client.end().catch(() => {});
    await Promise.race([goodbye, options.clock.sleep(ANSWER_MS)]);
  }
}
