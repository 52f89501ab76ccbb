import { systemClock, systemRandom } from '@voelgoed/engine/kit';
import { inspectDatabase, Postgres, statement } from '@voelgoed/engine/postgres';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import { anOrganization } from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { type Pooler, type PoolMode, startPgBouncer } from '@voelgoed/testkit/poolers';
import { startProcess, testConfig } from '@voelgoed/testkit/servers';
import { testServices } from '@voelgoed/testkit/services';
import { afterEach, describe, expect, it } from 'vitest';
import { examine } from '#doctor';
import { startNode } from './node.ts';

const database = useDatabase();
const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function aPooler(mode: PoolMode, settings: Record<string, string> = {}): Promise<Pooler> {
  const { ownerUrl, appUrl, jobsUrl, writerUrl } = database;
  const urls = [ownerUrl, appUrl, jobsUrl, writerUrl];
  const pooler = await startPgBouncer(mode, urls, settings);
  undo.push(() => pooler.stop());
  return pooler;
}

const nodeBehind = (pooler: Pooler) => ({
  config: testConfig({ DEMO: '0' }),
  ownerUrl: pooler.through(database.ownerUrl),
  authSecret: testServices().authSecret,
  redisUrl: null,
});

const names = statement<{ name: string }>('test.names', 'select name from organizations');
const limit = statement<{ value: string }>(
  'test.limit',
  `select current_setting('statement_timeout') as value`,
);

describe('PgBouncer in session mode, as it is delivered', () => {
  it('carries a node: it is ready, and hears what others notify', async () => {
    const node = await startNode(nodeBehind(await aPooler('session')));
    undo.push(() => node.stop());
    await eventually(async () => (await fetch(`${node.address}/health/ready`)).status === 200);
    const listening = `select 1 from pg_stat_activity
      where datname = current_database() and query ilike '%transaction_read_only%'
        and application_name = 'voelgoed listener'`;
    await eventually(async () => (await database.asSuperuser(listening)).length > 0);
  });

  it('has the limits of every connection, and many at once', async () => {
    const pooler = await aPooler('session');
    const tools = { clock: systemClock, random: systemRandom, telemetry: silentTelemetry };
    const urls = {
      appUrl: pooler.through(database.appUrl),
      jobsUrl: pooler.through(database.jobsUrl),
      writerUrl: pooler.through(database.writerUrl),
    };
    const postgres = new Postgres({ ...tools, ...urls });
    undo.push(() => postgres.close());
    const scope = await anOrganization(postgres, { name: 'Pooled' });
    const ask = () =>
      postgres.transaction(scope, { name: 'test' }, async (one) => [
        ...(await one.query(names())),
        ...(await one.query(limit())),
      ]);
    const answers = await Promise.all(Array.from({ length: 10 }, ask));
    for (const answer of answers) expect(answer).toEqual([{ name: 'Pooled' }, { value: '2s' }]);
  });

  it('is right to the doctor', async () => {
    const pooler = await aPooler('session');
    const { ownerUrl, appUrl, jobsUrl } = database;
    const through = [ownerUrl, appUrl, jobsUrl].map((url) => pooler.through(url));
    const report = await inspectDatabase(through[0] ?? '', through.slice(1), systemClock.now);
    expect(report.pooling).toBe('session');
  });
});

const SENTENCE = /pooler that gives a session to other clients.*set pool_mode = session/;

describe.each([
  ['transaction', {}],
  ['transaction', { server_round_robin: '1' }],
  ['transaction', { default_pool_size: '1' }],
  ['transaction', { ignore_startup_parameters: 'statement_timeout,lock_timeout,options' }],
  ['statement', {}],
] as const)('PgBouncer in %s mode with %o', (mode, settings) => {
  it('is refused by a node, with the sentence that helps', async () => {
    const starting = startNode(nodeBehind(await aPooler(mode, settings)));
    await expect(starting).rejects.toThrow(SENTENCE);
  });
});

describe('PgBouncer in transaction mode', () => {
  it('ends the start command before it migrates anything', async () => {
    const pooler = await aPooler('transaction');
    const started = startProcess('server/processes/start.ts', {
      DATABASE_URL: pooler.through(database.ownerUrl),
      AUTH_SECRET: testServices().authSecret,
      REDIS_URL: '',
      PORT: '0',
      DEMO: '0',
    });
    expect(await started.exited).toBe(1);
    expect(started.output()).toMatch(SENTENCE);
    expect(started.output()).not.toContain(new URL(database.ownerUrl).password);
  });

  it('is a problem to the doctor', async () => {
    const pooler = await aPooler('transaction');
    const { ownerUrl, appUrl, jobsUrl, writerUrl } = database;
    const urls = { ownerUrl, appUrl, jobsUrl, writerUrl };
    const through = Object.entries(urls).map(([name, url]) => [name, pooler.through(url)]);
    const { authSecret } = testServices();
    const patient = { config: testConfig(), authSecret, redisUrl: null };
    const pooled = Object.fromEntries(through) as typeof urls;
    const findings = await examine({ ...patient, ...pooled });
    const [sessions] = findings.filter(({ topic }) => topic === 'sessions');
    expect(sessions).toMatchObject({ ok: false });
    expect(sessions?.advice).toMatch(SENTENCE);
  });
});
