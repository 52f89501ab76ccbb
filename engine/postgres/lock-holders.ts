import type pg from 'pg';

/** A transaction that holds locks of tables. */
export type LockHolder = Readonly<{
  /** The server's own name of it: the next transaction of the same session has another. */
  id: string;
  /** Null: a prepared transaction, which has no session. */
  pid: number | null;
  application: string;
  role: string;
  /** Null: this role may not know it. */
  since: string | null;
  tables: readonly string[];
}>;

/** All other transactions that hold a lock of a table of ours at this moment, oldest first. */
export async function lockHolders(client: pg.Client): Promise<LockHolder[]> {
  return (await client.query<LockHolder>(HOLDERS)).rows;
}

const HOLDERS = `
select l.virtualtransaction as id, l.pid, coalesce(a.application_name, '') as application,
  coalesce(a.usename::text, '') as role,
  to_char(a.xact_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since,
  array_agg(distinct c.relname::text order by c.relname::text) as tables
from pg_locks l join pg_class c on c.oid = l.relation
left join pg_stat_activity a on a.pid = l.pid
where l.locktype = 'relation' and l.granted and l.pid is distinct from pg_backend_pid()
  and l.database = (select oid from pg_database where datname = current_database())
  and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
group by l.virtualtransaction, l.pid, a.application_name, a.usename, a.xact_start
order by a.xact_start nulls last, l.pid`;

const MOST_NAMED = 3;
const MOST_TABLES = 3;

/** For an operator: which sessions these are, and what to do. */
export function sentenceAbout(holders: readonly LockHolder[]): string {
  const named = holders.slice(0, MOST_NAMED).map(nameOf);
  const more = holders.length - named.length;
  if (more > 0) named.push(`${more} more`);
  return named.join(' and ');
}

function nameOf({ pid, application, role, since, tables }: LockHolder): string {
  const session = pid === null ? 'a prepared transaction' : `pid ${pid}`;
  const about = [application || 'no application_name', role && `role ${role}`, begunAt(since)];
  const more = tables.length - MOST_TABLES;
  const which = tables.slice(0, MOST_TABLES).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return `${session} (${about.filter(Boolean).join(', ')}) on ${which}`;
}

const begunAt = (since: string | null) =>
  since === null ? 'its beginning is visible to superusers only' : `since ${since}`;
