export type Fetch = (url: string, request: RequestInit) => Promise<Response>;

export type Host = Readonly<{
  fetch: Fetch;
  /** Milliseconds since 1970, as this machine believes. It may be wrong, and it may jump. */
  now(): number;
  /** Milliseconds since anything; never goes back. */
  monotonic(): number;
  /** Calls back once after so many milliseconds, unless what comes back is called before. */
  after(delay_ms: number, callback: () => void): () => void;
  /** From 0 to 1. */
  random(): number;
  /** A name that nobody else will think of. */
  newKey(): string;
}>;

/** Longer waits make timers fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

export const systemHost: Host = {
  fetch: (url, request) => globalThis.fetch(url, request),
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (delay_ms, callback) => {
    const timer = setTimeout(callback, Math.min(Math.max(0, delay_ms), LONGEST_MS));
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
  newKey,
};

/** Works on pages without TLS as well, where browsers have no `randomUUID`. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Waits; ends at once, and without an error, when the signal is given. */
export function pause(host: Host, delay_ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = withResolvers();
  if (signal.aborted) resolve();
  const cancel = host.after(delay_ms, resolve);
  signal.addEventListener('abort', resolve, { once: true });
  return promise.finally(() => {
    cancel();
    signal.removeEventListener('abort', resolve);
  });
}

/** Node 20 has no `Promise.withResolvers`. */
function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
