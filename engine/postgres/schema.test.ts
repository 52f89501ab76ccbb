import { readFile } from 'node:fs/promises';
import { useDatabase } from '@voelgoed/testkit/database';
import { testServices } from '@voelgoed/testkit/services';
import { describe, expect, it } from 'vitest';
import { systemClock, systemRandom } from '#kit';
import { migrate, pendingMigrations } from './migrations.ts';
import { inspectDatabase, loginUrl, printCatalogue } from './postgres.ts';
import { ensureLogins, servingProblems } from './roles.ts';

const database = useDatabase();
const SCHEMA = new URL('../../db/schema.sql', import.meta.url);

/** The only functions that may look across organizations. */
const LOOKUPS = [
  'current_organization',
  'lookup_api_key',
  'lookup_attempt',
  'lookup_begun',
  'lookup_board_heads',
  'lookup_due_events',
  'lookup_event',
  'lookup_events_after',
  'lookup_oldest_snapshot',
  'lookup_organization',
  'lookup_organizations',
  'lookup_stale_policies',
  'lookup_standings',
  'lookup_unrefunded',
  'lookup_webhook_lag',
  'lookup_webhooks',
  'lookup_webhooks_behind',
  'refuse_moves',
];

describe('schema', () => {
  it('lets the role for backups read every table, and nothing else', async () => {
    const report = await inspectDatabase(database.ownerUrl, [], systemClock.now);
    expect(report.notBackedUp).toEqual([]);
    const rights = await database.asSuperuser(
      `select distinct privilege_type as name from pg_class c, aclexplode(c.relacl) g
       where g.grantee = 'voelgoed_backup'::regrole order by 1`,
    );
    expect(rights).toEqual([{ name: 'SELECT' }]);
  });

  it('notices a table that a dump would have without its rows (control)', async () => {
    await database.asOwner('drop policy backup on venues');
    try {
      const report = await inspectDatabase(database.ownerUrl, [], systemClock.now);
      expect(report.notBackedUp).toEqual(['venues']);
    } finally {
      await database.asOwner(
        'create policy backup on venues for select to voelgoed_backup using (true)',
      );
    }
  });

  it('is made by one transaction: all migrations of a run, or none', async () => {
    const times = await database.asOwner('select distinct run_on from schema_migrations');
    expect(times).toHaveLength(1);
  });

  it('is what db/schema.sql shows (npm run cli -- schema prints it)', async () => {
    const printed = await printCatalogue(database.ownerUrl);
    expect(printed).toBe(await readFile(SCHEMA, 'utf8'));
  });

  it('migrates once when several nodes start together, all of it or a part', async () => {
    const name = `${database.name}_empty`;
    await database.asSuperuser(`create database ${name} owner voelgoed_owner`);
    const url = new URL(database.ownerUrl);
    url.pathname = `/${name}`;
    try {
      const first = ['0001_foundation', '0002_accounts'];
      expect(await migrate(url.href, { most: 2 })).toEqual(first);
      const runs = await Promise.all([1, 2, 3, 4].map(() => migrate(url.href)));
      expect(runs.flat()).not.toContain('0002_accounts');
      expect(runs.flat().length).toBe(new Set(runs.flat()).size);
      expect(await printCatalogue(url.href)).toBe(await printCatalogue(database.ownerUrl));
    } finally {
      await database.asSuperuser(`drop database ${name} with (force)`);
    }
  });

  it('tells which migrations are missing', async () => {
    const pending = () => database.postgres.transaction(null, { name: 'test' }, pendingMigrations);
    expect(await pending()).toEqual([]);
    const [last] = await database.asOwner(
      `delete from schema_migrations
       where id = (select max(id) from schema_migrations) returning *`,
    );
    expect(await pending()).toEqual([last?.name]);
    await database.asOwner(`insert into schema_migrations (id, name, run_on) values ($1, $2, $3)`, [
      last?.id,
      last?.name,
      last?.run_on,
    ]);
  });

  it('separates tenants in the database: every tenant table is forced to', async () => {
    const tables = await database.asOwner(`
      select c.relname::text as name,
        c.relrowsecurity and c.relforcerowsecurity as forced,
        exists (select from pg_policy p where p.polrelid = c.oid and p.polcmd = '*'
                and pg_get_expr(p.polqual, c.oid) = '(organization_id = '
                  || '( SELECT current_organization() AS current_organization))'
                and pg_get_expr(p.polwithcheck, c.oid) = pg_get_expr(p.polqual, c.oid)) as policy,
        exists (select from pg_constraint k join pg_attribute a on a.attrelid = c.oid
                and a.attnum = any (k.conkey) where k.conrelid = c.oid and k.contype = 'p'
                and a.attname = 'organization_id') as keyed
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p')
        and c.relname not in ('schema_migrations', 'schema_generation', 'clock_state',
          'organization_keys')`);
    expect(tables.length).toBeGreaterThan(0);
    for (const table of tables) {
      expect(table).toEqual({ name: table.name, forced: true, policy: true, keyed: true });
    }
  });

  it('finds a tenant table that is not protected', async () => {
    await database.asOwner('create table unprotected (organization_id uuid primary key)');
    const report = await inspectDatabase(database.ownerUrl, [database.appUrl], () => 0);
    expect(report.unprotected).toEqual(['unprotected']);
    await database.asOwner('drop table unprotected');
  });

  it('names every function that runs with another role’s rights', async () => {
    const functions = await database.asOwner(`
      select p.proname::text as name, o.rolname::text as owner, p.proconfig as config,
        has_function_privilege('public', p.oid, 'execute') as open
      from pg_proc p join pg_roles o on o.oid = p.proowner
      join pg_namespace n on n.oid = p.pronamespace
      where n.nspname = 'public' and p.prosecdef order by 1`);
    expect(functions).toEqual(
      LOOKUPS.map((name) => ({
        name,
        owner: 'voelgoed_lookup',
        config: ['search_path=pg_catalog, public, pg_temp'],
        // Every policy asks it; it tells no more than what the transaction has set.
        open: name === 'current_organization',
      })),
    );
  });
});

