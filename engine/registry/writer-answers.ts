import { OperatingError, reasonOf } from '#kit';
import type { EventIds, Telemetry } from '#telemetry';
import type { Decided } from './flush.ts';
import { UnknownFormat } from './log.ts';
import type { Trouble } from './ports.ts';
import type { QueuedWish } from './wish.ts';

/** What whoever waits is told when a flush could not be done. */
export function rejectAll(wishes: readonly QueuedWish[], error: unknown): void {
  for (const wish of wishes) {
    if (!wish.isSettled) wish.reject(wish.inDoubt ? unknown() : error);
  }
}

/** Each of these is a bug, and none of them is of the others' making. */
export function rejectBroken({ broken }: Decided, telemetry: Telemetry, ids: EventIds): void {
  for (const [wish, error] of broken) {
    const { kind: command } = wish.wish.command;
    telemetry.emit({ kind: 'command.broken', command, reason: reasonOf(error), ids });
    wish.reject(error);
  }
}

export function troubleOf(error: unknown): Trouble {
  if (error instanceof UnknownFormat) return 'fault';
  if (!(error instanceof OperatingError)) return 'fault';
  return error.code === 'overloaded' ? 'overloaded' : 'unavailable';
}

export function refusalOf(trouble: Trouble, cause: unknown): OperatingError {
  const code = trouble === 'conflict' ? 'event_busy' : trouble;
  return new OperatingError(code, reasonOf(cause), { retryable: true, cause });
}

export function busy(message: string): OperatingError {
  return new OperatingError('event_busy', message, { retryable: true });
}

export function unknown(): OperatingError {
  const message = 'we could not learn how this ended; ask again with the same key';
  return new OperatingError('outcome_unknown', message, { retryable: true });
}
