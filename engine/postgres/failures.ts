import pg from 'pg';
import { OperatingError, reasonOf } from '#kit';

/** What a failed call to Postgres means for the one who made it. */
export type Failure =
  /** Somebody else was there at the same moment: try again soon. */
  | 'conflict'
  /** The server is gone, starting or full: try again later. */
  | 'unavailable'
  /** A statement was stopped by its own time limit: trying again would only add load. */
  | 'too_slow'
  /** The statement itself is at fault: trying again cannot help. */
  | 'final';

const FAILURE_BY_STATE: Readonly<Record<string, Failure>> = {
  '40001': 'conflict', // serialization_failure
  '40P01': 'conflict', // deadlock_detected
  '55P03': 'conflict', // lock_not_available, also lock_timeout
  '53300': 'unavailable', // too_many_connections
  '53400': 'unavailable', // configuration_limit_exceeded
  '57P01': 'unavailable', // admin_shutdown
  '57P02': 'unavailable', // crash_shutdown
  '57P03': 'unavailable', // cannot_connect_now: starting up or recovering
  '57P05': 'unavailable', // idle_session_timeout
  '25P03': 'too_slow', // idle_in_transaction_session_timeout
  '25P04': 'too_slow', // transaction_timeout
  '57014': 'too_slow', // query_canceled, also statement_timeout
};

const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT', // the unix socket is not there (yet)
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** node-postgres reports a broken connection only by its words. */
const LOST_CONNECTION =
  /connection terminated|connection error|client was closed|read timeout|timeout exceeded when/i;

export function stateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

export function classify(error: unknown): Failure {
  const state = stateOf(error);
  if (state !== undefined) {
    const known = FAILURE_BY_STATE[state];
    // 08: the connection; 28: we may not log in, which is the operator's to repair.
    return known ?? (/^(08|28)/.test(state) ? 'unavailable' : 'final');
  }
  return isLostConnection(error) ? 'unavailable' : 'final';
}

export function isLostConnection(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isLostConnection);
  if (!(error instanceof Error)) return false;
  if ('code' in error && SOCKET_CODES.has(String(error.code))) return true;
  return LOST_CONNECTION.test(error.message);
}

/** After these the session is gone, and with it any answer to what was already on the wire. */
const SESSION_GONE = /^(08|57P|53300|25P03|25P04|XX)/;

/**
 * What a write of the WAL fails by. At COMMIT that is a PANIC with the code of its cause (disk
 * full, out of memory, I/O), and the record may have been written before.
 */
const FAILED_WAL_WRITE = /^(53|58)/;

/**
 * The transaction certainly did not commit: the server said so and lived on. Judged by the code,
 * for the word (ERROR, FATAL, PANIC) comes in the server's own language.
 */
export function isCertainlyRolledBack(error: unknown): boolean {
  const state = stateOf(error);
  return state !== undefined && !SESSION_GONE.test(state) && !FAILED_WAL_WRITE.test(state);
}

/**
 * Turns what machines do into an operating error; bugs and constraint violations pass unchanged.
 */
export function toOperatingError(error: unknown): unknown {
  if (error instanceof OperatingError) return error;
  const failure = classify(error);
  if (failure === 'final') return error;
  const code = failure === 'conflict' ? 'event_busy' : 'unavailable';
  const retryable = failure !== 'too_slow';
  return new OperatingError(code, `postgres: ${reasonOf(error)}`, { retryable, cause: error });
}
