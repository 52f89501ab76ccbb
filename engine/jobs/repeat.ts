import { type Clock, type Random, reasonOf, type Timers } from '#kit';
import type { Telemetry } from '#telemetry';

export type RunningJob = Readonly<{
  /** When it last did its work, on the monotonic clock; null: not yet. */
  lastDone_ms(): number | null;
  stop(): Promise<void>;
}>;

/**
 * Runs `work` again and again, jittered so that nodes do not all ask at once. A failure is reported
 * and does not end it.
 */
export function repeat(
  name: string,
  every_ms: number,
  tools: { clock: Clock & Timers; random: Random; telemetry: Telemetry },
  work: (stopping: AbortSignal) => Promise<void>,
): RunningJob {
  const stopping = new AbortController();
  let last_ms: number | null = null;
  const done = (async () => {
    while (!stopping.signal.aborted) {
      const pause_ms = every_ms * (0.8 + 0.4 * tools.random.next());
      await tools.clock.sleep(pause_ms, stopping.signal).catch(() => {});
      if (stopping.signal.aborted) return;
      try {
        const started_ms = tools.clock.monotonic();
        await work(stopping.signal);
        last_ms = tools.clock.monotonic();
        const duration_ms = last_ms - started_ms;
        tools.telemetry.emit({ kind: 'job.done', job: name, duration_ms });
      } catch (error) {
        const about = { reason: reasonOf(error), ids: null };
        tools.telemetry.emit({ kind: 'job.failed', job: name, ...about });
      }
    }
  })();
  return {
    lastDone_ms: () => last_ms,
    stop: async () => {
      stopping.abort(new Error('stopping'));
      await done;
    },
  };
}
