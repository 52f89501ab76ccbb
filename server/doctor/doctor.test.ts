import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock, systemRandom } from '@voelgoed/engine/kit';
import { ensureLogins, withClient } from '@voelgoed/engine/postgres';
import { useDatabase } from '@voelgoed/testkit/database';
import { useRedis } from '@voelgoed/testkit/redises';
import { testConfig } from '@voelgoed/testkit/servers';
import { aTestFolder, testServices } from '@voelgoed/testkit/services';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Config } from '#config';
import { examine, type Finding, type Patient } from './doctor.ts';

const SECRET = 'q7Zk-3vXw9_LmN2pRt5Yb8Cd1Fh4Gj6S';
const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgresql://owner@localhost/voelgoed',
  AUTH_SECRET: SECRET,
  PAYMENT_WEBHOOK_SECRET: SECRET,
};

type Planted = Omit<Partial<Patient>, 'config'> & { env?: Record<string, string | undefined> };

const TOOLS = { clock: systemClock, node: process.versions.node };

/** A clock that is wrong by so much. */
function later(by_ms: number): typeof systemClock {
  return { ...systemClock, now: () => systemClock.now() + by_ms };
}

function without(environment: Record<string, string | undefined>): Record<string, string> {
  const said = Object.entries(environment).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said) as Record<string, string>;
}

/** The Postgres of a test run does not wait for the disk. */
function notTheTests({ topic }: Finding): boolean {
  return topic !== 'fsync' && topic !== 'full_page_writes';
}

function problemsIn(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ ok, topic }) => (ok ? [] : [topic]));
}

const TOPICS = ['node', 'permissions', 'postgres', 'policies', 'indexes', 'clocks', 'redis role'];

const FORCE = 'alter table venues force row level security';
const ENABLE = 'alter table venues enable row level security';
const NO_POLICY = 'drop policy open on venues';
const FIXED = 'alter function lookup_due_events set search_path = pg_catalog, public, pg_temp';
const onDatabase = (right: string) =>
  `do $$ begin execute format('${right}', current_database()); end $$`;
const TEMPORARY = [
  onDatabase('grant temporary on database %I to voelgoed_jobs'),
  onDatabase('revoke temporary on database %I from voelgoed_jobs'),
] as const;
const NO_DELETE = 'revoke delete on audit_log from voelgoed_app';
const NO_UPDATE = 'revoke update on seat_changes from voelgoed_jobs';
const INDEX = 'create index audit_context_user on audit_context (organization_id, user_id)';
const UNAPPLY = `delete from schema_migrations where name = '0012_webhooks'`;
const APPLY = `insert into schema_migrations (name, run_on) values ('0012_webhooks', now())`;

