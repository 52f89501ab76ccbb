import { Socket } from 'node:net';
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { systemClock } from '@voelgoed/engine/kit';
import { keptBytes } from '#measure';

/** What a node keeps, after everything else was collected. */
export type Memory = Readonly<{ heap: number; rss: number }>;

/** How busy a node was since somebody last asked. */
export type Pulse = Readonly<{
  seconds: number;
  /** Parts of the time in which the event loop worked, and in which garbage was collected. */
  loop: number;
  garbage: number;
  /** How late the loop was with what was due. */
  lag_p99_ms: number;
  lag_max_ms: number;
  /** Exchanges with Postgres: so often something was sent after something had been received. */
  round_trips: number;
  /** Sockets, timers and the like that keep the process alive. */
  resources: number;
  rss: number;
}>;

const POSTGRES = '.s.PGSQL.';
const LAG_RESOLUTION_MS = 5;

type LagMonitor = ReturnType<typeof monitorEventLoopDelay>;

/** Watches from its first beat on: a node that nobody asks pays nothing for it. */
export class PulseMeter {
  #lag: LagMonitor | null = null;
  #garbage_ms = 0;
  #trips = 0;
  #since = 0;
  #use = performance.eventLoopUtilization();

  /** Before the first connection is opened. */
  countRoundTrips(): void {
    const meter = this;
    const { connect, write } = Socket.prototype;
    const answered = new WeakSet<Socket>();
    Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
      if (JSON.stringify(args[0] ?? '').includes(POSTGRES)) {
        answered.add(this);
        this.on('data', () => answered.add(this));
      }
      return Reflect.apply(connect, this, args);
    };
    Socket.prototype.write = function (this: Socket, ...args: unknown[]) {
      if (answered.delete(this)) meter.#trips++;
      return Reflect.apply(write, this, args);
    };
  }

  beat(): Pulse {
    const lag = this.#lag ?? this.#watch();
    const now = systemClock.monotonic();
    const seconds = (now - this.#since) / 1_000;
    const use = performance.eventLoopUtilization(this.#use);
    const pulse: Pulse = {
      seconds,
      loop: use.utilization,
      garbage: this.#garbage_ms / 1_000 / seconds,
      lag_p99_ms: Math.max(0, lag.percentile(99) / 1e6 - LAG_RESOLUTION_MS),
      lag_max_ms: Math.max(0, lag.max / 1e6 - LAG_RESOLUTION_MS),
      round_trips: this.#trips,
      resources: process.getActiveResourcesInfo().length,
      rss: process.memoryUsage().rss,
    };
    lag.reset();
    this.#since = now;
    this.#garbage_ms = 0;
    this.#trips = 0;
    this.#use = performance.eventLoopUtilization();
    return pulse;
  }

  memory(): Memory {
    const heap = keptBytes();
    const { rss, external } = process.memoryUsage();
    return { heap: heap + external, rss };
  }

  #watch(): LagMonitor {
    const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
    lag.enable();
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) this.#garbage_ms += duration;
    });
    observer.observe({ entryTypes: ['gc'] });
    this.#lag = lag;
    return lag;
  }
}
