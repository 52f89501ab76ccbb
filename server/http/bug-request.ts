import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** A response knows its request, and the number that we gave it. */
type Answering = ServerResponse & { [ID]?: string };
const ID = Symbol('the id of the request');

/** What the log says of a request. */
type RequestNamed = Readonly<{ request: string | null; request_id: string | null }>;

const UNKNOWN: RequestNamed = { request: null, request_id: null };
const requests = new WeakMap<object, RequestNamed>();
/**
 * Whatever begins while a request is handled carries it along: timers, promises, callbacks. The
 * response stands for it, because it is there anyhow. What several requests share carries the one
 * that began it: a flush that of its first command, a connection that of its first user.
 */
const current = new AsyncLocalStorage<ServerResponse>();

/** Entered before everything else. (`run` would be left when a listener throws.) */
export function knowingRequest(listener: RequestListener): RequestListener {
  return (request, response) => {
    current.enterWith(response);
    return listener(request, response);
  };
}

export function nameRequest(response: ServerResponse, id: string): void {
  (response as Answering)[ID] = id;
}

/** Remembers whose request an exception without a caller was about, and returns the exception. */
export function ofRequest(error: unknown, request: Pick<IncomingMessage, 'method' | 'url'>) {
  const bug = error instanceof Error ? error : new Error(String(error));
  const response = current.getStore();
  const request_id = response?.req === request ? idOf(response) : null;
  requests.set(bug, { request: textOf(request), request_id });
  return bug;
}

/** The request that a bug was about; nulls: nothing is known of one. */
export function requestOf(error: unknown): RequestNamed {
  const known = error instanceof Error ? requests.get(error) : undefined;
  if (known) return known;
  const response = current.getStore();
  return response ? { request: textOf(response.req), request_id: idOf(response) } : UNKNOWN;
}

function idOf(response: ServerResponse): string | null {
  return (response as Answering)[ID] ?? null;
}

/** The query may have a credential in it. */
function textOf({ method, url }: Pick<IncomingMessage, 'method' | 'url'>): string {
  return `${method} ${url?.replace(/\?.*/, '')}`;
}
