/**
 * Redis: one connection that fails fast. Redis may vanish at any moment and must never hold
 * anybody up, so commands are not queued while it is away, not sent again, and given up after 50
 * ms. It knows the client library; it knows no key of the domain.
 */

import { Redis as Client } from 'ioredis';
import { reasonOf } from '#kit';
import type { Telemetry } from '#telemetry';

/** A Redis that is slower than this is as good as down. */
const COMMAND_MS = 50;
const CONNECT_MS = 1_000;
const RECONNECT_MOST_MS = 2_000;

export class Redis {
  readonly #client: Client;

  constructor(url: string, telemetry: Telemetry) {
    this.#client = new Client(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_MS,
      connectTimeout: CONNECT_MS,
      retryStrategy: (attempt: number) => Math.min(50 * 2 ** attempt, RECONNECT_MOST_MS),
    });
    this.#client.on('ready', () => telemetry.emit({ kind: 'redis.connected' }));
    this.#client.on('error', (error: Error) =>
      telemetry.emit({ kind: 'redis.connection_lost', reason: reasonOf(error) }),
    );
  }

  /** Begins to connect; a Redis that is not there is connected to later. */
  connect(): void {
    this.#client.connect().catch(() => {});
  }

  async isUp(): Promise<boolean> {
    try {
      return (await this.#client.ping()) === 'PONG';
    } catch {
      return false;
    }
  }

  /** Connects if needed; for a look from outside, not for serving. */
  async version(): Promise<string> {
    if (this.#client.status === 'wait') await this.#client.connect();
    const info = await this.#client.info('server');
    return /redis_version:(\S+)/.exec(info)?.[1] ?? 'unknown';
  }

  close(): void {
    this.#client.disconnect();
  }
}
