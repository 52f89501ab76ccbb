-- Roles. They belong to the whole server, so another database may have made them already; two
-- migrations at the same moment may race, and the loser is content. Logins are given at the start.
do $$
declare
  role_name text;
begin
  foreach role_name in array array['voelgoed_app', 'voelgoed_jobs', 'voelgoed_lookup'] loop
    begin
      execute format('create role %I nologin noinherit', role_name);
    exception when duplicate_object or unique_violation then
      null;
    end;
  end loop;
end $$;

comment on role voelgoed_app is 'Serves requests. Owns nothing; row level security binds it.';
comment on role voelgoed_jobs is 'Runs background work. Owns nothing; row level security binds it.';
comment on role voelgoed_lookup is
  'Owns the few functions that turn a public handle into ids. Cannot log in.';

revoke all on schema public from public;
grant usage on schema public to voelgoed_app, voelgoed_jobs, voelgoed_lookup;

-- Which migrations ran is no secret: a node asks it to know whether it is ready.
grant select on schema_migrations to voelgoed_app, voelgoed_jobs;

-- The organization of the running transaction; null, and so no row at all, when none was set.
create function current_organization() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('voelgoed.organization_id', true), '')::uuid;

-- What makes a table a tenant's: rows of other organizations do not exist, for nobody but
-- superusers.
create procedure separate_tenants(variadic table_names text[]) language plpgsql as $$
declare
  table_name text;
begin
  foreach table_name in array table_names loop
    execute format('alter table %I enable row level security', table_name);
    execute format('alter table %I force row level security', table_name);
    execute format('create policy tenant on %I using (organization_id = current_organization())
                    with check (organization_id = current_organization())', table_name);
  end loop;
end $$;
revoke all on procedure separate_tenants(text[]) from public;

create table organizations (
  organization_id uuid primary key,
  slug text not null unique
    check (slug ~ '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$'),
  name text not null check (char_length(name) between 1 and 200),
  status text not null default 'active' check (status in ('active', 'suspended', 'archived')),
  created_at timestamptz not null default now()
);

call separate_tenants('organizations');
grant select, insert, update on organizations to voelgoed_app, voelgoed_jobs;

-- Lookups. A public handle (a slug, an event, a payment attempt) must become an organization
-- before any policy can let a row through. These functions alone see across organizations; they
-- are owned by a role that cannot log in, return ids and states only, and a test names every one
-- of them.
do $$
begin
  execute format('grant voelgoed_lookup to %I', current_user);
end $$;
grant create on schema public to voelgoed_lookup;

create policy lookup on organizations for select to voelgoed_lookup using (true);
grant select (organization_id, slug, status) on organizations to voelgoed_lookup;

create function lookup_organization(wanted_slug text)
  returns table (organization_id uuid, status text)
  language sql stable security definer set search_path = pg_catalog, public
  begin atomic
    select o.organization_id, o.status from organizations o where o.slug = wanted_slug;
  end;
alter function lookup_organization(text) owner to voelgoed_lookup;
revoke all on function lookup_organization(text) from public;
grant execute on function lookup_organization(text) to voelgoed_app, voelgoed_jobs;

revoke create on schema public from voelgoed_lookup;
