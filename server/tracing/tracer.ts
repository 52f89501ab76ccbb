import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock, Random } from '@voelgoed/engine/kit';
import type { Happening, Telemetry } from '@voelgoed/engine/telemetry';
import { KIND, type Span } from './exporter.ts';
import { readTraceparent, type TraceContext, traceparentOf } from './traceparent.ts';

/** One request on its way. */
export type Trace = TraceContext & {
  readonly parentSpanId: string;
  readonly start_ms: number;
  readonly spans: Span[];
  isOver: boolean;
};

type TracerOptions = Readonly<{
  clock: Clock;
  random: Random;
  exporter: { add(spans: readonly Span[]): void };
  /** Of the requests that nobody else has decided about. */
  ratio: number;
}>;

/** A stream lasts for hours: what it does after this many steps is not written down. */
const MOST_SPANS = 200;

/** The first statement of every flush. */
const LOCK = 'postgres flush.lock';

/** Turns happenings into spans of the request that they happened for. */
export class Tracer {
  readonly #options: TracerOptions;
  readonly #current = new AsyncLocalStorage<Trace>();
  /** Wall time to parts of a millisecond: a statement takes less than a whole one. */
  readonly #offset_ms: number;

  constructor(options: TracerOptions) {
    this.#options = options;
    this.#offset_ms = options.clock.now() - options.clock.monotonic();
  }

  /** A request begins: a part of somebody else's trace, or one of its own. */
  begin(traceparent: string | undefined): Trace {
    const { random, ratio } = this.#options;
    const from = readTraceparent(traceparent);
    return {
      traceId: from?.traceId ?? this.#newId(16),
      spanId: this.#newId(8),
      parentSpanId: from?.spanId ?? '',
      sampled: from?.sampled ?? random.next() < ratio,
      start_ms: this.#now_ms(),
      spans: [],
      isOver: false,
    };
  }

  /** Everything that `work` starts belongs to this request. */
  within<Result>(trace: Trace, work: () => Result): Result {
    return trace.sampled ? this.#current.run(trace, work) : work();
  }

  end(trace: Trace, seen: { method: string; route: string; status: number }): void {
    trace.isOver = true;
    if (!trace.sampled) return;
    const { method, route, status } = seen;
    const { traceId, spanId, parentSpanId, start_ms, spans } = trace;
    const attributes = {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
    };
    const root = { traceId, spanId, parentSpanId, start_ms, end_ms: this.#now_ms() };
    const name = `${method} ${route}`;
    const about = { name, kind: KIND.server, failed: status >= 500, attributes };
    this.#options.exporter.add([{ ...root, ...about }, ...spans]);
  }

  /** For whomever we ask on behalf of a request. */
  headers(): Record<string, string> {
    const trace = this.#current.getStore();
    return trace && !trace.isOver ? { traceparent: traceparentOf(trace) } : {};
  }

  /** Counts as before, and also makes spans. */
  alsoTraced(counted: Telemetry): Telemetry {
    return {
      emit: (happening) => {
        counted.emit(happening);
        const trace = this.#current.getStore();
        if (trace && !trace.isOver && trace.spans.length < MOST_SPANS) this.#note(trace, happening);
      },
      carry: () => {
        const trace = this.#current.getStore();
        return trace && ((work) => this.#current.run(trace, work));
      },
    };
  }

  #note(trace: Trace, happening: Happening): void {
    if (happening.kind === 'postgres.statement') {
      const { name, duration_ms, failed } = happening;
      const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name };
      this.#add(trace, `postgres ${name}`, duration_ms, { kind: KIND.client, failed, attributes });
    }
    if (happening.kind === 'redis.command') {
      const { name, duration_ms, failed } = happening;
      const attributes = { 'db.system.name': 'redis', 'db.operation.name': name };
      this.#add(trace, `redis ${name}`, duration_ms, { kind: KIND.client, failed, attributes });
    }
    if (happening.kind === 'flush.done') this.#flush(trace, happening);
  }

  /** What was asked between its beginning and now belongs to the flush. */
  #flush(trace: Trace, happening: Happening & { kind: 'flush.done' }): void {
    const { outcome, wishes, duration_ms, lock_ms } = happening;
    const attributes = {
      'flush.outcome': outcome,
      'flush.wishes': wishes,
      'flush.lock_ms': lock_ms,
    };
    const failed = outcome === 'failed' || outcome === 'unknown';
    const flush = this.#add(trace, 'flush', duration_ms, {
      kind: KIND.internal,
      failed,
      attributes,
    });
    // Both are counted back from when they were noted, and a busy loop notes the end of a flush
    // late: it is known to begin no later than its first statement.
    const lock = trace.spans.find(
      ({ name, parentSpanId }) => name === LOCK && parentSpanId === trace.spanId,
    );
    flush.start_ms = Math.min(flush.start_ms, lock?.start_ms ?? flush.start_ms);
    for (const span of trace.spans) {
      const isInside = span !== flush && span.start_ms >= flush.start_ms;
      if (isInside && span.name.startsWith('postgres ')) span.parentSpanId = flush.spanId;
    }
  }

  #add(
    trace: Trace,
    name: string,
    duration_ms: number,
    about: Pick<Span, 'kind' | 'failed' | 'attributes'>,
  ): Span {
    const end_ms = this.#now_ms();
    const span: Span = {
      traceId: trace.traceId,
      spanId: this.#newId(8),
      parentSpanId: trace.spanId,
      name,
      start_ms: end_ms - duration_ms,
      end_ms,
      ...about,
    };
    trace.spans.push(span);
    return span;
  }

  #now_ms(): number {
    return this.#options.clock.monotonic() + this.#offset_ms;
  }

  #newId(bytes: number): string {
    return Buffer.from(this.#options.random.bytes(bytes)).toString('hex');
  }
}
