import { type DatabaseReport, type Pooling, SHARED_SENTENCE } from '@voelgoed/engine/postgres';
import { clockFinding, type Finding, finding } from './finding.ts';

const POSTGRES_MAJOR = 15;
/** Three nodes with 25 connections each, listeners and somebody with psql. */
const CONNECTIONS = 90;
const CLOCK_MS = 2_000;
/** A dump takes longer; then this is to be expected, and still worth knowing during a sale. */
const SNAPSHOT_S = 300;
/** The longest that a migration or an archive may take. */
const TRANSACTION_MS = 60_000;

export function databaseFindings(report: DatabaseReport, expected: readonly string[]): Finding[] {
  return [
    ...serverFindings(report),
    ...separationFindings(report),
    indexFinding(report, expected),
    ...report.settings.map(({ name, value }) => settingFinding(name, value)),
    clockFinding('Postgres', clockOf(report), CLOCK_MS),
    driftFinding(report),
    oldNodesFinding(report),
    ...trafficFindings(report),
  ];
}

function serverFindings({ version, encoding, pending }: DatabaseReport): Finding[] {
  const major = Number.parseInt(version, 10);
  return [
    finding(
      'postgres',
      major >= POSTGRES_MAJOR,
      version,
      `Use Postgres ${POSTGRES_MAJOR} or newer.`,
    ),
    finding('encoding', encoding === 'UTF8', encoding, 'Make the database anew with UTF8.'),
    list('migrations', pending, 'all applied', 'Run: npm run cli -- migrate'),
  ];
}

function separationFindings(report: DatabaseReport): Finding[] {
  const grants = 'Take the right away; db/schema.sql has what is granted.';
  return [
    list(
      'serving roles',
      report.roleProblems,
      'own nothing and bypass nothing',
      'The server refuses to serve as such a role; see docs/operate.md, "Database roles".',
    ),
    list('history', report.historyRights, 'can be added to and not changed', grants),
    list(
      'row level security',
      report.unprotected,
      'forced on every tenant table',
      'alter table … enable row level security; alter table … force row level security',
    ),
    list(
      'policies',
      report.loosePolicies,
      'every one asks for the organization',
      'Drop the policy: it shows rows of all organizations.',
    ),
    list(
      'backups',
      report.notBackedUp,
      'voelgoed_backup reads every table',
      'It needs the right to read and the policy that the others have: see db/schema.sql.',
    ),
    list(
      'organizations',
      report.unsigned.map((role) => `${role} need not sign`),
      'are signed by the node for every transaction',
      'When no node of 0.1.0 runs any more: npm run cli -- migrate --organizations signed',
    ),
    list(
      'functions',
      report.openFunctions,
      'those of other roles have a fixed search path',
      'alter function … set search_path = pg_catalog, public, pg_temp',
    ),
    list(
      'temporary tables',
      report.tableMakers.map((role) => `${role} may make them`),
      'no serving role may make them',
      'As the owner of the database: revoke temporary on database … from public',
    ),
  ];
}

function indexFinding({ indexes }: DatabaseReport, expected: readonly string[]): Finding {
  const there = new Set(indexes.map(({ name }) => name));
  const wrong = [
    ...expected.filter((name) => !there.has(name)).map((name) => `${name} is missing`),
    ...indexes.filter(({ valid }) => !valid).map(({ name }) => `${name} is not valid`),
  ];
  const advice = 'db/schema.sql has its definition; create index concurrently, or reindex.';
  return list('indexes', wrong, `all ${expected.length} are there`, advice);
}

const DURABLE = ['on', 'remote_apply', 'remote_write'];

type Rule = Readonly<{ isRight(value: string): boolean; advice: string }>;

const RULES: Readonly<Record<string, Rule>> = {
  fsync: durable('what was acknowledged could be lost'),
  full_page_writes: durable('a page could be torn'),
  synchronous_commit: durable('the last acknowledged holds could be lost'),
  row_security: durable('queries would fail instead of being filtered'),
  autovacuum: durable('dead rows pile up and one event’s commits become slow'),
  default_transaction_isolation: {
    isRight: (value) => value === 'read committed',
    advice: 'alter database … reset default_transaction_isolation',
  },
  default_transaction_read_only: {
    isRight: (value) => value === 'off',
    advice: 'This is a standby, or somebody has switched writing off.',
  },
  idle_session_timeout: {
    isRight: (value) => value === '0',
    advice: 'Set it to 0: connections of the pools and the listener are idle at night.',
  },
  transaction_timeout: {
    isRight: (value) => value === '0' || Number(value) >= TRANSACTION_MS,
    advice: `Set it to 0 or at least ${TRANSACTION_MS} ms; nodes have limits of their own.`,
  },
};

function durable(otherwise: string): Rule {
  return { isRight: (value) => DURABLE.includes(value), advice: `Set it to on: ${otherwise}.` };
}

function settingFinding(name: string, value: string): Finding {
  const rule = RULES[name];
  return finding(name, rule?.isRight(value) ?? true, value, rule?.advice);
}

function clockOf({ clock: { database_ms, ...rest } }: DatabaseReport) {
  return { theirs_ms: database_ms, ...rest };
}

/** Less is the time between two readings of the clock. */
const DRIFT_MS = 1_000;

function driftFinding({ drift_ms }: DatabaseReport): Finding {
  const apart = `${(Math.abs(drift_ms) / 1_000).toFixed(1)} s`;
  const side = drift_ms > 0 ? 'behind' : 'ahead of';
  return finding(
    'event time',
    Math.abs(drift_ms) <= DRIFT_MS,
    Math.abs(drift_ms) <= DRIFT_MS ? 'is the time of Postgres' : `${apart} ${side} Postgres`,
    'The clock of Postgres was set. When it is right: npm run cli -- clock slew, or clock remove.',
  );
}

/** Nodes of 0.1.0 know no drift: they write and judge holds by the clock of the database. */
function oldNodesFinding({ drift_ms, oldWriters }: DatabaseReport): Finding {
  const old = oldWriters.join(', ');
  return finding(
    'event time of 0.1.0',
    Math.abs(drift_ms) <= DRIFT_MS || oldWriters.length === 0,
    old === '' ? 'no node of 0.1.0 is writing' : `nodes of 0.1.0 write, from ${old}`,
    'They ignore the drift of event time and end holds early or late: stop them or upgrade them.',
  );
}

const SESSIONS: Readonly<Record<Pooling, string>> = {
  direct: 'every connection has a server process of its own',
  session: 'through a pooler in session mode, which is right',
  shared: 'a pooler gives them to others after each transaction',
};

function trafficFindings(report: DatabaseReport): Finding[] {
  const { most, used } = report.connections;
  const { oldestSnapshot_s } = report;
  return [
    finding(
      'connections',
      most >= CONNECTIONS && used < most * 0.9,
      `${used} of ${most} are used`,
      'A node opens 25 and two listeners: raise max_connections, or run fewer nodes.',
    ),
    finding('sessions', report.pooling !== 'shared', SESSIONS[report.pooling], SHARED_SENTENCE),
    finding(
      'oldest snapshot',
      oldestSnapshot_s < SNAPSHOT_S,
      `${oldestSnapshot_s} s`,
      'Find it in pg_stat_activity (backend_xmin) and end it: commits become slower by the second.',
    ),
  ];
}

function list(topic: string, wrong: readonly string[], none: string, advice: string): Finding {
  return finding(topic, wrong.length === 0, wrong.join(', ') || none, advice);
}
