import { anOrganization, aUser } from '@voelgoed/testkit/builders';
import { control } from '@voelgoed/testkit/controls';
import { useDatabase } from '@voelgoed/testkit/database';
import { testServices } from '@voelgoed/testkit/services';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemRandom } from '#kit';
import type { Scope } from '#scope';
import { ensureLogins, inspectDatabase, requireSigned, withClient } from './postgres.ts';

/**
 * What an altered statement can do with the organization of its transaction: an attacker who can
 * run any SELECT as a serving role, in a transaction of an organization that is their own.
 */
const database = useDatabase();
let mine: Scope;
let other: Scope;

const ANY_ORGANIZATION = 'voelgoed.organization_id';
const REFUSED = 'the organization of this transaction is not signed for this connection';

beforeAll(async () => {
  mine = await anOrganization(database.postgres);
  other = await anOrganization(database.postgres);
  for (const scope of [mine, other]) await aUser(database.postgres, scope);
});

type Pool = 'reads' | 'logins' | 'jobs';

const inject = (scope: Scope | null, text: string, values: unknown[] = [], pool: Pool = 'reads') =>
  database.postgres.transaction(scope, { name: 'injected', pool }, (one) =>
    one.query<Record<string, unknown>>({ name: '', text, values, long: false }),
  );

const CHOOSE = `select set_config('${ANY_ORGANIZATION}', $1, false)`;

/** One statement that first chooses an organization and then reads its users. */
const CHOOSE_AND_READ = `with chosen as materialized (
    select set_config('${ANY_ORGANIZATION}', $1, true) as setting)
  select u.user_id, u.organization_id from chosen, users u where chosen.setting is not null`;

/** How many users of the other organization were seen, however it ended. */
async function seen(setting: string, pool: Pool = 'reads'): Promise<number> {
  const rows = await inject(mine, CHOOSE_AND_READ, [setting], pool).catch((error: Error) => {
    expect(error.message).toContain(REFUSED);
    return [];
  });
  return rows.filter(({ organization_id }) => organization_id === other.organizationId).length;
}

describe('an altered statement', () => {
  it.each(['reads', 'logins', 'jobs'] as const)(
    'chooses no other organization, on the connections for %s',
    async (pool) => {
      const { organizationId } = other;
      const forged = `${organizationId}.${'0'.repeat(64)}`;
      for (const setting of [organizationId, `${organizationId}.`, forged]) {
        expect(await seen(setting, pool)).toBe(0);
      }
      expect(await inject(mine, 'select from users', [], pool)).toHaveLength(1);
    },
  );

  it('takes the signature of its own organization for no other', async () => {
    const text = `select split_part(current_setting('${ANY_ORGANIZATION}'), '.', 2) as mac`;
    const [own] = await inject(mine, text);
    expect(String(own?.mac)).toMatch(/^[0-9a-f]{64}$/);
    expect(await seen(`${other.organizationId}.${own?.mac}`)).toBe(0);
  });

  it('brings no keys of its own in a temporary table', async () => {
    const read = withClient(database.appUrl, async (client) => {
      await client.query('create temp table organization_keys (role_name text, inner_key bytea)');
      await client.query('alter table pg_temp.organization_keys add outer_key bytea');
      await client.query('grant select on pg_temp.organization_keys to public');
      await client.query(CHOOSE, [other.organizationId]);
      return client.query('select from users');
    });
    await expect(read).rejects.toThrow(REFUSED);
  });

  it('makes no temporary table that hides one of ours, once nodes have started', async () => {
    const { ownerUrl, appUrl, jobsUrl, writerUrl } = database;
    const inspect = () => inspectDatabase(ownerUrl, [appUrl], () => 0);
    // A copied database has the rights of a new one.
    expect((await inspect()).tableMakers).toHaveLength(3);
    const { authSecret } = testServices();
    await ensureLogins(ownerUrl, authSecret, { random: systemRandom, mayReset: false });
    for (const url of [appUrl, jobsUrl, writerUrl]) {
      const made = withClient(url, (client) => client.query('create temp table users ()'));
      await expect(made).rejects.toThrow('permission denied to create temporary tables');
    }
    expect(await inspect()).toMatchObject({ tableMakers: [], openFunctions: [] });
  });

  it('finds no use for a signature that was made for another connection', async () => {
    const one = database.open({ sizes: { reads: 1 } });
    const copied = await one.transaction(other, { name: 'copied' }, (transaction) =>
      transaction.query<{ setting: string }>({
        ...{ name: '', values: [], long: false },
        text: `select current_setting('${ANY_ORGANIZATION}') as setting`,
      }),
    );
    expect(copied[0]?.setting).toContain(other.organizationId);
    expect(await seen(copied[0]?.setting ?? '')).toBe(0);
    await one.close();
  });

  it('finds nothing left of the transaction before, on the same connection', async () => {
    const one = database.open({ sizes: { reads: 1 } });
    const ask = (scope: Scope | null, text: string) =>
      one.transaction(scope, { name: 'one' }, (transaction) =>
        transaction.query<Record<string, unknown>>({ name: '', text, values: [], long: false }),
      );
    expect(await ask(other, 'select from users')).toHaveLength(1);
    const settings = `select coalesce(current_setting('${ANY_ORGANIZATION}', true), '') as now,
      (select count(*)::int from pg_prepared_statements
       where statement like '%${other.organizationId}%') as prepared`;
    expect(await ask(null, settings)).toEqual([{ now: '', prepared: 0 }]);
    await one.close();
  });

  it('reads neither the keys nor a signature of the sessions beside it', async () => {
    for (const pool of ['reads', 'jobs'] as const) {
      for (const text of ['select * from organization_keys', 'delete from organization_keys']) {
        await expect(inject(mine, text, [], pool)).rejects.toThrow('permission denied');
      }
    }
    const waiting = database.open({ sizes: { reads: 1 } });
    const sessions = await waiting.transaction(other, { name: 'waiting' }, async (one) => {
      await one.query({ name: '', text: 'select from users', values: [], long: false });
      return inject(mine, `select query from pg_stat_activity where usename = 'voelgoed_app'`);
    });
    const texts = sessions.map(({ query }) => String(query)).join('\n');
    expect(texts).toContain('select from users');
    expect(texts).not.toMatch(/[0-9a-f]{64}/);
    await waiting.close();
  });

  it('cannot become the role of writers, nor anybody else who need not sign', async () => {
    for (const role of ['voelgoed_writer', 'voelgoed_lookup', 'voelgoed_owner']) {
      await expect(inject(mine, `select set_config('role', '${role}', true)`)).rejects.toThrow(
        'permission denied to set role',
      );
    }
  });

  control('signed organizations', async (off) => {
    const { ownerUrl } = database;
    const { authSecret } = testServices();
    if (off.has('signed organizations')) await requireSigned(ownerUrl, authSecret, false);
    const found = await seen(other.organizationId);
    await requireSigned(ownerUrl, authSecret, true);
    return found > 0 ? ['users of another organization were read'] : [];
  });
});