describe('roles', () => {
  it('let the serving roles serve and nobody else', async () => {
    expect(await servingProblems(database.appUrl)).toEqual([]);
    expect(await servingProblems(database.jobsUrl)).toEqual([]);
    expect(await servingProblems(database.writerUrl)).toEqual([]);
    expect(await servingProblems(database.ownerUrl)).toEqual([
      'voelgoed_owner owns tables or is a member of their owner',
    ]);
    expect(await servingProblems(database.superuserUrl)).toEqual([
      'postgres is a superuser',
      'postgres bypasses row level security',
      'postgres owns tables or is a member of their owner',
    ]);
  });

  it('refuse a role that bypasses the policies', async () => {
    await database.asSuperuser(`create role test_bypass login bypassrls password 'p'`);
    const url = new URL(database.ownerUrl);
    url.username = 'test_bypass';
    url.password = 'p';
    expect(await servingProblems(url.href)).toEqual(['test_bypass bypasses row level security']);
    await database.asSuperuser('drop role test_bypass');
  });

  it('log in with a password that only the secret’s owner can derive', async () => {
    const { authSecret } = testServices();
    await ensureLogins(database.ownerUrl, authSecret, { random: systemRandom, mayReset: false });
    const wrong = loginUrl(database.ownerUrl, 'voelgoed_app', 'another secret');
    await expect(servingProblems(wrong)).rejects.toThrow('password authentication failed');
    // Another secret is refused rather than set: it would lock out every node that is running.
    const other = ensureLogins(database.ownerUrl, 'another secret', {
      random: systemRandom,
      mayReset: false,
    });
    await expect(other).rejects.toThrow('was set up with another AUTH_SECRET');
    expect(await servingProblems(database.appUrl)).toEqual([]);
    const [stored] = await database.asSuperuser(
      `select rolpassword from pg_authid where rolname = 'voelgoed_app'`,
    );
    expect(String(stored?.rolpassword)).toMatch(/^SCRAM-SHA-256\$4096:/);
  });

  it('may neither change the schema nor become somebody else', async () => {
    for (const hostile of [
      'create table mine (id int)',
      'alter table organizations disable row level security',
      'drop policy tenant on organizations',
      'set role voelgoed_owner',
      'set role voelgoed_lookup',
      'delete from organizations',
      'truncate organizations',
      'insert into schema_migrations (name, run_on) values (1, now())',
    ]) {
      const attempt = database.postgres.transaction(null, { name: 'hostile' }, (transaction) =>
        transaction.query({ name: '', text: hostile, values: [], long: false }),
      );
      await expect(attempt, hostile).rejects.toThrow(/permission denied|must be owner/);
    }
  });
});
