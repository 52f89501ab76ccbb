import { connect, type Socket } from 'node:net';
import { machineMilliseconds } from '#measure';

/** A frame of changes, and when each listener had it. */
export type Heard = { from: number; revision: number; times_ms: number[] };

export type ListenReport = Readonly<{
  heard: readonly Heard[];
  /** Connections that have missed a frame, were ended, or were not answered with a stream. */
  broken: number;
  /** The last revision that everybody has. */
  revision: number;
}>;

/** Connections that are opened at the same moment. */
const OPENED_AT_ONCE = 250;
const CHANGES = Buffer.from('event: changes\ndata: {"from":');
const SNAPSHOT = Buffer.from('event: snapshot\ndata: {"revision":');
const END = Buffer.from('\n\n');

/** One buffer for all who read: what was read is looked at before the next one reads. */
const shared = Buffer.alloc(256 * 1024);

/**
 * Many open seat maps. They do no more than tell frames apart: a page that draws has a machine of
 * its own, and here all of them share one.
 */
export class Listeners {
  readonly #sockets: Socket[] = [];
  readonly #revisions: number[] = [];
  readonly #broken = new Set<number>();
  #heard = new Map<number, Heard>();
  #isClosing = false;

  async open(url: string, count: number): Promise<void> {
    const { hostname, port, pathname } = new URL(url);
    const request = `GET ${pathname} HTTP/1.1\r\nhost: localhost\r\nuser-agent: bench\r\n\r\n`;
    while (this.#sockets.length < count) {
      const many = Math.min(OPENED_AT_ONCE, count - this.#sockets.length);
      const opened = Array.from({ length: many }, () =>
        this.#open(hostname, Number(port), request),
      );
      await Promise.all(opened);
    }
  }

  /** What was heard since the last time. */
  take(): ListenReport {
    const heard = [...this.#heard.values()];
    this.#heard = new Map();
    return { heard, broken: this.#broken.size, revision: Math.min(...this.#revisions) };
  }

  close(): void {
    this.#isClosing = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Resolves when the snapshot is there. */
  #open(host: string, port: number, request: string): Promise<void> {
    const index = this.#sockets.length;
    let rest: Buffer | null = null;
    return new Promise((resolve) => {
      const callback = (length: number) => {
        const now_ms = machineMilliseconds();
        const read = shared.subarray(0, length);
        const bytes = rest ? Buffer.concat([rest, read]) : read;
        const isWhole = bytes.subarray(-2).equals(END);
        // Copied only when a frame ends in the middle of what was read.
        rest = isWhole ? null : Buffer.from(bytes);
        if (isWhole && this.#read(index, bytes, now_ms)) resolve();
        return true;
      };
      const socket = connect({ host, port, onread: { buffer: shared, callback } });
      this.#sockets.push(socket);
      this.#revisions.push(-1);
      socket.on('error', () => {});
      socket.on('close', () => {
        if (!this.#isClosing) this.#broken.add(index);
        resolve();
      });
      socket.write(request);
    });
  }

  /** True: there was a snapshot. */
  #read(index: number, bytes: Buffer, now_ms: number): boolean {
    const snapshot = bytes.indexOf(SNAPSHOT);
    if (snapshot >= 0) this.#revisions[index] = numberAt(bytes, snapshot + SNAPSHOT.length);
    for (let at = bytes.indexOf(CHANGES); at >= 0; at = bytes.indexOf(CHANGES, at + 1)) {
      const from = numberAt(bytes, at + CHANGES.length);
      const revision = numberAt(bytes, bytes.indexOf('"revision":', at) + '"revision":'.length);
      if (from !== this.#revisions[index]) this.#broken.add(index);
      this.#revisions[index] = revision;
      const known = this.#heard.get(revision);
      if (known) known.times_ms.push(now_ms);
      else this.#heard.set(revision, { from, revision, times_ms: [now_ms] });
    }
    return snapshot >= 0;
  }
}

function numberAt(bytes: Buffer, start: number): number {
  let value = 0;
  for (let at = start; ; at++) {
    const digit = (bytes[at] ?? 0) - 48;
    if (digit < 0 || digit > 9) return value;
    value = value * 10 + digit;
  }
}
