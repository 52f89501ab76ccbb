import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ORGANIZATION_CHAIN } from '@voelgoed/engine/audit';
import { systemClock, systemRandom } from '@voelgoed/engine/kit';
import {
  ensureLogins,
  migrate,
  Postgres,
  servingUrls,
  withClient,
} from '@voelgoed/engine/postgres';
import { scopeOf } from '@voelgoed/engine/scope';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import { boardAt, type Engine, verifyAudit } from '@voelgoed/engine/workflows';
import { anEngine } from '@voelgoed/testkit/builders';
import { type Cluster, startCluster } from '@voelgoed/testkit/clusters';
import { eventually } from '@voelgoed/testkit/eventually';
import {
  type EventState,
  fixtureVersions,
  readFixture,
  restoreFixture,
} from '@voelgoed/testkit/fixtures';
import { call, testConfig, tokenFor, untilServed } from '@voelgoed/testkit/servers';
import { aTestFolder, testServices } from '@voelgoed/testkit/services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startNode } from './node.ts';

const [last = ''] = (await fixtureVersions()).slice(-1);
const fixture = await readFixture(last);
const { organization_id, on_sale } = fixture.header.facts;
const onSale = fixture.header.events.filter(({ revision }) => revision !== null);

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let cluster: Cluster;
let environment: Record<string, string>;
beforeAll(async () => {
  cluster = await startCluster();
  const DATABASE_URL = await cluster.database('seating');
  const backup = new URL(DATABASE_URL);
  backup.username = 'voelgoed_backup';
  backup.password = 'of-the-backup';
  environment = {
    DATABASE_URL,
    NEW_URL: await cluster.database('restored'),
    BACKUP_URL: backup.href,
    BACKUP_PASSWORD: backup.password,
    BACKUP_FILE: join(await aTestFolder('dump'), 'seating.dump'),
    AUTH_SECRET: testServices().authSecret,
    REDIS_URL: '',
    PATH: `${cluster.programs}:${process.env.PATH}`,
  };
});
afterAll(() => cluster?.stop());

/** The commands of the page, as an operator copies them. */
async function commandsOf(title: string): Promise<string> {
  const page = await readFile(join(ROOT, 'docs/recover.md'), 'utf8');
  const section = page.split(`\n### ${title}\n`)[1]?.split(/\n#{2,3} /)[0] ?? '';
  const block = /```sh\n([\s\S]*?)```/.exec(section)?.[1];
  if (block === undefined) throw new Error(`docs/recover.md has no commands under "${title}"`);
  return block;
}

const inShell = async (text: string) =>
  run('sh', ['-ec', text], { cwd: ROOT, env: environment, maxBuffer: 2 ** 24 });

async function rows(url: string): Promise<Record<string, number>> {
  return withClient(superuserOf(url), async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
    );
    const counts: Record<string, number> = {};
    for (const { name } of tables) {
      const { rows: found } = await client.query(`select count(*)::int as n from ${name}`);
      counts[name] = found[0]?.n;
    }
    return counts;
  });
}

const superuserOf = (url: string) => {
  const superuser = new URL(cluster.superuserUrl);
  superuser.pathname = new URL(url).pathname;
  return superuser.href;
};

/** As an operator has it: a database with sales, of the last release and upgraded. */
async function restoreAndUpgrade(ownerUrl: string, secret: string): Promise<void> {
  await restoreFixture({ ownerUrl, superuserUrl: superuserOf(ownerUrl) }, fixture);
  await migrate(ownerUrl);
  await ensureLogins(ownerUrl, secret, { random: systemRandom, mayReset: true });
}

async function withEngine<Result>(work: (engine: Engine) => Promise<Result>): Promise<Result> {
  const { NEW_URL = '', AUTH_SECRET = '' } = environment;
  const postgres = new Postgres({
    ...servingUrls(NEW_URL, AUTH_SECRET),
    ...{ clock: systemClock, random: systemRandom, telemetry: silentTelemetry },
  });
  try {
    return await work(anEngine(postgres));
  } finally {
    await postgres.close();
  }
}

/** An event by snapshot and log alone: at which revision and hash, and is it what is stored. */
async function replayed(engine: Engine, { organization_id: its, event_id }: EventState) {
  const past = await boardAt(engine, { scope: scopeOf(its), eventId: event_id }, {});
  const { revision, hash } = 'board' in past ? past.board : {};
  return { event_id, kind: past.kind, revision, hash, matches: 'matches' in past && past.matches };
}

/** Chains with a row that does not follow from the one before it. */
async function brokenChains(engine: Engine): Promise<string[]> {
  const broken: string[] = [];
  let rows = 0;
  for (const { organization_id: its, event_id } of onSale) {
    for (const id of [ORGANIZATION_CHAIN, event_id]) {
      const verdict = await verifyAudit(engine, { scope: scopeOf(its) }, { id });
      if (!verdict?.ok) broken.push(id);
      rows += verdict?.rows ?? 0;
    }
  }
  expect(rows).toBeGreaterThan(100);
  return broken;
}

