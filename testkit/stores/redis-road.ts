import { OperatingError } from '@voelgoed/engine/kit';
import type { RedisLink, RedisWays } from '@voelgoed/engine/redis';
import type { Dice } from './dice.ts';
import type { Machine } from './machine.ts';
import { type MemoryRedis, RedisError, type Word } from './memory-redis.ts';

/** As the connections have it: a Redis that is slower is as good as down. */
const COMMAND_MS = 50;

/** All machines' roads to one Redis, and its messages back to them. */
export class RedisRoads {
  readonly #roads = new Set<RedisRoad>();
  isDown = false;

  /** Messages to everybody who hears. */
  publish(channel: string, message: string): void {
    for (const road of this.#roads) road.hear(channel, message);
  }

  add(road: RedisRoad): void {
    this.#roads.add(road);
  }

  goDown(): void {
    this.isDown = true;
  }

  comeBack(): void {
    this.isDown = false;
    for (const road of this.#roads) road.isBack();
  }
}

/** The way from one machine to Redis: commands on a connection arrive in order, or not at all. */
export class RedisRoad {
  /** Until when nothing passes, everything is slow, or no message arrives. */
  cut_ms = 0;
  slow_ms = 0;
  silent_ms = 0;
  readonly #redis: MemoryRedis;
  readonly #roads: RedisRoads;
  readonly #machine: Machine;
  readonly #dice: Dice;
  #onMessage: ((channel: string, message: string) => void) | null = null;
  #onGap: (() => void) | null = null;
  #onReady: (() => void) | null = null;

  constructor(redis: MemoryRedis, roads: RedisRoads, machine: Machine, dice: Dice) {
    this.#redis = redis;
    this.#roads = roads;
    this.#machine = machine;
    this.#dice = dice;
    roads.add(this);
  }

  get ways(): RedisWays {
    return {
      open: ({ onReady }) => {
        if (onReady) this.#onReady = onReady;
        return this.#link(onReady);
      },
      subscribe: ({ onMessage, onGap }) => {
        this.#onMessage = onMessage;
        this.#onGap = onGap;
        return { close: () => {} };
      },
    };
  }

  heal(): void {
    [this.cut_ms, this.slow_ms, this.silent_ms] = [0, 0, 0];
  }

  hear(channel: string, message: string): void {
    const { simulation } = this.#machine;
    if (simulation.time_ms < Math.max(this.silent_ms, this.cut_ms)) return;
    this.#machine.after(this.#hop(), () => this.#onMessage?.(channel, message));
  }

  /** Connected again, a little later: it may be another server, and messages were missed. */
  isBack(): void {
    this.#machine.after(this.#dice.upTo(200), () => {
      this.#onReady?.();
      this.#onGap?.();
    });
  }

  #link(onReady: (() => void) | undefined): RedisLink {
    let last_ms = 0;
    const send = (execute: () => unknown): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const { simulation } = this.#machine;
        const fail = (after_ms: number, error: Error) =>
          this.#machine.after(after_ms, () => reject(error));
        if (this.#roads.isDown) return fail(0.1, new Error('connect ECONNREFUSED'));
        const sent_ms = simulation.time_ms;
        if (sent_ms < this.cut_ms) return fail(COMMAND_MS, timeout());
        const arrives_ms = Math.max(sent_ms + this.#hop(), last_ms);
        last_ms = arrives_ms;
        const back_ms = this.#hop();
        simulation.after(arrives_ms - sent_ms, () => {
          const answer = this.#roads.isDown ? null : executed(execute);
          const rest_ms = sent_ms + COMMAND_MS - simulation.time_ms;
          // What is given up after 50 ms is executed all the same.
          if (!answer || back_ms > rest_ms) return fail(rest_ms, timeout());
          this.#machine.after(back_ms, () => {
            if (answer.error) reject(answer.error);
            else resolve(answer.value);
          });
        });
      });
    const call = (name: string, ...words: readonly Word[]) =>
      send(() => this.#redis.execute(name, words));
    const callForBytes = (name: string, ...words: readonly Word[]) =>
      send(() => this.#redis.executeForBytes(name, words));
    const run = (script: { name: string }, keys: readonly string[], words: readonly Word[]) =>
      send(() => this.#redis.run(script.name, keys, words));
    return {
      connect: async () => onReady?.(),
      call,
      callForBytes,
      run,
      isUp: () =>
        call('ping').then(
          (answer) => answer === 'PONG',
          () => false,
        ),
      close: () => {},
    };
  }

  #hop(): number {
    const quick_ms = this.#dice.between(0.1, 1);
    const isSlow = this.#machine.simulation.time_ms < this.slow_ms;
    return isSlow ? quick_ms + this.#dice.upTo(60) : quick_ms;
  }
}

function executed(execute: () => unknown): { value?: unknown; error?: Error } {
  try {
    return { value: execute() };
  } catch (error) {
    if (!(error instanceof RedisError)) throw error;
    return { error };
  }
}

function timeout(): Error {
  return new OperatingError('redis_timeout', 'Redis did not answer', { retryable: true });
}
