/**
 * The demo, loaded once for all test files of a run: its halls have 22,000 seats, and drawing and
 * publishing them takes seconds for every node that starts on an empty database. The first file
 * that asks makes a template; each file gets a clone of it.
 */
import { withClient } from '@voelgoed/engine/postgres';
import { loadDemo } from '@voelgoed/server/demo';
import { afterAll, beforeAll } from 'vitest';
import { anEngine } from '#builders';
import { openDatabase, type TestDatabase, useDatabase } from '#database';
import { startCluster, startRedisServer } from '#redises';
import { testServices } from '#services';

const TEMPLATE = 'voelgoed_demo';
/** Any number: test files of one run wait for each other by it. */
const LOCK = 7_311_845;

/**
 * A database of its own for a test file, with the demo in it, and a Redis of its own: events of all
 * clones have the same ids, so nodes on two clones would overwrite each other's holds in one Redis.
 */
export function useDemoDatabase(): TestDatabase {
  let redis: { readonly url: string; stop(): Promise<void> } | undefined;
  beforeAll(async () => {
    redis = await startOwnRedis();
  });
  afterAll(() => redis?.stop());
  return useDatabase({ template: demoTemplate, redisUrl: () => redis?.url ?? '' });
}

/** Of the same kind as the run's: several addresses are a cluster. */
function startOwnRedis() {
  const isCluster = testServices().redisUrl.includes(',');
  return isCluster ? startCluster() : startRedisServer();
}

async function demoTemplate(): Promise<string> {
  await withClient(testServices().superuserUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    const made = await client.query('select from pg_database where datname = $1', [TEMPLATE]);
    if (made.rowCount === 0) await makeTemplate((from, to) => rename(client, from, to));
    await client.query('select pg_advisory_unlock($1)', [LOCK]);
  });
  return TEMPLATE;
}

/** Under another name until it is whole: a run that failed in between makes it anew. */
async function makeTemplate(rename: (from: string, to: string) => Promise<unknown>): Promise<void> {
  const { name, postgres, close } = await openDatabase();
  const engine = anEngine(postgres);
  await loadDemo(engine);
  await engine.registry.stop();
  await close();
  await rename(name, TEMPLATE);
}

function rename(
  client: { query(text: string): Promise<unknown> },
  from: string,
  to: string,
): Promise<unknown> {
  return client.query(`alter database ${from} rename to ${to}`);
}
