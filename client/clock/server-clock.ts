import type { Host } from '#host';

/** A `Date` header tells whole seconds: the middle of it is at most this much wrong. */
const DATE_MS = 500;
/** Clocks of machines drift apart by about this part of the time that passes. */
const DRIFT = 1e-4;
/** More than timers and rounding explain: the clock was set, or the machine has slept. */
const JUMP_MS = 1_000;

type Sample = Readonly<{
  /** To be added to this machine's time. */
  offset_ms: number;
  /** How wrong it may be. */
  error_ms: number;
  taken_ms: number;
  /** Between the two local clocks, to notice when one of them jumps. */
  apart_ms: number;
}>;

/**
 * The server's time. What an answer tells lies between the moments of asking and of hearing, so
 * the quickest answer is the most exact one; it is believed until a better one comes, and a little
 * less with every second that passes.
 */
export class ServerClock {
  readonly #host: Host;
  #best: Sample | null = null;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Milliseconds since 1970 on the server, as well as can be told. */
  now(): number {
    return this.#host.now() + this.offset_ms;
  }

  /** How far the server is ahead of this machine. */
  get offset_ms(): number {
    return this.#best?.offset_ms ?? 0;
  }

  /** How wrong it may be; infinite before the first answer. */
  get error_ms(): number {
    const best = this.#best;
    if (!best || this.#hasJumped(best)) return Number.POSITIVE_INFINITY;
    return best.error_ms + (this.#host.monotonic() - best.taken_ms) * DRIFT;
  }

  /** An answer told the server's time. `sent_ms` is this machine's time before it was asked. */
  heard(server: { time_ms: number; isHeader?: boolean }, sent_ms: number): void {
    const heard_ms = this.#host.now();
    const way_ms = heard_ms - sent_ms;
    if (!Number.isFinite(server.time_ms) || way_ms < 0) return;
    const middle = server.time_ms + (server.isHeader ? DATE_MS : 0);
    const error_ms = way_ms / 2 + (server.isHeader ? DATE_MS : 0);
    if (error_ms < this.error_ms) this.#take(middle - (sent_ms + way_ms / 2), error_ms);
  }

  /** Something that was sent at this time has just arrived: it cannot be earlier there. */
  heardOneWay(time_ms: number): void {
    if (!Number.isFinite(time_ms) || time_ms <= this.now()) return;
    const known = Number.isFinite(this.error_ms) ? this.error_ms : DATE_MS;
    this.#take(time_ms - this.#host.now(), known);
  }

  #take(offset_ms: number, error_ms: number): void {
    const taken_ms = this.#host.monotonic();
    this.#best = { offset_ms, error_ms, taken_ms, apart_ms: this.#host.now() - taken_ms };
  }

  #hasJumped({ apart_ms }: Sample): boolean {
    return Math.abs(this.#host.now() - this.#host.monotonic() - apart_ms) > JUMP_MS;
  }
}
