create table venues (
  organization_id uuid not null references organizations,
  venue_id uuid not null,
  slug text not null check (slug ~ '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$'),
  name text not null check (char_length(name) between 1 and 200),
  timezone text not null check (char_length(timezone) between 1 and 64),
  address text check (char_length(address) between 1 and 500),
  max_capacity integer check (max_capacity > 0),
  created_at timestamptz not null default now(),
  primary key (organization_id, venue_id),
  unique (organization_id, slug)
);

-- One row per version of a layout. The config is canonical: every zone, seat and group has its id.
-- It is json, not jsonb: up to 16 MB that are only ever read whole, byte for byte as written.
create table layouts (
  organization_id uuid not null,
  layout_id uuid not null,
  version integer not null check (version > 0),
  venue_id uuid not null,
  name text not null check (char_length(name) between 1 and 200),
  description text check (char_length(description) <= 2000),
  status text not null default 'draft' check (status in ('draft', 'active', 'archived')),
  config json not null,
  seat_count integer not null check (seat_count >= 0),
  total_capacity integer not null check (total_capacity > 0),
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  activated_at timestamptz,
  archived_at timestamptz,
  primary key (organization_id, layout_id, version),
  foreign key (organization_id, venue_id) references venues
);
create unique index layouts_one_draft on layouts (organization_id, layout_id)
  where status = 'draft';
create unique index layouts_one_active on layouts (organization_id, layout_id)
  where status = 'active';
create index layouts_venue on layouts (organization_id, venue_id);

-- An active version never changes: events, tickets and maps rest on it. It begins as a draft.
create function refuse_layout_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.status = 'draft' then
      return new;
    end if;
    raise exception 'a layout begins as a draft' using errcode = 'VG001';
  end if;
  if old.status <> 'draft' and (
       new.config::text <> old.config::text or new.venue_id <> old.venue_id
       or new.name <> old.name or new.description is distinct from old.description
       or new.seat_count <> old.seat_count or new.total_capacity <> old.total_capacity
       or new.activated_at is distinct from old.activated_at or new.status = 'draft'
       or (old.status = 'archived' and new.status <> 'archived')) then
    raise exception 'layout % version % is % and cannot change', old.layout_id, old.version,
      old.status using errcode = 'VG001';
  end if;
  return new;
end $$;
create trigger layouts_immutable before insert or update on layouts
  for each row execute function refuse_layout_change();

-- Written once, when a version becomes active.
create table zones (
  organization_id uuid not null,
  layout_id uuid not null,
  version integer not null,
  zone_id uuid not null,
  place integer not null,
  name text not null,
  zone_type text not null check (zone_type in
    ('reserved_seating', 'ga_seated', 'ga_standing', 'vip_reserved', 'vip_standing')),
  capacity integer not null check (capacity > 0),
  access_mode text not null check (access_mode in
    ('public', 'membership_tier', 'role_based', 'whitelist')),
  membership_tier text,
  allowed_roles text[] not null default '{}',
  metadata jsonb not null default '{}',
  primary key (organization_id, layout_id, version, zone_id),
  foreign key (organization_id, layout_id, version) references layouts,
  unique (organization_id, layout_id, version, name),
  check (access_mode <> 'membership_tier' or membership_tier is not null),
  check (access_mode <> 'role_based' or cardinality(allowed_roles) > 0)
);

create table seats (
  organization_id uuid not null,
  layout_id uuid not null,
  version integer not null,
  ordinal integer not null check (ordinal >= 0),
  seat_id uuid not null,
  label text not null,
  zone_id uuid not null,
  section text,
  row_name text not null,
  number integer not null,
  physical_order integer not null,
  run integer not null,
  category text not null check (category in
    ('standard', 'wheelchair', 'companion', 'restricted_view', 'aisle')),
  x double precision not null,
  y double precision not null,
  companion_of uuid,
  primary key (organization_id, layout_id, version, ordinal),
  foreign key (organization_id, layout_id, version, zone_id) references zones,
  unique (organization_id, layout_id, version, seat_id),
  unique (organization_id, layout_id, version, label)
);

create table seat_groups (
  organization_id uuid not null,
  layout_id uuid not null,
  version integer not null,
  group_id uuid not null,
  group_type text not null check (group_type in
    ('wheelchair_pair', 'family_block', 'vip_table', 'reserved_block')),
  zone_id uuid not null,
  seat_ids uuid[] not null check (cardinality(seat_ids) > 0),
  metadata jsonb not null default '{}',
  primary key (organization_id, layout_id, version, group_id),
  foreign key (organization_id, layout_id, version, zone_id) references zones
);

-- Rows of a version are written by the transaction that activates it, and never again.
create function refuse_late_rows() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if not exists (
         select from added a left join layouts l using (organization_id, layout_id, version)
         where l.activated_at is distinct from now()) then
      return null;
    end if;
  end if;
  raise exception '% of a layout cannot change', tg_table_name using errcode = 'VG001';
end $$;

do $$
declare
  table_name text;
begin
  foreach table_name in array array['zones', 'seats', 'seat_groups'] loop
    execute format('create trigger %I after insert on %I referencing new table as added
                    for each statement execute function refuse_late_rows()',
                   table_name || '_written_once', table_name);
    execute format('create trigger %I before update or delete on %I
                    for each statement execute function refuse_late_rows()',
                   table_name || '_immutable', table_name);
  end loop;
end $$;

-- What an organization has changed of the defaults; the code knows every field.
create table seating_policies (
  organization_id uuid primary key references organizations,
  policy jsonb not null,
  changed_at timestamptz not null default now()
);

call separate_tenants('venues', 'layouts', 'zones', 'seats', 'seat_groups', 'seating_policies');

grant select, insert, update on venues, layouts, seating_policies to voelgoed_app, voelgoed_jobs;
grant select, insert on zones, seats, seat_groups to voelgoed_app, voelgoed_jobs;
