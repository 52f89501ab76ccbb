import { reasonOf } from '#kit';
import { withClient } from './client.ts';
import { pendingMigrations } from './migrations.ts';
import { servingProblems } from './roles.ts';
import type { Statement } from './statement.ts';

export type DatabaseReport = Readonly<{
  version: string;
  pending: readonly string[];
  roleProblems: readonly string[];
  /** Tenant tables that the database does not separate by itself. */
  unprotected: readonly string[];
  settings: readonly { name: string; value: string; ok: boolean }[];
}>;

/** Looks at a database from outside, as its owner: for the doctor. Changes nothing. */
export function inspectDatabase(
  ownerUrl: string,
  servingUrls: readonly string[],
): Promise<DatabaseReport> {
  return withClient(ownerUrl, async (client) => {
    const rows = async <Row extends object>(text: string) => (await client.query<Row>(text)).rows;
    const [server] = await rows<{ version: string }>(VERSION);
    const query = <Row>(one: Statement<Row>) => rows<Row & object>(one.text);
    return {
      version: server?.version ?? 'unknown',
      pending: await pendingMigrations({ query }).catch((error) => [reasonOf(error)]),
      roleProblems: await roleProblems(servingUrls),
      unprotected: (await rows<{ name: string }>(UNPROTECTED)).map(({ name }) => name),
      settings: await rows<{ name: string; value: string; ok: boolean }>(SETTINGS),
    };
  });
}

async function roleProblems(urls: readonly string[]): Promise<string[]> {
  const problems = urls.map((url) => servingProblems(url).catch((error) => [reasonOf(error)]));
  return (await Promise.all(problems)).flat();
}

const VERSION = `select current_setting('server_version') as version`;

/** A table with an organization that is not forced to hide other organizations' rows. */
const UNPROTECTED = `
select c.relname::text as name from pg_class c
join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
where c.relkind in ('r', 'p')
  and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id')
  and not (c.relrowsecurity and c.relforcerowsecurity
           and exists (select from pg_policy p where p.polrelid = c.oid))
order by 1`;

/**
 * What durability rests on: without these an acknowledged hold may be lost when the machine dies.
 */
const SETTINGS = `
select name, setting as value, setting in ('on', 'remote_apply', 'remote_write') as ok
from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit') order by name`;
