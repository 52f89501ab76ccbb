import { Redis as Client, Cluster, type RedisOptions } from 'ioredis';
import { type Clock, OperatingError, reasonOf } from '#kit';
import type { Telemetry } from '#telemetry';
import { readRedisAddress } from './address.ts';
import type { Script } from './script.ts';

export type ConnectionOptions = Readonly<{
  url: string;
  clock: Clock;
  telemetry: Telemetry;
  /** Longer only where nobody waits: the command line. */
  command_ms?: number;
  /** Called each time the connection is usable. */
  onReady?: () => void;
}>;

type Argument = string | number | Buffer;
/** Whether anybody still waits for an answer. */
type Wait = { isOver: boolean };
type Settings = Omit<RedisOptions, 'replyMapping'>;

/** A Redis that is slower than this is as good as down. */
const COMMAND_MS = 50;
const CONNECT_MS = 1_000;
const RECONNECT_MOST_MS = 2_000;
/** What was given up after 50 ms is forgotten by the library after this long. */
const FORGET_MS = 2_000;

const CLIENT: Settings = {
  lazyConnect: true,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  commandTimeout: FORGET_MS,
  connectTimeout: CONNECT_MS,
  protocol: 2,
  noDelay: true,
  retryStrategy: reconnectAfter,
  // A server that has become a replica: its name may lead to another one by now.
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
};

/**
 * One connection, or one per node of a cluster, that fails fast: nothing is queued while Redis is
 * away, nothing is sent twice, and after 50 ms nobody waits any more. Commands are executed in the
 * order in which they were given, also those that were given up.
 */
export class RedisConnection {
  readonly #client: Client | Cluster;
  readonly #clock: Clock;
  readonly #telemetry: Telemetry;
  readonly #command_ms: number;

  constructor(options: ConnectionOptions) {
    const { clock, telemetry } = options;
    this.#clock = clock;
    this.#telemetry = telemetry;
    this.#command_ms = options.command_ms ?? COMMAND_MS;
    this.#client = openClient(options.url, CLIENT);
    this.#client.on('ready', () => {
      telemetry.emit({ kind: 'redis.connected' });
      options.onReady?.();
    });
    this.#client.on('error', (error: Error) =>
      telemetry.emit({ kind: 'redis.connection_lost', reason: reasonOf(error) }),
    );
  }

  /** Resolves when connected, or when it is clear that this takes longer; it goes on trying. */
  async connect(): Promise<void> {
    // A server that accepts and then says nothing would keep a node from starting for seconds.
    await within(CONNECT_MS, 'connect', this.#client.connect()).catch(() => {});
  }

  /** One command; `name` is what metrics call it. */
  call(name: string, ...words: readonly Argument[]): Promise<unknown> {
    return this.#timed(name, () => this.#client.call(name, ...words.map(asArgument)));
  }

  /** One command whose answer is bytes. */
  callForBytes(name: string, ...words: readonly Argument[]): Promise<unknown> {
    return this.#timed(name, () => this.#client.callBuffer(name, ...words.map(asArgument)));
  }

  run(script: Script, keys: readonly string[], words: readonly Argument[]): Promise<unknown> {
    return this.#timed(script.name, (wait) => this.#evaluate(script, keys, words, wait));
  }

  async isUp(): Promise<boolean> {
    return (await this.call('ping').catch(() => null)) === 'PONG';
  }

  async version(): Promise<string> {
    const info = String(await this.call('info', 'server'));
    return /redis_version:(\S+)/.exec(info)?.[1] ?? 'unknown';
  }

  close(): void {
    this.#client.disconnect();
  }

  /** By hash; a server that was started or flushed since does not know it and gets the text. */
  async #evaluate(
    { sha, text }: Script,
    keys: readonly string[],
    words: readonly Argument[],
    wait: Wait,
  ): Promise<unknown> {
    // The library takes a list, too; spreading thousands of words over arguments costs more.
    const rest: (string | Buffer)[] = [sha, String(keys.length), ...keys];
    for (const word of words) rest.push(asArgument(word));
    try {
      return await this.#client.call('evalsha', rest);
    } catch (error) {
      // What was given up is not begun now: whatever was sent to undo it has been executed.
      if (!reasonOf(error).startsWith('NOSCRIPT') || wait.isOver) throw error;
      rest[0] = text;
      return this.#client.call('eval', rest);
    }
  }

  async #timed(name: string, work: (wait: Wait) => Promise<unknown>): Promise<unknown> {
    const started = this.#clock.monotonic();
    const wait: Wait = { isOver: false };
    try {
      const answer = await within(this.#command_ms, name, work(wait));
      this.#seen(name, started, false);
      return answer;
    } catch (error) {
      wait.isOver = true;
      this.#seen(name, started, true);
      throw error;
    }
  }

  #seen(name: string, started: number, failed: boolean): void {
    const duration_ms = this.#clock.monotonic() - started;
    this.#telemetry.emit({ kind: 'redis.command', name, duration_ms, failed });
  }
}

