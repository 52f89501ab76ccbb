-- The organization of a transaction is signed by the node. Until now a statement that an attacker
-- could alter was able to choose any organization by one call of set_config. A signature is a MAC
-- over the organization, the backend and the client's port: nothing that a statement can read or
-- set lets it make one for another organization.

-- A role that has a row here must sign. The keys are derived from the role's password; while they
-- are null nothing is accepted. The two halves are the key as HMAC mixes it in, so that a check is
-- two calls of sha256 and needs no extension.
create table organization_keys (
  role_name text primary key check (role_name in ('voelgoed_app', 'voelgoed_jobs')),
  inner_key bytea check (octet_length(inner_key) = 64),
  outer_key bytea check (octet_length(outer_key) = 64)
);
grant select on organization_keys to voelgoed_lookup;

-- A new installation is strict from its first second. One that has been served by 0.1.0 is not:
-- nodes of that version do not sign. `migrate --organizations signed` makes it so.
insert into organization_keys (role_name)
select role_name from unnest(array['voelgoed_app', 'voelgoed_jobs']) role_name
where not exists (select from schema_migrations where run_on < now());

-- The organization of the running transaction; null, and so no row at all, when none was set. It
-- raises when the setting is not signed for this connection: an old node answers 503 then, where no
-- rows would let it answer that an event does not exist. Policies ask in a sub-select, so once for
-- each table of a statement and not for each row. A search path that does not name the schema of
-- temporary tables looks there first, and the caller could put a table of keys of its own there.
-- contract: answers 0.1.0 as before until an operator demands signatures, which stops 0.1.0
create or replace function current_organization() returns uuid
  language plpgsql stable parallel restricted security definer
  set search_path = pg_catalog, public, pg_temp as $$
declare
  setting constant text := current_setting('voelgoed.organization_id', true);
  organization constant text := left(setting, 36);
  key record;
begin
  if setting is null or setting = '' then
    return null;
  end if;
  select k.inner_key, k.outer_key into key from public.organization_keys k
  where k.role_name = session_user;
  if found and substr(setting, 38) is distinct from encode(sha256(key.outer_key || sha256(
      key.inner_key || convert_to(organization || '/' || pg_backend_pid() || '/'
        || coalesce(inet_client_port(), 0), 'UTF8'))), 'hex') then
    raise exception 'the organization of this transaction is not signed for this connection'
      using errcode = '28000', hint = 'Nodes of 0.1.0 do not sign: see docs/upgrade.md.';
  end if;
  return organization::uuid;
end $$;

-- Flushes. A check costs some 10 µs and a flush of one hold names ten tables, so writers have a
-- role of their own instead, whose policy compares the setting as before. It may touch the tables
-- of a flush and nothing else: no key, no password, no name, no address of a person.
do $$
begin
  create role voelgoed_writer nologin noinherit;
exception when duplicate_object or unique_violation then
  null;
end $$;
comment on role voelgoed_writer is 'Writes flushes. Owns nothing; row level security binds it.';
grant usage on schema public to voelgoed_writer;

create function flush_organization() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('voelgoed.organization_id', true), '')::uuid;

-- contract: called by migrations alone, also in 0.1.0
create or replace procedure separate_tenants(variadic table_names text[]) language plpgsql as $$
declare
  table_name text;
begin
  foreach table_name in array table_names loop
    execute format('alter table %I enable row level security', table_name);
    execute format('alter table %I force row level security', table_name);
    execute format('create policy tenant on %I to voelgoed_app, voelgoed_jobs, %I
                    using (organization_id = (select current_organization()))
                    with check (organization_id = (select current_organization()))',
      table_name, current_user);
  end loop;
end $$;

-- Lets flushes see and write rows of a table; what they may do with it is granted besides.
create procedure open_to_flushes(variadic table_names text[]) language plpgsql as $$
declare
  table_name text;
begin
  foreach table_name in array table_names loop
    execute format('create policy flush on %I to voelgoed_writer
                    using (organization_id = flush_organization())
                    with check (organization_id = flush_organization())', table_name);
  end loop;
end $$;
revoke all on procedure open_to_flushes(text[]) from public;

do $$
declare
  tenant record;
begin
  for tenant in
    select c.relname as name from pg_policy p join pg_class c on c.oid = p.polrelid
    where p.polname = 'tenant' and c.relnamespace = 'public'::regnamespace
  loop
    -- contract: shows 0.1.0 the same rows as before; the function is asked in a sub-select
    execute format('alter policy tenant on %I to voelgoed_app, voelgoed_jobs, %I
                    using (organization_id = (select current_organization()))
                    with check (organization_id = (select current_organization()))',
      tenant.name, current_user);
  end loop;
end $$;

call open_to_flushes('organizations', 'users', 'memberships', 'events', 'event_boards',
  'event_zones', 'event_seats', 'event_prices', 'event_configs', 'board_tasks', 'zone_whitelist',
  'seat_holds', 'hold_people', 'seat_changes', 'idempotency_keys', 'audit_log', 'audit_context',
  'checkouts', 'payment_attempts', 'payment_messages', 'tickets', 'refunds_due');
grant select (organization_id, status) on organizations to voelgoed_writer;
grant select (organization_id, user_id) on users to voelgoed_writer;
grant select (organization_id, user_id, role, tier, status, valid_until) on memberships
  to voelgoed_writer;
grant select, update on events, event_boards, event_zones, event_seats to voelgoed_writer;
grant select, insert, update on event_configs, seat_holds, idempotency_keys, checkouts,
  payment_attempts, tickets, refunds_due to voelgoed_writer;
grant select, insert on seat_changes, hold_people, payment_messages to voelgoed_writer;
grant insert on audit_log, audit_context to voelgoed_writer;
-- Event time, which every flush reads.
grant select on clock_state to voelgoed_writer;
grant execute on function event_now() to voelgoed_writer;
grant select, insert, update, delete on board_tasks, event_prices, zone_whitelist
  to voelgoed_writer;

-- The functions of 0.1.0 that run with the rights of another role, too.
do $$
declare
  definer record;
begin
  for definer in
    select p.oid::regprocedure as signature from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prosecdef
      and p.oid <> 'current_organization()'::regprocedure
  loop
    execute format('alter function %s set search_path = pg_catalog, public, pg_temp',
      definer.signature);
  end loop;
end $$;

-- Last, for the owner of a function must be allowed to make it.
grant create on schema public to voelgoed_lookup;
alter function current_organization() owner to voelgoed_lookup;
revoke create on schema public from voelgoed_lookup;
