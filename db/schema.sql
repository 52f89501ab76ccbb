create table organizations (
  organization_id uuid not null,
  slug text not null,
  name text not null,
  status text default 'active'::text not null,
  created_at timestamp with time zone default now() not null,
  constraint organizations_pkey PRIMARY KEY (organization_id),
  constraint organizations_slug_key UNIQUE (slug),
  constraint organizations_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  constraint organizations_slug_check CHECK ((slug ~ '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$'::text)),
  constraint organizations_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text, 'archived'::text])))
);
alter table organizations enable row level security;
alter table organizations force row level security;
create policy lookup on organizations for select to voelgoed_lookup using (true);
create policy tenant on organizations for all to public using ((organization_id = current_organization())) with check ((organization_id = current_organization()));
grant insert, select, update on organizations to voelgoed_app;
grant insert, select, update on organizations to voelgoed_jobs;
grant select (organization_id, slug, status) on organizations to voelgoed_lookup;

create table schema_migrations (
  id integer default nextval('schema_migrations_id_seq'::regclass) not null,
  name character varying(255) not null,
  run_on timestamp without time zone not null,
  constraint schema_migrations_pkey PRIMARY KEY (id)
);
grant select on schema_migrations to voelgoed_app;
grant select on schema_migrations to voelgoed_jobs;

CREATE OR REPLACE FUNCTION public.current_organization()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('voelgoed.organization_id'::text, true), ''::text))::uuid;
grant execute on function current_organization() to public;

CREATE OR REPLACE FUNCTION public.lookup_organization(wanted_slug text)
 RETURNS TABLE(organization_id uuid, status text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public'
BEGIN ATOMIC
 SELECT o.organization_id,
     o.status
    FROM organizations o
   WHERE (o.slug = lookup_organization.wanted_slug);
END;
grant execute on function lookup_organization(wanted_slug text) to voelgoed_app;
grant execute on function lookup_organization(wanted_slug text) to voelgoed_jobs;
alter function lookup_organization(wanted_slug text) owner to voelgoed_lookup;