const cli = (url: string, ...args: string[]) =>
  run('npm', ['run', '-s', 'cli', '--', ...args], {
    cwd: ROOT,
    env: { ...environment, DATABASE_URL: url },
  });

describe('a backup by pg_dump, without any superuser', { timeout: 240_000 }, () => {
  it('has every row, and is restored by the commands of the page', async () => {
    const { DATABASE_URL = '', NEW_URL = '', AUTH_SECRET = '' } = environment;
    await restoreAndUpgrade(DATABASE_URL, AUTH_SECRET);
    await inShell(await commandsOf('Making a dump'));
    await inShell(await commandsOf('Restoring a dump'));
    const before = await rows(DATABASE_URL);
    for (const table of ['tickets', 'refunds_due', 'entries', 'audit_log', 'seat_changes']) {
      expect([table, before[table]]).toEqual([table, expect.toSatisfy((n: number) => n > 0)]);
    }
    expect(await rows(NEW_URL)).toEqual(before);
    const doctor = await cli(NEW_URL, 'doctor').catch((error: { stdout: string }) => error);
    expect(doctor.stdout).toMatch(/^ok +row level security/m);
    expect(doctor.stdout).toMatch(/^ok +policies/m);
    expect(doctor.stdout).toMatch(/^ok +functions/m);
  });

  it('has every event at its revision and hash, and whole audit chains', async () => {
    expect(onSale.length).toBeGreaterThan(2);
    await withEngine(async (engine) => {
      for (const event of onSale) {
        const { event_id, revision, hash } = event;
        const was = { event_id, kind: 'board', revision, hash, matches: true };
        expect(await replayed(engine, event)).toEqual(was);
      }
      expect(await brokenChains(engine)).toEqual([]);
    });
  });

  it('is found whole by the commands of the page, and an altered row is named', async () => {
    const { NEW_URL = '' } = environment;
    const change = (text: string) =>
      withClient(superuserOf(NEW_URL), (client) => client.query(text, [on_sale.event_id]));
    const { rows: named } = await change(
      `select o.slug as organization, e.slug as event from events e join organizations o
       using (organization_id) where e.event_id = $1`,
    );
    const { organization, event } = named[0] ?? {};
    const whole = await cli(NEW_URL, 'verify-audit', organization, '--all');
    expect(whole.stdout).toMatch(/^organization +- +\d+ +whole$/m);
    const { stdout } = await cli(NEW_URL, 'replay', organization, event);
    expect(stdout).toContain('compared with the board that is stored: equal');
    await change(
      `update audit_log set action = 'x' || action where chain_id = $1 and sequence = 3`,
    );
    const broken = cli(NEW_URL, 'verify-audit', organization, '--all');
    await expect(broken).rejects.toMatchObject({
      stdout: expect.stringContaining('BROKEN: row 3'),
    });
  });

  it('is served by a node: a seat is sold on, and its tickets are there', async () => {
    const { NEW_URL = '', AUTH_SECRET = '' } = environment;
    const config = testConfig({ DEMO: '0' });
    const services = { ownerUrl: NEW_URL, authSecret: AUTH_SECRET, redisUrl: null };
    const node = await startNode({ config, ...services });
    try {
      const owner = { token: tokenFor(organization_id) };
      const ann = { token: tokenFor(organization_id, { role: 'customer', subject: 'new buyer' }) };
      await eventually(async () => (await call(node.address, 'GET /health/ready')).status === 200);
      const event = `/api/events/${on_sale.event_id}`;
      const [seat] = on_sale.free_seat_ids;
      const reserve = () => call(node.address, `POST ${event}/seats/${seat}/reserve`, ann);
      // 503 asks to try again, which a busy machine may answer to the first requests of a node.
      const held = (await untilServed(reserve)).at(-1);
      expect(held).toMatchObject({ status: 201 });
      const taken = `POST ${event}/seats/${on_sale.blocked_seat_id}/reserve`;
      expect((await call(node.address, taken, ann)).status).toBe(409);
      const search = `GET /api/admin/search?q=${on_sale.ticket.code}`;
      const { data } = await call(node.address, search, owner);
      expect(data.tickets).toMatchObject([{ ticket_id: on_sale.ticket.ticket_id }]);
    } finally {
      await node.stop();
    }
  });

  it('is refused to the owner, who would see no row of it (control)', async () => {
    const asOwner = 'pg_dump --format=custom --file=/dev/null "$DATABASE_URL"';
    await expect(inShell(asOwner)).rejects.toThrow('affected by row-level security');
  });
});
