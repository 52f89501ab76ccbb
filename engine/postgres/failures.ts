import pg from 'pg';
import { OperatingError, reasonOf } from '#kit';
import { type Failure, type Reason, ruleOf, type StateRule, WORDS } from './states.ts';

export type { Failure, Reason } from './states.ts';

/**
 * A server that let us in and cannot be used: it accepts no writes. Or no server at all, when every
 * host of the address has failed.
 */
export class UnusableServer extends Error {
  override readonly name = 'UnusableServer';
  readonly reason: Reason;

  constructor(reason: Reason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

const SOCKET_CODES = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTCONN'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA'],
  // The unix socket is not there (yet), or this process has no file descriptor left for one.
  ...['ENOENT', 'EMFILE', 'ENFILE', 'ENOBUFS'],
]);
const TLS_CODE = /^(ERR_(SSL|TLS)_|CERT_|EPROTO$|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/;

/** node-postgres reports a broken connection only by its words. */
const LOST_CONNECTION =
  /connection terminated|connection error|not queryable|client was closed|read timeout|timeout e/i;

export function stateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

export function classify(error: unknown): Failure {
  return judge(error).failure;
}

/** This connection can only fail again. */
export function dropsConnection(error: unknown): boolean {
  return judge(error).drops ?? false;
}

/** Why the server is not available; null: it is, and the failure is of another kind. */
export function unavailabilityOf(error: unknown): Reason | null {
  const rule = judge(error instanceof OperatingError ? error.cause : error);
  return rule.failure === 'unavailable' ? (rule.reason ?? 'unknown') : null;
}

/** Plain words for operators, without an address, a password or a value of a row. */
export function wordsOf(error: unknown): string {
  if (error instanceof OperatingError && error.code === 'overloaded') {
    return 'all connections of this node are in use';
  }
  const reason = unavailabilityOf(error);
  return reason === null ? 'down' : WORDS[reason];
}

const LOST: StateRule = { failure: 'unavailable', reason: 'connection', drops: true };
/**
 * After a migration a prepared statement may not return other columns than before: the session
 * says so for ever. The name of the routine is the same in every language, the sentence is not.
 */
const OLD_PLAN: StateRule = { failure: 'conflict', drops: true };
const FINAL: StateRule = { failure: 'final' };

function judge(error: unknown): StateRule {
  if (error instanceof UnusableServer) {
    return { failure: 'unavailable', reason: error.reason, drops: true };
  }
  const state = stateOf(error);
  if (state === undefined) return isLostConnection(error) ? LOST : FINAL;
  if (state === '0A000' && isOldPlan(error)) return OLD_PLAN;
  return ruleOf(state);
}

function isOldPlan(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.routine === 'RevalidateCachedQuery';
}

/** What the operating system or TLS refused, whatever its name, or what broke on the way. */
export function isLostConnection(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isLostConnection);
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (SOCKET_CODES.has(code) || TLS_CODE.test(code)) return true;
  return LOST_CONNECTION.test(error.message);
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
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

/** The session is gone, or nothing is known of it: the connection cannot be used again. */
export function endsSession(error: unknown): boolean {
  const state = stateOf(error);
  return state === undefined || SESSION_GONE.test(state);
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
