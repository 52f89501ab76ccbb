import { systemHost } from '@voelgoed/client/client';

export type WorkTools = Readonly<{
  /** The same each time this wish is tried, so that nothing is done twice. */
  key(part?: number): string;
  progress(done: number, total: number): void;
  /** Aborted when they do not want to wait any longer; what is done stays done. */
  signal: AbortSignal;
}>;

/** Something that takes a while: it shows how far it is, and after a failure it can be repeated. */
export class Work<Result> {
  status = $state.raw<'idle' | 'running' | 'done' | 'failed'>('idle');
  done = $state(0);
  total = $state(0);
  failure = $state.raw<unknown>(null);
  result = $state.raw<Result | null>(null);
  #key = '';
  #wish = '';
  #stop = new AbortController();

  /** `wish` names what is wanted: the same wish again is a repetition, another one is new. */
  async run(wish: string, work: (tools: WorkTools) => Promise<Result>): Promise<Result | null> {
    if (this.status === 'running') return null;
    if (this.#wish !== wish || this.status !== 'failed') this.#key = systemHost.newKey();
    this.#wish = wish;
    this.#stop = new AbortController();
    this.status = 'running';
    this.failure = null;
    this.done = 0;
    this.total = 0;
    try {
      this.result = await work({
        key: (part = 0) => (part === 0 ? this.#key : `${this.#key}.${part}`),
        progress: (done, total) => {
          this.done = done;
          this.total = total;
        },
        signal: this.#stop.signal,
      });
      this.status = 'done';
      return this.result;
    } catch (error) {
      this.failure = error;
      this.status = 'failed';
      return null;
    }
  }

  stop(): void {
    this.#stop.abort();
  }

  /** What was said about one thing is not said about the next. */
  reset(): void {
    if (this.status === 'running') return this.stop();
    this.status = 'idle';
    this.failure = null;
    this.result = null;
  }
}
