import { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isOperatingError } from '@voelgoed/engine/kit';
import type { FastifyBaseLogger } from 'fastify';
import { ofRequest, requestOf } from './bug-request.ts';
import type { outbox } from './outbox.ts';

/** Where a second answer was noticed. */
export type DroppedAt = 'framework' | 'fast_path' | 'response';

type Tools = Readonly<{
  together: ReturnType<typeof outbox>;
  dropped(at: DroppedAt): void;
}>;

type Connection = Socket & { [CURRENT]?: ServerResponse | undefined };
const CURRENT = Symbol('the response whose turn it is on this connection');

/** The response that a connection is about to get or is getting; none: it waits for a request. */
export function currentResponse(socket: Socket): ServerResponse | undefined {
  return (socket as Connection)[CURRENT];
}

/**
 * The one owner of an answer: the response itself. From the call of `end` on it says that it has
 * ended, although its bytes leave with the others of their turn; the framework, the fast path,
 * streams and the deadline all ask the response, so that each of them knows at once. The head is
 * fixed when it is written: what is set later (a status, a header) changes nothing. A second
 * answer is dropped and counted and throws nothing: the runtime would throw out of a timer, and
 * such an exception has no caller.
 */
export function oneAnswer({ together, dropped }: Tools): typeof ServerResponse {
  class OneAnswer extends ServerResponse {
    hasEnded = false;
    status = 200;

    override writeHead(...head: unknown[]): this {
      if (this.headersSent) {
        dropped('response');
        return this;
      }
      return super.writeHead(...(head as Parameters<ServerResponse['writeHead']>));
    }

    override write(...chunk: unknown[]): boolean {
      return !this.hasEnded && super.write(...(chunk as Parameters<ServerResponse['write']>));
    }

    override end(...chunk: unknown[]): this {
      if (this.hasEnded) return this;
      this.hasEnded = true;
      const last = chunk as unknown as Parameters<ServerResponse['end']>;
      // Without a head the runtime makes one now, of this chunk's length.
      if (!this.headersSent) return super.end(...last);
      together(() => {
        try {
          super.end(...last);
        } catch (error) {
          this.destroy();
          throw ofRequest(error, this.req);
        }
      });
      return this;
    }

    override assignSocket(socket: Socket): void {
      super.assignSocket(socket);
      (socket as Connection)[CURRENT] = this;
    }

    override detachSocket(socket: Socket): void {
      super.detachSocket(socket);
      (socket as Connection)[CURRENT] = undefined;
    }
  }
  // The runtime's types call these two fields, which a class may not replace by accessors.
  Object.defineProperties(OneAnswer.prototype, {
    writableEnded: {
      get(this: OneAnswer) {
        return this.hasEnded;
      },
    },
    statusCode: {
      get(this: OneAnswer) {
        return this.status;
      },
      set(this: OneAnswer, status: number) {
        if (!this.headersSent) this.status = status;
      },
    },
  });
  return OneAnswer as unknown as typeof ServerResponse;
}

/** What the framework says when a handler is done after its request was answered. */
const SECOND_ANSWER = 'FST_ERR_REP_ALREADY_SENT';
const LATE_ERROR = 'Promise errored, but reply.sent = true was set';

type Line = { err?: (Error & { code?: unknown }) | undefined };

/**
 * The framework drops second answers by itself and writes a line for each. While a database stalls
 * there are thousands of them, and each has been answered: they are counted instead. A late error
 * that is a bug is still written.
 */
export function countsDropped(
  logger: FastifyBaseLogger,
  dropped: Tools['dropped'],
): FastifyBaseLogger {
  const counting = Object.create(logger) as FastifyBaseLogger;
  counting.warn = ((line: Line, ...rest: [string]) => {
    if (line?.err?.code === SECOND_ANSWER) dropped('framework');
    else logger.warn(line, ...rest);
  }) as FastifyBaseLogger['warn'];
  counting.error = ((line: Line, ...rest: [string]) => {
    const isLate = rest[0] === LATE_ERROR;
    if (isLate) dropped('framework');
    if (isLate && isOperatingError(line.err)) return;
    if (!isLate) return logger.error(line, ...rest);
    const late = { ...line, ids: requestOf(line.err) };
    logger.error(late, 'a request failed by a bug after its answer');
  }) as FastifyBaseLogger['error'];
  return counting;
}
