import type { ServerClock } from '#clock';
import { type Failure, type FailureCode, SeatingError } from '#failures';
import { type Host, pause } from '#host';
import { type Reply, readReply } from './answers.ts';
import { RetryBudget, type RetryOptions } from './budget.ts';
import { type TokenGiver, Tokens } from './tokens.ts';

export type CallOptions = Readonly<{
  /** Gives the call up. */
  signal?: AbortSignal | undefined;
  /** For the call with all its retries. Default 30 s, 90 s for routes that do a lot. */
  timeout_ms?: number | undefined;
  /** The Idempotency-Key, where it shall outlive this call. Default: a new one for each call. */
  key?: string | undefined;
  /** It is sent whole also when the page that asks is being left. */
  keepalive?: boolean | undefined;
  /** Another credential than the client's, for this call. */
  token?: TokenGiver | undefined;
}>;

/** What fills a route. */
export type Input = Readonly<{
  params?: Readonly<Record<string, string>> | undefined;
  query?: Readonly<Record<string, unknown>> | undefined;
  body?: unknown;
  headers?: Readonly<Record<string, string>> | undefined;
  /** What a browser has kept is compared with the server's first. */
  isFresh?: boolean;
}>;

/** What became of a call, for logs and measurements. */
export type Observation = Readonly<{
  route: string;
  /** 0: no answer. */
  status: number;
  code: FailureCode | null;
  attempts: number;
  time_ms: number;
  request_id: string | null;
  /** The server had done it before, and this is the answer of then. */
  replayed: boolean;
}>;

export type TransportOptions = Readonly<{
  host: Host;
  clock: ServerClock;
  /** Without a slash at the end. */
  address: string;
  token: TokenGiver;
  timeout_ms: number | undefined;
  retries: RetryOptions | undefined;
  headers: Readonly<Record<string, string>>;
  observe: ((seen: Observation) => void) | undefined;
}>;

/** How a call is made and how it is read. */
export type Asked = Readonly<{
  route: string;
  isLong: boolean;
  reads: 'json' | 'text' | 'body';
  /** Whoever asks tries again themselves. */
  isOnce?: boolean;
}>;

/** The buyer has gone away by then. */
const TIMEOUT_MS = 30_000;
/** Servers answer within 3 s or say why not: what takes longer than this got lost. */
const ATTEMPT_MS = 10_000;
/** The same for routes that may take a minute. */
const LONG_ATTEMPT_MS = 65_000;
const LONG_TIMEOUT_MS = 90_000;

const TRY_AGAIN: readonly string[] = [
  'network',
  'timeout',
  'rate_limited',
  'event_busy',
  'outcome_unknown',
  'overloaded',
  'unavailable',
];
/** A proxy's words for a server that is away or late. */
const GATEWAY = [502, 503, 504];

type Call = Asked &
  Readonly<{
    input: Input;
    tokens: Tokens;
    key: string | null;
    keepalive: boolean;
    giveUp: AbortSignal;
    began_ms: number;
    deadline_ms: number;
  }>;