/** What others need of a connection. */
export type RedisLink = Pick<
  RedisConnection,
  'connect' | 'call' | 'callForBytes' | 'run' | 'isUp' | 'close'
>;

export type SubscriptionOptions = ConnectionOptions &
  Readonly<{
    pattern: string;
    onMessage(channel: string, message: string): void;
    onGap(): void;
  }>;

/** The ways to Redis, as a port: a simulator brings a network and a server of its own. */
export type RedisWays = Readonly<{
  open(options: ConnectionOptions): RedisLink;
  subscribe(options: SubscriptionOptions): { close(): void };
}>;

export const REDIS_WAYS: RedisWays = {
  open: (options) => new RedisConnection(options),
  subscribe: (options) => openSubscription(options),
};

/** One connection that hears messages, and says when it may have missed some. */
export function openSubscription(options: SubscriptionOptions): { close(): void } {
  // This connection waits for messages all day: subscribing may happen as soon as it is there.
  const client = openClient(options.url, { ...CLIENT, lazyConnect: false, autoResubscribe: false });
  let heard = false;
  client.on('error', (error: Error) =>
    options.telemetry.emit({ kind: 'redis.connection_lost', reason: reasonOf(error) }),
  );
  client.on('ready', () => {
    client
      .psubscribe(options.pattern)
      .then(() => {
        if (heard) options.onGap();
        heard = true;
      })
      .catch(() => client.disconnect(true));
  });
  // A cluster's client hears through one of its nodes, and chooses another when that is lost.
  client.on('+subscriber', () => heard && options.onGap());
  client.on('pmessage', (_pattern: string, channel: string, message: string) =>
    options.onMessage(channel, message),
  );
  return { close: () => client.disconnect() };
}

function openClient(text: string, settings: Settings): Client | Cluster {
  const address = readRedisAddress(text);
  if (address.kind === 'single') return new Client(address.url, settings);
  const { username, password, protocol } = new URL(address.nodes[0] ?? 'redis://127.0.0.1');
  return new Cluster([...address.nodes], {
    lazyConnect: settings.lazyConnect ?? true,
    enableOfflineQueue: false,
    clusterRetryStrategy: reconnectAfter,
    maxRedirections: 3,
    // A command whose connection broke may have been executed: it is not sent again.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    retryDelayOnTryAgain: 0,
    slotsRefreshTimeout: CONNECT_MS,
    slotsRefreshInterval: 5_000,
    redisOptions: {
      ...settings,
      ...(username ? { username: decodeURIComponent(username) } : {}),
      ...(password ? { password: decodeURIComponent(password) } : {}),
      ...(protocol === 'rediss:' ? { tls: {} } : {}),
    },
  });
}

function reconnectAfter(attempt: number): number {
  return Math.min(50 * 2 ** attempt, RECONNECT_MOST_MS);
}

function asArgument(word: Argument): string | Buffer {
  return typeof word === 'number' ? String(word) : word;
}

/**
 * Gives up after so long. When this process was busy for that long itself, the answer may have
 * arrived meanwhile: it is read in the turn after the timers, so one more turn is waited.
 */
function within<Answer>(limit_ms: number, name: string, work: Promise<Answer>): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const message = `Redis did not answer ${name} within ${limit_ms} ms`;
  const late = () => reject(new OperatingError('redis_timeout', message, { retryable: true }));
  const timer = setTimeout(() => setImmediate(() => setImmediate(late)), limit_ms);
  work.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}
