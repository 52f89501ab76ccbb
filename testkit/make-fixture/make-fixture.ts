/**
 * Makes the fixture of a release: `npm run fixture -- 0.2.0`. It starts services and a node of the
 * working tree, lets people use it as the story says, and writes down the database and every
 * statement that the node sent. Nothing else makes fixtures; once released, one is never made
 * again.
 */
import { parseArgs } from 'node:util';
import { reasonOf, systemClock, systemRandom } from '@voelgoed/engine/kit';
import { Postgres, servingUrls, withClient } from '@voelgoed/engine/postgres';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import { startNode } from '@voelgoed/server/processes';
import {
  dumpTables,
  type EventState,
  type FixtureFacts,
  migrationsOf,
  writeFixture,
} from '#fixtures';
import { aReceiver } from '#receivers';
import { testConfig } from '#servers';
import { startTestServices, stopWhenInterrupted, type TestServices } from '#services';
import { PAYMENT_SECRET } from '#shows';
import { knownStatements } from './known-statements.ts';
import { LOG_STATEMENTS } from './sent-statements.ts';
import { playStory } from './story.ts';

const { positionals } = parseArgs({ allowPositionals: true });

async function main(): Promise<void> {
  const [version = ''] = positionals;
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('npm run fixture -- 0.2.0');
  const { stop, ...services } = await startTestServices(LOG_STATEMENTS);
  stopWhenInterrupted(stop);
  try {
    const facts = await withNode(services, playStory);
    await write(version, services, facts);
  } finally {
    await stop();
  }
}

async function withNode<Result>(
  { ownerUrl, authSecret }: TestServices,
  work: (setting: Parameters<typeof playStory>[0]) => Promise<Result>,
): Promise<Result> {
  const config = testConfig({
    DEMO: '0',
    PAYMENT_WEBHOOK_SECRET: PAYMENT_SECRET,
    PAYMENT_PROVIDERS: 'bank',
    ALLOW_INTERNAL_ADDRESSES: '1',
  });
  const node = await startNode({ config, ownerUrl, authSecret, redisUrl: null });
  const postgres = new Postgres({
    ...servingUrls(ownerUrl, authSecret),
    ...{ clock: systemClock, random: systemRandom, telemetry: silentTelemetry },
  });
  const receiver = await aReceiver();
  try {
    return await work({ address: node.address, postgres, authSecret, hook: receiver.url });
  } finally {
    await postgres.close();
    await node.stop();
    await receiver.close();
  }
}

async function write(version: string, services: TestServices, facts: FixtureFacts): Promise<void> {
  const { ownerUrl, authSecret, folder, template } = services;
  const url = new URL(services.superuserUrl);
  url.pathname = `/${template}`;
  const tables = await dumpTables(url.href);
  const events = await withClient(url.href, (client) => client.query<EventState>(EVENTS));
  const { appUrl, jobsUrl, writerUrl } = servingUrls(ownerUrl, authSecret);
  const urls = { voelgoed_app: appUrl, voelgoed_jobs: jobsUrl, voelgoed_writer: writerUrl };
  const organizationId = facts.organization_id;
  const statements = await knownStatements({ folder, urls, organizationId });
  const header = {
    version,
    auth_secret: authSecret,
    migrations: await migrationsOf(ownerUrl),
    events: events.rows,
    facts,
    statements,
  };
  const bytes = await writeFixture({ header, tables });
  const rows = tables.reduce((sum, table) => sum + table.rows.length, 0);
  const empty = tables.filter((table) => table.rows.length === 0).map(({ name }) => name);
  console.log(
    `${version}: ${rows} rows of ${tables.length} tables, ${events.rows.length} events, ` +
      `${statements.length} statements, ${bytes} bytes`,
  );
  if (empty.length > 0) console.log(`empty: ${empty.join(', ')}`);
}

const EVENTS = `
select e.organization_id, e.event_id, e.status, b.revision::int,
  encode(b.lineage_head, 'hex') as hash,
  (select count(*)::int from tickets t where t.organization_id = e.organization_id
    and t.event_id = e.event_id and t.status = 'active') as tickets,
  (select count(*)::int from refunds_due r where r.organization_id = e.organization_id
    and r.event_id = e.event_id and r.status = 'due') as refunds_due
from events e left join event_boards b using (organization_id, event_id)
order by e.organization_id, e.event_id`;

main()
  .catch((error: unknown) => {
    console.error(reasonOf(error));
    process.exitCode = 1;
  })
  // The workshop's thread and the channel to the wrapper would keep this process alive.
  .finally(() => process.exit());
