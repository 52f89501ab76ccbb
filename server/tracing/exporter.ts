import { type Clock, reasonOf, type Timers } from '@voelgoed/engine/kit';
import type { Telemetry } from '@voelgoed/engine/telemetry';

/** OTLP's numbers for who caused a span. */
export const KIND = { internal: 1, server: 2, client: 3 } as const;

export type Span = {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  kind: number;
  start_ms: number;
  end_ms: number;
  failed: boolean;
  attributes: Readonly<Record<string, string | number>>;
};

type ExporterOptions = Readonly<{
  /** Of the collector; `/v1/traces` is added. */
  endpoint: string;
  clock: Clock & Timers;
  telemetry: Telemetry;
}>;

const EVERY_MS = 1_000;
/** What a collector does not take in time is dropped: traces must not take memory from buyers. */
const MOST_SPANS = 4_096;
const BATCH = 1_024;
const ANSWER_MS = 5_000;

/** Sends spans as JSON once a second, and forgets what it cannot send. */
export class Exporter {
  readonly #options: ExporterOptions;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #waiting: Span[] = [];

  constructor(options: ExporterOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  add(spans: readonly Span[]): void {
    if (this.#waiting.length + spans.length <= MOST_SPANS) this.#waiting.push(...spans);
  }

  /** Sends what is left. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('stopping'));
    await this.#running;
    await this.#send();
  }

  async #run(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await clock.sleep(EVERY_MS, signal).catch(() => {});
      if (!signal.aborted) await this.#send();
    }
  }

  async #send(): Promise<void> {
    const { endpoint, telemetry } = this.#options;
    while (this.#waiting.length > 0) {
      const spans = this.#waiting.splice(0, BATCH);
      try {
        const reply = await fetch(`${endpoint}/v1/traces`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(messageOf(spans)),
          signal: AbortSignal.timeout(ANSWER_MS),
        });
        await reply.text();
        if (!reply.ok) throw new Error(`the collector answered ${reply.status}`);
      } catch (error) {
        this.#waiting = [];
        const reason = `${spans.length} spans are lost: ${reasonOf(error)}`;
        telemetry.emit({ kind: 'job.failed', job: 'traces', reason, ids: null });
      }
    }
  }
}

function messageOf(spans: readonly Span[]): object {
  const resource = { attributes: attributesOf({ 'service.name': 'voelgoed' }) };
  const scopeSpans = [{ scope: { name: 'voelgoed' }, spans: spans.map(spanOf) }];
  return { resourceSpans: [{ resource, scopeSpans }] };
}

function spanOf({ start_ms, end_ms, failed, attributes, ...span }: Span): object {
  return {
    ...span,
    startTimeUnixNano: nanoseconds(start_ms),
    endTimeUnixNano: nanoseconds(end_ms),
    attributes: attributesOf(attributes),
    // 2: error; 0: nobody has judged it.
    status: { code: failed ? 2 : 0 },
  };
}

/** A number of so many digits is not exact any more: a text is. */
function nanoseconds(ms: number): string {
  return `${Math.round(ms * 1_000)}000`;
}

function attributesOf(values: Readonly<Record<string, string | number>>): object[] {
  return Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { doubleValue: value } : { stringValue: value },
  }));
}