describe('the role of writers', () => {
  const asWriter = (text: string) =>
    withClient(database.writerUrl, async (client) => {
      await client.query(CHOOSE, [other.organizationId]);
      return (await client.query(text)).rows;
    });

  it('sees people as ids, and no key, password, name or address', async () => {
    expect(await asWriter('select user_id from users')).toHaveLength(1);
    for (const text of [
      'select email from users',
      'select secret_hash from api_keys',
      'select * from webhooks',
      'select * from issuers',
      'select ip_address from audit_context',
      'select changes from audit_log',
      'select name from organizations',
      'select inner_key from organization_keys',
    ]) {
      await expect(asWriter(text), text).rejects.toThrow('permission denied');
    }
  });

  it('may touch the tables of a flush and no others', async () => {
    const tables = await database.asOwner(`
      select relname::text as name from pg_class c, unnest(array['SELECT', 'INSERT', 'UPDATE',
        'DELETE']) right_to
      where relnamespace = 'public'::regnamespace and relkind = 'r'
        and (has_table_privilege('voelgoed_writer', c.oid, right_to)
          or right_to <> 'DELETE' and has_any_column_privilege('voelgoed_writer', c.oid, right_to))
      group by 1 order by 1`);
    expect(tables.map(({ name }) => name)).toEqual(FLUSH_TABLES);
  });
});

const FLUSH_TABLES = [
  ...['audit_context', 'audit_log', 'board_tasks', 'checkouts', 'clock_state', 'event_boards'],
  ...['event_configs', 'event_prices', 'event_seats', 'event_zones', 'events', 'hold_people'],
  ...['idempotency_keys', 'memberships', 'organizations', 'payment_attempts', 'payment_messages'],
  ...['refunds_due', 'seat_changes', 'seat_holds', 'tickets', 'users', 'zone_whitelist'],
];

describe('keys', () => {
  it('are there from the first start of a new installation, and the doctor sees it', async () => {
    const rows = await database.asSuperuser(
      'select role_name from organization_keys where inner_key is not null order by 1',
    );
    expect(rows).toEqual([{ role_name: 'voelgoed_app' }, { role_name: 'voelgoed_jobs' }]);
    const report = await inspectDatabase(database.ownerUrl, [database.appUrl], () => 0);
    expect(report.unsigned).toEqual([]);
  });

  it('follow a secret that is new on purpose, and no other', async () => {
    const { authSecret } = testServices();
    const mark = () =>
      database.asSuperuser(`select role_name,
      encode(sha256(inner_key || outer_key), 'hex') as mark from organization_keys order by 1`);
    const before = await mark();
    // A dump of another installation, restored where the roles can log in already.
    await database.asSuperuser(`update organization_keys set inner_key = outer_key`);
    const again = { random: systemRandom, mayReset: false };
    await expect(ensureLogins(database.ownerUrl, authSecret, again)).rejects.toThrow(
      'was set up with another AUTH_SECRET',
    );
    await expect(inject(mine, 'select from users')).rejects.toThrow(REFUSED);
    await ensureLogins(database.ownerUrl, authSecret, { ...again, mayReset: true });
    expect(await mark()).toEqual(before);
    expect(await inject(mine, 'select from users')).toHaveLength(1);
  });
});