export class Transport {
  readonly budget: RetryBudget;
  readonly #options: TransportOptions;
  readonly #tokens: Tokens;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#tokens = new Tokens(options.token);
    this.budget = new RetryBudget(options.host, options.retries);
  }

  async call(asked: Asked, input: Input, options: CallOptions = {}): Promise<unknown> {
    const { host } = this.#options;
    const usual_ms = asked.isLong ? LONG_TIMEOUT_MS : (this.#options.timeout_ms ?? TIMEOUT_MS);
    const timeout_ms = options.timeout_ms ?? usual_ms;
    const began_ms = host.monotonic();
    const limit = limitOf(host, timeout_ms, options.signal);
    const isChange = !asked.route.startsWith('GET ');
    const call: Call = {
      ...asked,
      input,
      tokens: options.token === undefined ? this.#tokens : new Tokens(options.token),
      key: isChange ? (options.key ?? host.newKey()) : null,
      keepalive: options.keepalive ?? false,
      giveUp: limit.signal,
      began_ms,
      deadline_ms: began_ms + timeout_ms,
    };
    try {
      return await this.#tryUntilDone(call);
    } finally {
      // The body of a stream is read after this; it is its reader's to end.
      limit.release();
    }
  }

  async #tryUntilDone(call: Call): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      const reply = await this.#tryInTime(call);
      if (reply.kind === 'answer') {
        this.budget.succeeded();
        this.#observe(call, attempt, reply, null);
        return reply.answer;
      }
      const failure = errorOf(call, reply, attempt);
      const wait_ms = this.#waitAfter(failure, attempt, call);
      if (wait_ms === null) {
        this.#observe(call, attempt, reply, failure.code);
        throw failure;
      }
      await pause(this.#options.host, wait_ms, call.giveUp);
    }
  }

  /** Null: it is not tried again, because that is no use, takes too long or costs too much. */
  #waitAfter(failure: Failure, attempt: number, call: Call): number | null {
    const { giveUp, deadline_ms, isOnce } = call;
    const isWorthIt =
      TRY_AGAIN.includes(failure.code) ||
      (failure.code === 'unreadable' && GATEWAY.includes(failure.status));
    if (!isWorthIt || isOnce || giveUp.aborted || attempt > this.budget.most) return null;
    // Whoever was told the same time to wait does not come back at the same moment.
    const wait_ms = (failure.retry_after_ms ?? 0) + this.budget.wait_ms(attempt);
    const left_ms = deadline_ms - this.#options.host.monotonic();
    return wait_ms < left_ms && this.budget.take() ? wait_ms : null;
  }

  async #tryInTime(call: Call): Promise<Reply> {
    try {
      return await this.#tryWithToken(call);
    } catch (error) {
      if (!call.giveUp.aborted) throw error;
      return { kind: 'lost', code: call.giveUp.reason as FailureCode, cause: error };
    }
  }

  /** A token that is refused is replaced once; the key stays, so nothing is done twice. */
  async #tryWithToken(call: Call): Promise<Reply> {
    const token = await unlessGivenUp(call.tokens.current(), call.giveUp);
    const reply = await this.#try(call, token);
    if (reply.kind !== 'refusal' || reply.code !== 'unauthorized') return reply;
    const other = await unlessGivenUp(call.tokens.instead(token), call.giveUp);
    return other === undefined ? reply : this.#try(call, other);
  }

  async #try(call: Call, token: string | null): Promise<Reply> {
    const { host, clock } = this.#options;
    // Browsers' own fetch refuses to be called as somebody's method.
    const { fetch } = host;
    // What cannot be asked is a mistake of the caller's and no failure of the network.
    const url = this.#urlOf(call);
    const request = this.#requestOf(call, token);
    const limit = limitOf(host, call.isLong ? LONG_ATTEMPT_MS : ATTEMPT_MS, call.giveUp);
    const sent_ms = host.now();
    try {
      limit.signal.throwIfAborted();
      const response = await fetch(url, { ...request, signal: limit.signal });
      return await readReply(response, call.reads, { clock, sent_ms });
    } catch (error) {
      const code = limit.signal.aborted ? (limit.signal.reason as FailureCode) : 'network';
      return { kind: 'lost', code, cause: error };
    } finally {
      limit.release();
    }
  }

  #urlOf({ route, input }: Call): string {
    const path = route.slice(route.indexOf(' ') + 1).replace(/:(\w+)/g, (_, name: string) => {
      const value = input.params?.[name];
      if (!value) throw new TypeError(`${route} needs ${name}`);
      return encodeURIComponent(value);
    });
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(input.query ?? {})) {
      if (value !== undefined && value !== null) query.set(name, String(value));
    }
    const text = query.toString();
    return `${this.#options.address}${path}${text ? `?${text}` : ''}`;
  }

  #requestOf({ route, input, key, keepalive }: Call, token: string | null): RequestInit {
    const { body } = input;
    return {
      method: route.slice(0, route.indexOf(' ')),
      headers: {
        ...this.#options.headers,
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(key === null ? {} : { 'idempotency-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...input.headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : textOf(body) }),
      ...(keepalive ? { keepalive } : {}),
      ...(input.isFresh ? { cache: 'no-cache' as const } : {}),
    };
  }

  /** An observer's mistake is its own: it is reported as such, and the call ends as it ended. */
  #observe(call: Call, attempts: number, reply: Reply, code: FailureCode | null): void {
    const { host, observe } = this.#options;
    const seen: Observation = {
      route: call.route,
      status: reply.kind === 'lost' ? 0 : reply.status,
      code,
      attempts,
      time_ms: host.monotonic() - call.began_ms,
      request_id: reply.kind === 'lost' ? null : reply.request_id,
      replayed: reply.kind === 'answer' && reply.replayed,
    };
    try {
      observe?.(seen);
    } catch (error) {
      host.after(0, () => {
        throw error;
      });
    }
  }
}

function textOf(body: unknown): string {
  return JSON.stringify(body);
}

/** What somebody else has promised, but not for longer than the call lasts. */
function unlessGivenUp<Value>(promised: Promise<Value>, giveUp: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Error('The call was over before there was a token.'));
    if (giveUp.aborted) stop();
    giveUp.addEventListener('abort', stop, { once: true });
    const done = () => giveUp.removeEventListener('abort', stop);
    promised.then(resolve, reject).finally(done);
  });
}

/** A signal with a reason that is a code: `timeout` after the time, `aborted` with the other. */
function limitOf(host: Host, timeout_ms: number, outer: AbortSignal | undefined) {
  const controller = new AbortController();
  const cancel = host.after(timeout_ms, () => controller.abort('timeout'));
  const follow = () => controller.abort(isCode(outer?.reason) ? outer?.reason : 'aborted');
  if (outer?.aborted) follow();
  outer?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    release: () => {
      cancel();
      outer?.removeEventListener('abort', follow);
    },
  };
}

function isCode(reason: unknown): boolean {
  return reason === 'timeout' || reason === 'aborted';
}

function errorOf(call: Call, reply: Exclude<Reply, { kind: 'answer' }>, attempts: number): Failure {
  const { route } = call;
  if (reply.kind === 'refusal') {
    return new SeatingError(reply.code, { ...reply, route, attempts }) as Failure;
  }
  return new SeatingError(reply.code, {
    message: SENTENCES[reply.code] ?? 'The call failed.',
    details: {},
    status: 0,
    request_id: null,
    retry_after_ms: null,
    route,
    attempts,
    cause: reply.cause,
  }) as Failure;
}

const SENTENCES: Partial<Record<FailureCode, string>> = {
  network: 'The server could not be reached.',
  timeout: 'The server did not answer in time.',
  aborted: 'The call was given up.',
};
