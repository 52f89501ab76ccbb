import type { Socket } from 'node:net';
import { type Direction, PLAIN, type Treatment } from './toxics.ts';

/** What a test's hook says about a chunk; a chunk that cuts is itself not passed on. */
export type Verdict = 'pass' | 'swallow' | 'cut';

/** What a pipe asks of, and tells, the connection it is part of. */
export type PipeOwner = {
  inspect(direction: Direction, chunk: Buffer): Verdict;
  passed(direction: Direction, bytes: number): void;
  cutAfter(direction: Direction): void;
  abandoned(): void;
};

/** Bytes on their way, or, as null, the end of the stream; on time when there is no timer. */
type Parcel = { bytes: Buffer | null; timer: NodeJS.Timeout | null };

/** What a 100 Mbit/s wire with 80 ms of delay has in flight; beyond it the sender has to wait. */
const WINDOW_BYTES = 1024 * 1024;

/** One direction of one connection: from the source to the target, in order, as treated. */
export class Pipe {
  readonly #direction: Direction;
  readonly #source: Socket;
  readonly #target: Socket;
  readonly #owner: PipeOwner;
  readonly #under_way: Parcel[] = [];
  #under_way_bytes = 0;
  #treatment: Treatment = PLAIN;
  #silent = false;

  constructor(ends: { direction: Direction; source: Socket; target: Socket }, owner: PipeOwner) {
    this.#direction = ends.direction;
    this.#source = ends.source;
    this.#target = ends.target;
    this.#owner = owner;
    this.#source.on('data', (chunk) => this.#receive(chunk));
    this.#source.on('end', () => this.#end());
    this.#target.on('drain', () => this.#advance());
  }

  /** What is already under way has had its delay: it goes on at once, unless it is held back. */
  treat(treatment: Treatment): void {
    this.#treatment = treatment;
    this.#stopTimers();
    this.#advance();
  }

  /** Passes nothing on any more, but keeps reading, so that the source's leaving is noticed. */
  silence(): void {
    this.#silent = true;
    this.#stopTimers();
    this.#under_way.length = 0;
    this.#under_way_bytes = 0;
    this.#source.resume();
  }

  #receive(chunk: Buffer): void {
    const verdict = this.#owner.inspect(this.#direction, chunk);
    if (verdict === 'cut') this.#owner.cutAfter(this.#direction);
    // The hook may have ended this very connection, therefore silence is looked at after it.
    if (this.#silent || verdict === 'swallow') return;
    const { pass, cut } = this.#treatment.admit(chunk);
    if (pass.length > 0) this.#send(pass);
    if (cut) this.#owner.cutAfter(this.#direction);
  }

  #end(): void {
    if (this.#silent) this.#owner.abandoned();
    else this.#send(null);
  }

  #send(bytes: Buffer | null): void {
    const parcel: Parcel = { bytes, timer: null };
    this.#under_way.push(parcel);
    this.#under_way_bytes += bytes?.length ?? 0;
    const delay_ms = this.#treatment.delay_ms();
    if (delay_ms > 0) parcel.timer = setTimeout(() => this.#arrive(parcel), delay_ms).unref();
    this.#advance();
  }

  /** With jitter a parcel may be on time before the one ahead of it, and then waits for it. */
  #arrive(parcel: Parcel): void {
    parcel.timer = null;
    this.#advance();
  }

  #advance(): void {
    if (this.#silent) return;
    while (!this.#treatment.held && this.#under_way[0]?.timer === null) {
      this.#deliver(this.#under_way.shift()?.bytes ?? null);
    }
    this.#throttle();
  }

  #deliver(bytes: Buffer | null): void {
    this.#under_way_bytes -= bytes?.length ?? 0;
    if (!this.#target.writable) return;
    if (bytes === null) {
      this.#target.end();
    } else {
      this.#target.write(bytes);
      this.#owner.passed(this.#direction, bytes.length);
    }
  }

  /** Back-pressure: the source is read only while there is room for what it sends. */
  #throttle(): void {
    const full = this.#under_way_bytes >= WINDOW_BYTES || this.#target.writableNeedDrain;
    if (full || this.#treatment.held) this.#source.pause();
    else this.#source.resume();
  }

  #stopTimers(): void {
    for (const parcel of this.#under_way) {
      if (parcel.timer !== null) clearTimeout(parcel.timer);
      parcel.timer = null;
    }
  }
}
