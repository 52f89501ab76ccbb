import { assert, type Random } from '@voelgoed/engine/kit';

/** 'up' is from the client to the server, 'down' is from the server to the client. */
export type Direction = 'up' | 'down';

/** What a test can do to the wire. Where `direction` is left out, both directions are meant. */
export type Toxic =
  /** Every chunk waits `latency_ms` and up to `jitter_ms` more; the order of bytes is kept. */
  | { kind: 'latency'; latency_ms: number; jitter_ms?: number; direction?: Direction }
  /**
   * A partition that can heal: bytes are held back and the sender comes under back-pressure, as if
   * nothing were acknowledged. Nothing is lost, so when the toxic is cleared the held bytes flow
   * and the protocol inside goes on. The same holds for the end or the failure of a side, and a
   * client that connects meanwhile gets its connection to the server after healing.
   */
  | { kind: 'blackhole'; direction?: Direction }
  /** RST on both sides of every connection, and on every new one. */
  | { kind: 'reset' }
  /**
   * One side disappears, the other is left with an open and silent connection that nothing heals:
   * what it sends goes nowhere. It ends when that side leaves, or by `cutAll` or `close`.
   */
  | { kind: 'half_open'; gone: 'upstream' | 'client' }
  /** Each connection passes `bytes` more bytes, which do arrive, and is cut as soon as it has. */
  | { kind: 'drop_after_bytes'; bytes: number; direction?: Direction }
  /**
   * Requests go up and replies are lost: all of them, or, with `from`, those of a connection from
   * the chunk on that completes these bytes or satisfies this predicate. What was swallowed stays
   * lost when the toxic is cleared, so the protocol on that connection is then out of step.
   */
  | { kind: 'swallow_reply'; from?: Buffer | ((chunk: Buffer) => boolean) };

/** What a toxic means for one direction of one connection; its counters are that pipe's alone. */
export type Treatment = {
  readonly held: boolean;
  delay_ms(): number;
  admit(chunk: Buffer): { pass: Buffer; cut: boolean };
};

const NOTHING = Buffer.alloc(0);

/** The wire as it should be. */
export const PLAIN: Treatment = {
  held: false,
  delay_ms: () => 0,
  admit: (chunk) => ({ pass: chunk, cut: false }),
};

/** Stops a test that asks for something that cannot be done, before it proves nothing. */
export function checkToxic(toxic: Toxic | null, random: Random | undefined): void {
  if (toxic?.kind === 'latency') {
    assert(toxic.latency_ms >= 0, 'latency cannot be negative');
    assert((toxic.jitter_ms ?? 0) >= 0, 'jitter cannot be negative');
    assert(!toxic.jitter_ms || random, 'jitter needs a seeded random');
  }
  if (toxic?.kind === 'drop_after_bytes') assert(toxic.bytes >= 0, 'bytes cannot be negative');
  if (toxic?.kind === 'swallow_reply' && Buffer.isBuffer(toxic.from)) {
    assert(toxic.from.length > 0, 'an empty buffer matches nothing in particular');
  }
}

/** Whether bytes in this direction are held back at the moment. */
export function holdsBack(toxic: Toxic | null, direction: Direction): boolean {
  return toxic?.kind === 'blackhole' && concerns(toxic, direction);
}

export function treatmentOf(
  toxic: Toxic | null,
  direction: Direction,
  random: Random | undefined,
): Treatment {
  if (toxic === null || !concerns(toxic, direction)) return PLAIN;
  if (toxic.kind === 'blackhole') return { ...PLAIN, held: true };
  if (toxic.kind === 'latency') return { ...PLAIN, delay_ms: () => delayOf(toxic, random) };
  if (toxic.kind === 'drop_after_bytes') return { ...PLAIN, admit: upTo(toxic.bytes) };
  if (toxic.kind === 'swallow_reply') return { ...PLAIN, admit: until(matcherOf(toxic.from)) };
  return PLAIN;
}

function concerns(toxic: Toxic, direction: Direction): boolean {
  if (toxic.kind === 'swallow_reply') return direction === 'down';
  return !('direction' in toxic) || toxic.direction === undefined || toxic.direction === direction;
}

function delayOf(
  toxic: { latency_ms: number; jitter_ms?: number },
  random: Random | undefined,
): number {
  return toxic.latency_ms + (toxic.jitter_ms ?? 0) * (random?.next() ?? 0);
}

function upTo(bytes: number): Treatment['admit'] {
  let left = bytes;
  return (chunk) => {
    const pass = chunk.subarray(0, left);
    left -= pass.length;
    return { pass, cut: left === 0 };
  };
}

function until(matches: (chunk: Buffer) => boolean): Treatment['admit'] {
  let swallowing = false;
  return (chunk) => {
    swallowing ||= matches(chunk);
    return { pass: swallowing ? NOTHING : chunk, cut: false };
  };
}

function matcherOf(from: Buffer | ((chunk: Buffer) => boolean) | undefined) {
  if (from === undefined) return () => true;
  if (!Buffer.isBuffer(from)) return from;
  // The stream may be cut into chunks anywhere, so the end of what was seen is kept: a message
  // that is spread over two chunks would otherwise slip through.
  let tail = NOTHING;
  return (chunk: Buffer) => {
    const seen = Buffer.concat([tail, chunk]);
    tail = seen.subarray(Math.max(0, seen.length - from.length + 1));
    return seen.includes(from);
  };
}