describe('the doctor', () => {
  const database = useDatabase();
  const redis = useRedis();

  // As every start does.
  beforeAll(() => {
    const options = { random: systemRandom, mayReset: false };
    return ensureLogins(database.ownerUrl, testServices().authSecret, options);
  });

  const patient = (differently: Partial<Patient> = {}): Patient => ({
    config: testConfig({ DATA_DIR: 'nowhere' }),
    ownerUrl: database.ownerUrl,
    appUrl: database.appUrl,
    jobsUrl: database.jobsUrl,
    writerUrl: database.writerUrl,
    authSecret: SECRET,
    redisUrl: null,
    ...differently,
  });
  const config = (environment: Record<string, string>): { config: Config } => ({
    config: testConfig({ ...PRODUCTION, ...environment }),
  });
  const look = async (differently: Partial<Patient> = {}, tools = TOOLS) =>
    (await examine(patient(differently), tools)).filter(notTheTests);

  it('finds nothing in an installation that is in order', async () => {
    const findings = await look({ redisUrl: redis().url });
    expect(findings.filter(({ ok }) => !ok)).toEqual([]);
    expect(findings.map(({ topic }) => topic)).toEqual(expect.arrayContaining(TOPICS));
  });

  it.each([
    ['an old Node', 'node', {}, { ...TOOLS, node: '22.1.0' }],
    ['a secret that was typed', 'auth secret', { authSecret: 'a'.repeat(40) }],
    ['the demo in production', 'configuration', { env: { DEMO: '1' } }],
    ['no payment secret', 'configuration', { env: { PAYMENT_WEBHOOK_SECRET: undefined } }],
    ['every origin', 'configuration', { env: { CORS_ORIGINS: '*' } }],
    ['addresses of the own network', 'configuration', { env: { ALLOW_INTERNAL_ADDRESSES: '1' } }],
    ['an embedded database', 'configuration', { env: { DATABASE_URL: undefined } }],
    ['a balancer that is not trusted', 'configuration', { env: { HOST: '0.0.0.0' } }],
    ['no Postgres', 'postgres', { ownerUrl: 'postgresql://a:b@127.0.0.1:1/voelgoed' }],
    ['a Redis that is not there', 'redis', { redisUrl: 'redis://127.0.0.1:1' }],
    ['clocks ten minutes apart', 'clocks', {}, { ...TOOLS, clock: later(600_000) }],
    ['a clock that is behind', 'clocks', {}, { ...TOOLS, clock: later(-5_000) }],
  ] as [string, string, Planted, typeof TOOLS?][])(
    'finds %s',
    async (_, topic, planted, tools = TOOLS) => {
      const { env, ...differently } = planted;
      const set = env ? { config: testConfig(without({ ...PRODUCTION, ...env })) } : {};
      expect(problemsIn(await look({ ...differently, ...set }, tools))).toEqual([topic]);
    },
  );

  it.each([
    ['row level security', 'alter table venues no force row level security', FORCE],
    ['row level security', 'alter table venues disable row level security', ENABLE],
    ['policies', 'create policy open on venues for select using (true)', NO_POLICY],
    ['functions', 'alter function lookup_due_events reset search_path', FIXED],
    ['temporary tables', ...TEMPORARY],
    ['history', 'grant delete on audit_log to voelgoed_app', NO_DELETE],
    ['history', 'grant update on seat_changes to voelgoed_jobs', NO_UPDATE],
    ['indexes', 'drop index audit_context_user', INDEX],
    ['migrations', UNAPPLY, APPLY],
  ])('finds a flaw of the schema: %s: %s', async (topic, plant, mend) => {
    await database.asSuperuser(plant);
    try {
      expect(problemsIn(await look())).toEqual([topic]);
    } finally {
      await database.asSuperuser(mend);
    }
    expect(problemsIn(await look())).toEqual([]);
  });

  it.each([
    ['synchronous_commit', 'off'],
    ['default_transaction_isolation', `'serializable'`],
    ['default_transaction_read_only', 'on'],
    ['idle_session_timeout', '60000'],
    ['transaction_timeout', '1000'],
    ['row_security', 'off'],
  ])('finds a setting of the database: %s = %s', async (name, value) => {
    await database.asSuperuser(`alter database ${database.name} set ${name} = ${value}`);
    try {
      expect(problemsIn(await look())).toEqual([name]);
    } finally {
      // From another database: in this one nothing may be written meanwhile.
      const reset = `alter database ${database.name} reset ${name}`;
      await withClient(testServices().superuserUrl, (client) => client.query(reset));
    }
  });

  it('finds a role that must not serve', async () => {
    const found = await look({ appUrl: database.superuserUrl });
    expect(problemsIn(found)).toContain('serving roles');
  });

  it('finds an index that is not valid', async () => {
    const set = (valid: boolean) =>
      database.asSuperuser(
        `update pg_index set indisvalid = ${valid}
         where indexrelid = 'audit_context_user'::regclass`,
      );
    await set(false);
    try {
      expect(problemsIn(await look())).toEqual(['indexes']);
    } finally {
      await set(true);
    }
  });

  it('finds a secret on disk that others can read', async () => {
    const DATA_DIR = await aTestFolder('doctor');
    await mkdir(DATA_DIR, { recursive: true });
    const file = join(DATA_DIR, 'auth-secret');
    await writeFile(file, SECRET, { mode: 0o600 });
    const set = { config: testConfig({ DATA_DIR }) };
    expect(problemsIn(await look(set))).toEqual([]);
    await chmod(file, 0o644);
    expect(problemsIn(await look(set))).toEqual(['permissions']);
  });

  it.each([
    ['maxmemory-policy', 'allkeys-lru', 'noeviction'],
    ['redis timeout', '30', '0'],
    ['redis memory', '1', '0'],
  ])('finds a setting of Redis: %s', async (topic, wrong, right) => {
    const server = redis();
    const name = topic === 'redis memory' ? 'maxmemory' : topic.replace('redis ', '');
    await server.command('config', 'set', name, wrong);
    try {
      expect(problemsIn(await look({ redisUrl: server.url }))).toEqual([topic]);
    } finally {
      await server.command('config', 'set', name, right);
    }
  });

  it('finds a Redis that is a replica, and one without a password in production', async () => {
    const server = redis();
    await server.command('replicaof', '127.0.0.1', '1');
    try {
      expect(problemsIn(await look({ redisUrl: server.url }))).toEqual(['redis role']);
    } finally {
      await server.command('replicaof', 'no', 'one');
    }
    const open = await look({ redisUrl: server.url, ...config({}) });
    expect(problemsIn(open)).toEqual(['redis password']);
  });

  it('says what to do about everything that it finds', async () => {
    const all = await examine(patient({ ...config({ DEMO: '1' }), appUrl: database.superuserUrl }));
    for (const { ok, advice } of all.filter(notTheTests)) {
      if (!ok) expect(advice).toMatch(/\w/);
    }
  });
});
