import { reasonOf } from '@voelgoed/engine/kit';
import type { Telemetry } from '@voelgoed/engine/telemetry';
import { requestOf } from '#http';
import { type BugVerdict, verdictOn } from './bug-rules.ts';

/** Logs and counts a bug that reached the process, with the request that it began in. */
export type BugReport = (error: unknown, origin: string) => BugVerdict;

export function bugReport(telemetry: Telemetry): BugReport {
  return (error, origin) => {
    const node = verdictOn(error);
    const stack = error instanceof Error ? (error.stack ?? null) : null;
    const ids = { ...requestOf(error), stack };
    telemetry.emit({ kind: 'bug.uncaught', origin, node, reason: reasonOf(error), ids });
    return node;
  };
}

/**
 * What reaches a process is judged by its node: `end` is called when the node's state can be wrong,
 * and while there is no node yet. A rejection comes here as an exception, by the runtime's default.
 */
export function watchBugs(
  report: () => BugReport | undefined,
  end: (error: unknown) => unknown,
): void {
  process.on('uncaughtException', (error, origin) => {
    if (report()?.(error, origin) !== 'goes on') end(error);
  });
}
