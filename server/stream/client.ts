import type { Telemetry } from '@voelgoed/engine/telemetry';

/** A response that is written piece by piece. */
export type Pipe = Readonly<{
  writableLength: number;
  write(bytes: Uint8Array): boolean;
  end(bytes?: Uint8Array): unknown;
  destroy(): unknown;
}>;

/**
 * What may wait for one client here, besides what the network holds: a few snapshots of a large
 * hall. Whoever is further behind is cut off, comes back and gets one snapshot instead.
 */
const MOST_WAITING_BYTES = 256 * 1024;

/** Somebody who listens. */
export class Client {
  /** The number of the last frame that it was given. */
  has = 0;
  /** A buyer, whose own holds it is told about. */
  readonly userId: string | null;
  /** Is also told who and why. */
  readonly isStaff: boolean;
  readonly #pipe: Pipe;
  readonly #telemetry: Telemetry;
  #isOver = false;

  constructor(
    pipe: Pipe,
    who: Readonly<{ userId: string | null; isStaff: boolean }>,
    telemetry: Telemetry,
  ) {
    this.#pipe = pipe;
    this.#telemetry = telemetry;
    this.userId = who.isStaff ? null : who.userId;
    this.isStaff = who.isStaff;
  }

  write(bytes: Buffer): void {
    if (this.#isOver) return;
    if (this.#pipe.writableLength > MOST_WAITING_BYTES) {
      this.#isOver = true;
      this.#telemetry.emit({ kind: 'stream.dropped' });
      this.#pipe.destroy();
      return;
    }
    this.#pipe.write(bytes);
  }

  end(last?: Buffer): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#pipe.end(last);
  }
}
