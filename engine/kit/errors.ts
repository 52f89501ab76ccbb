/**
 * Three kinds of no: an outcome is returned (users cause it), an operating error is thrown with a
 * code (machines cause it), an assert stops a bug. This file has the last two.
 */

/** What a machine did to us. `retryable` says whether the same call may succeed a moment later. */
export class OperatingError extends Error {
  override readonly name = 'OperatingError';
  readonly code: string;
  readonly retryable: boolean;

  constructor(code: string, message: string, options: { retryable: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable;
  }
}

export function isOperatingError(error: unknown): error is OperatingError {
  return error instanceof OperatingError;
}

/** Stops a bug where it is, instead of letting it write something. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}

/** A sentence for a log or a terminal, whatever was thrown. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (error instanceof Error) return error.message || error.name;
  return String(error);
}
