import type { IncomingMessage } from 'node:http';

const requests = new WeakMap<object, string>();

/** Remembers whose request an exception without a caller was about, and returns the exception. */
export function ofRequest(error: unknown, request: Pick<IncomingMessage, 'method' | 'url'>) {
  const bug = error instanceof Error ? error : new Error(String(error));
  // The query may have a credential in it.
  requests.set(bug, `${request.method} ${request.url?.replace(/\?.*/, '')}`);
  return bug;
}

/** The request that a bug was about; null: nothing is known of one. */
export function requestOf(error: unknown): string | null {
  return error instanceof Error ? (requests.get(error) ?? null) : null;
}
