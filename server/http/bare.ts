import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { systemClock, systemRandom, uuidv7 } from '@voelgoed/engine/kit';
import { SECURITY } from './headers.ts';
import { currentResponse } from './one-answer.ts';

/** Time to read what is on its way; a connection is kept for no longer than this. */
const READING_MS = 5_000;

/**
 * What is not HTTP never becomes a request of ours: it is answered on the bare connection, unless
 * that would land in the answer to another request.
 */
export function refuseBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  // Browsers open connections ahead. They take whatever is there for the answer to the request
  // that they send first, so one that was never used just ends, like one that is used no more.
  if (socket.bytesRead === 0) return void socket.destroySoon();
  const message =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'The headers are larger than 8 kB.'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'The request did not arrive in time.'
        : 'This is not a valid HTTP request.';
  refuseConnection(socket, message);
}

/** CONNECT is for proxies, and we keep no expectations: both get an answer instead of silence. */
export function refuseOddProtocols(server: Server): void {
  // The runtime takes its own listener off a socket before it emits `connect`: a reset would be an
  // exception without a caller. Ours stays, so no error of an HTTP connection reaches the process.
  server.on('connection', (socket: Socket) => socket.on('error', ignore));
  server.on('connect', (_request, socket) =>
    refuseConnection(socket as Socket, 'This is not a proxy.'),
  );
  server.on('checkExpectation', (_request, response) =>
    refuseThrough(response, 'The expectation in the headers is not one that we know.'),
  );
}

function ignore(): void {}

/** RFC 9112, 3.2: a request has one Host, or it is refused, whatever else it says. */
export function withOneHost(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (hasOneHost(request)) return listener(request, response);
    return refuseThrough(response, 'A request has exactly one Host header.');
  };
}

/** The parsed headers have the first of two: only the raw ones have both. */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

/**
 * Bytes that are no request came in on a connection. Where a request before them still waits for
 * its answer, a text of ours would be taken for that answer: a buyer would read "not valid" about
 * a hold that is made. So that connection just ends, after an answer that is on its way; only a
 * request whose own body is broken is answered by this.
 */
function refuseConnection(socket: Socket, message: string): void {
  endInTime(socket);
  const current = currentResponse(socket);
  if (!current) return answerBare(socket, message);
  if (current.writableEnded) return void current.once('close', () => socket.destroySoon());
  if (current.headersSent || current.req.complete) return void socket.destroy();
  refuseThrough(current, message);
}

/** A client that reads nothing would keep its connection, and the answer on its way, for ever. */
function endInTime(socket: Socket): void {
  const limit = setTimeout(() => socket.destroy(), READING_MS);
  limit.unref();
  socket.once('close', () => clearTimeout(limit));
}

type Text = Readonly<{ headers: Readonly<Record<string, string | number>>; body: string }>;

function textOf(message: string): Text {
  const request_id = uuidv7({ clock: systemClock, random: systemRandom });
  const body = JSON.stringify({ error: 'invalid_request', message, details: {}, request_id });
  return {
    body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-cache, no-store',
      'x-request-id': request_id,
      ...SECURITY,
      connection: 'close',
    },
  };
}

function refuseThrough(response: ServerResponse, message: string): void {
  const { headers, body } = textOf(message);
  response.writeHead(400, headers).end(body);
}

function answerBare(socket: Socket, message: string): void {
  const { headers, body } = textOf(message);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = ['HTTP/1.1 400 Bad Request', ...lines].join('\r\n');
  if (socket.writable) socket.write(`${head}\r\n\r\n${body}`);
  socket.destroySoon();
}
