/** What the doctor asks the catalogue. Each answers with what is wrong, or with a value. */

export const VERSION = `select current_setting('server_version') as version,
  current_setting('server_encoding') as encoding`;

export const CLOCK = `select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`;

/** How far the database's clock is ahead of event time. */
export const DRIFT = `select (extract(epoch from clock_timestamp() - event_now()) * 1000)::float8
  as ms`;

export const ROOM = `select current_setting('max_connections')::int
    - current_setting('superuser_reserved_connections')::int as most,
  (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used`;

/** Whoever keeps a snapshot open keeps every dead row: one event's commits halve in seconds. */
export const OLDEST_SNAPSHOT = `
select coalesce(max(extract(epoch from now() - xact_start)), 0)::int as seconds
from pg_stat_activity
where backend_xmin is not null and pid <> pg_backend_pid() and datname = current_database()`;

/** A table with an organization that is not forced to hide other organizations' rows. */
export const UNPROTECTED = `
select c.relname::text as name from pg_class c
join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
where c.relkind in ('r', 'p')
  and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id')
  and not (c.relrowsecurity and c.relforcerowsecurity
           and exists (select from pg_policy p where p.polrelid = c.oid))
order by 1`;

/** Serving roles that need not sign the organization of a transaction. */
export const UNSIGNED = `
select role as name from unnest(array['voelgoed_app', 'voelgoed_jobs']) role
where not exists (select from organization_keys where role_name = role and inner_key is not null)
order by 1`;

/**
 * Every policy asks for the organization that is set, in a sub-select. Only two roles see all rows,
 * and only see them: that of the lookup functions, and that of backups. Only writers are believed
 * without a signature.
 */
export const LOOSE_POLICIES = `
select c.relname || '.' || p.polname as name from pg_policy p
join pg_class c on c.oid = p.polrelid
join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
where p.polpermissive
  and coalesce(pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid), '')
    not like '%( SELECT current_organization() AS current_organization)%'
  and not (p.polcmd = 'r'
    and p.polroles <@ array(select oid from pg_roles
                            where rolname in ('voelgoed_lookup', 'voelgoed_backup')))
  and not (pg_get_expr(p.polqual, p.polrelid) like '%flush_organization()%'
    and p.polroles = array[(select oid from pg_roles where rolname = 'voelgoed_writer')])
order by 1`;

/** Tables that a dump would have without their rows, and without a word. */
export const NOT_BACKED_UP = `
select c.relname::text as name from pg_class c
join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
where c.relkind in ('r', 'p') and exists (select from pg_roles where rolname = 'voelgoed_backup')
  and not (has_table_privilege('voelgoed_backup', c.oid, 'select')
    and (not c.relrowsecurity or exists (
      select from pg_policy p where p.polrelid = c.oid and p.polcmd in ('r', '*')
        and (select oid from pg_roles where rolname = 'voelgoed_backup') = any (p.polroles)
        and pg_get_expr(p.polqual, p.polrelid) = 'true')))
order by 1`;

/** Unless it is named last, the schema of temporary tables is searched first. */
export const OPEN_FUNCTIONS = `
select p.proname::text as name from pg_proc p
join pg_namespace n on n.oid = p.pronamespace and n.nspname = 'public'
where p.prosecdef and not exists
  (select from unnest(p.proconfig) setting where setting like 'search_path=%, pg_temp')
order by 1`;

/** A temporary table hides the table of its name from later statements of the connection. */
export const MAY_MAKE_TABLES = `
select role as name from unnest(array['voelgoed_app', 'voelgoed_jobs', 'voelgoed_writer']) role
where exists (select from pg_roles where rolname = role)
  and has_database_privilege(role, current_database(), 'temporary')
order by 1`;

/** The log and the trail are written once. */
export const RIGHTS_TO_CHANGE_HISTORY = `
select role || ' may ' || lower(privilege) || ' ' || relation as name
from unnest(array['voelgoed_app', 'voelgoed_jobs', 'voelgoed_writer']) role,
  unnest(array['audit_log', 'seat_changes', 'entries', 'payment_messages']) relation,
  unnest(array['UPDATE', 'DELETE', 'TRUNCATE']) privilege
where to_regclass(relation) is not null and exists (select from pg_roles where rolname = role)
  and has_table_privilege(role, relation, privilege)
order by 1`;

export const INDEXES = `
select c.relname::text as name, i.indisvalid as valid from pg_index i
join pg_class c on c.oid = i.indexrelid
join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
order by 1`;

/**
 * What durability, isolation and connections rest on. Timeouts that a connection of ours sets for
 * itself are left out; these are not.
 */
export const SETTINGS = `
select name, setting as value from pg_settings
where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum',
  'default_transaction_isolation', 'default_transaction_read_only', 'idle_session_timeout',
  'transaction_timeout', 'row_security')
order by name`;
