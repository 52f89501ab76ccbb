import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { ErrorCode } from '@voelgoed/client/wire';
import type { FastifyBaseLogger } from 'fastify';
import type { Principal } from '#tokens';

/** What a handler may ask of a request: the framework's has it, and the quick one. */
export type AnyRequest = Readonly<{
  id: string;
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  params: unknown;
  query: unknown;
  body: unknown;
  /** Not there when the connection was reset. */
  ip: string | undefined;
  socket: { readonly remoteAddress?: string | undefined };
  raw: IncomingMessage;
  routeOptions: { readonly url?: string | undefined };
  principal: Principal | null;
  /** On the monotonic clock: when the engine has to be done. */
  deadline_ms: number;
  /** Has whoever asked hung up? A signal of the runtime would cost every request 2 µs. */
  gone: { aborted: boolean };
  log: FastifyBaseLogger;
}>;

/** What a handler may do with a reply, likewise. */
export type AnyReply = {
  readonly request: { readonly id: string };
  /** Whether there is an answer, also while its bytes wait: the response itself says so. */
  readonly sent: boolean;
  /** By which code it was refused, for whoever counts. */
  refusal: ErrorCode | undefined;
  code(status: number): unknown;
  header(name: string, value: string | number): unknown;
  headers(values: Readonly<Record<string, string | number>>): unknown;
  hasHeader(name: string): boolean;
  getHeaders(): Readonly<Record<string, unknown>>;
  removeHeader(name: string): unknown;
  send(payload: unknown): unknown;
};
