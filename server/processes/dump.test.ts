import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { systemClock, systemRandom } from '@voelgoed/engine/kit';
import {
  ensureLogins,
  migrate,
  Postgres,
  servingUrls,
  withClient,
} from '@voelgoed/engine/postgres';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import { anOrganization } from '@voelgoed/testkit/builders';
import { type Cluster, startCluster } from '@voelgoed/testkit/clusters';
import { aTestFolder, testServices } from '@voelgoed/testkit/services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

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
  const superuser = new URL(cluster.superuserUrl);
  superuser.pathname = new URL(url).pathname;
  return withClient(superuser.href, async (client) => {
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

async function sell(ownerUrl: string, secret: string): Promise<void> {
  await migrate(ownerUrl);
  await ensureLogins(ownerUrl, secret, { random: systemRandom, mayReset: true });
  const postgres = new Postgres({
    ...servingUrls(ownerUrl, secret),
    ...{ clock: systemClock, random: systemRandom, telemetry: silentTelemetry },
  });
  try {
    for (const name of ['One', 'Other']) await anOrganization(postgres, { name });
  } finally {
    await postgres.close();
  }
}

describe('a backup by pg_dump, without any superuser', { timeout: 240_000 }, () => {
  it('has every row, and is restored by the commands of the page', async () => {
    const { DATABASE_URL = '', NEW_URL = '', AUTH_SECRET = '' } = environment;
    await sell(DATABASE_URL, AUTH_SECRET);
    await inShell(await commandsOf('Making a dump'));
    await inShell(await commandsOf('Restoring a dump'));
    const before = await rows(DATABASE_URL);
    expect(before.organizations).toBe(2);
    expect(await rows(NEW_URL)).toEqual(before);
    const doctor = await run('npm', ['run', '-s', 'cli', '--', 'doctor'], {
      cwd: ROOT,
      env: { ...environment, DATABASE_URL: NEW_URL },
    }).catch((error: { stdout: string }) => error);
    expect(doctor.stdout).toMatch(/^ok +row level security/m);
    expect(doctor.stdout).toMatch(/^ok +policies/m);
    expect(doctor.stdout).toMatch(/^ok +functions/m);
  });

  it('is refused to the owner, who would see no row of it (control)', async () => {
    const asOwner = 'pg_dump --format=custom --file=/dev/null "$DATABASE_URL"';
    await expect(inShell(asOwner)).rejects.toThrow('affected by row-level security');
  });
});
