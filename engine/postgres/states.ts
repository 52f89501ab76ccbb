/** What a failed call to Postgres means for its caller. */
export type Failure =
  /** Another transaction was there at the same moment: try again soon. */
  | 'conflict'
  /** The server is gone, starting, full or read-only: try again later. */
  | 'unavailable'
  /** A statement was stopped by its own time limit: trying again would only add load. */
  | 'too_slow'
  /** The statement itself is at fault: trying again cannot help. */
  | 'final';

/** Why the server is not available: a label of metrics, and the key to plain words. */
export type Reason =
  | 'connection'
  | 'session'
  | 'login'
  | 'database'
  | 'read_only'
  | 'disk_full'
  | 'memory'
  | 'connections'
  | 'limit'
  | 'shutdown'
  | 'io'
  | 'configuration'
  | 'corrupt'
  | 'unknown';

export type StateRule = Readonly<{
  failure: Failure;
  reason?: Reason;
  /** This connection can only fail again: it is closed, and the next call gets another one. */
  drops?: true;
}>;

const FINAL: StateRule = { failure: 'final' };
const CONFLICT: StateRule = { failure: 'conflict' };
const TOO_SLOW: StateRule = { failure: 'too_slow' };
const keeps = (reason: Reason): StateRule => ({ failure: 'unavailable', reason });
const drops = (reason: Reason): StateRule => ({ failure: 'unavailable', reason, drops: true });

/**
 * A class that neither the manual nor this table has: a pooler's, an extension's, a newer
 * server's. It is taken for a fault of the machine, and its connection is not used again.
 */
const UNKNOWN = drops('unknown');

/** Every class of appendix A of the Postgres manual, and our own. */
export const BY_CLASS: Readonly<Record<string, StateRule>> = {
  // Success, warnings and "no data" are no errors; as an error they make no sense.
  '00': UNKNOWN,
  '01': UNKNOWN,
  '02': UNKNOWN,
  '03': FINAL, // SQL statement not yet complete
  '08': drops('connection'),
  '09': FINAL, // triggered action
  '0A': FINAL, // feature not supported
  '0B': drops('session'), // invalid transaction initiation: the session is in another state
  '0F': FINAL, // locator
  '0L': FINAL, // invalid grantor
  '0P': FINAL, // invalid role specification
  '0Z': FINAL, // diagnostics
  '10': FINAL, // XQuery
  '20': FINAL, // case not found
  '21': FINAL, // cardinality
  // Data and constraints are the statement's own fault: the writer looks for the one command.
  '22': FINAL,
  '23': FINAL,
  '24': FINAL, // cursor state
  '25': drops('session'), // invalid transaction state
  '26': drops('session'), // a prepared statement that this session has never heard of
  '27': FINAL, // triggered data change
  '28': drops('login'),
  '2B': FINAL, // dependent privileges
  '2D': drops('session'), // invalid transaction termination
  '2F': FINAL, // SQL routine
  '34': FINAL, // cursor name
  '38': FINAL, // external routine
  '39': FINAL, // external routine invocation
  '3B': FINAL, // savepoint
  '3D': drops('database'), // no such database: dropped, renamed or being restored
  '3F': FINAL, // schema name
  '40': CONFLICT, // transaction rollback
  '42': FINAL, // syntax, names, rights
  '44': FINAL, // with check option
  '53': keeps('limit'), // insufficient resources
  '54': FINAL, // statement too complex
  '55': keeps('limit'), // object not in the state for it
  '57': drops('shutdown'), // operator intervention
  '58': drops('io'), // system error
  '72': CONFLICT, // snapshot too old
  F0: drops('configuration'), // configuration file
  HV: FINAL, // foreign data wrapper
  P0: FINAL, // raised by a function, which refuses these values and would again
  VG: FINAL, // raised by functions of ours: their guards
  XX: drops('corrupt'), // internal error, data or index corrupted
};

/** Where a state is not as its class. */
export const BY_STATE: Readonly<Record<string, StateRule>> = {
  '25006': drops('read_only'), // read_only_sql_transaction: a standby, or writing is off
  '25P02': FINAL, // in_failed_sql_transaction: another error came first and says why
  '25P03': { failure: 'too_slow', drops: true }, // idle_in_transaction_session_timeout
  '25P04': { failure: 'too_slow', drops: true }, // transaction_timeout
  '40002': FINAL, // transaction_integrity_constraint_violation
  '40003': drops('connection'), // statement_completion_unknown
  '42P05': drops('session'), // duplicate_prepared_statement: the session is another client's too
  '53100': keeps('disk_full'),
  '53200': drops('memory'), // what this session has gathered is given back by its end
  '53300': drops('connections'),
  '54000': keeps('limit'), // program_limit_exceeded: also "to avoid wraparound data loss"
  '55P03': CONFLICT, // lock_not_available, also lock_timeout
  '57014': TOO_SLOW, // query_canceled, also statement_timeout
};

export function ruleOf(state: string): StateRule {
  return BY_STATE[state] ?? BY_CLASS[state.slice(0, 2)] ?? UNKNOWN;
}

/** The sentence continues "postgres: ", for /health/ready and the log. */
export const WORDS: Readonly<Record<Reason, string>> = {
  connection: 'down',
  session: 'gave this session to others (a transaction pooler in between?)',
  login: 'does not let this node log in',
  database: 'has no such database',
  read_only: 'is read-only (a standby, or default_transaction_read_only is on)',
  disk_full: 'cannot write: its disk is full',
  memory: 'has no memory left',
  connections: 'has no connection left',
  limit: 'has reached a limit of its own; its log says which',
  shutdown: 'is starting or shutting down',
  io: 'cannot read or write its files',
  configuration: 'has an error in its configuration files',
  corrupt: 'reports an internal error or corrupted data; its log says more',
  unknown: 'refuses with an error of an unknown class',
};
