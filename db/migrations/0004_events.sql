create table events (
  organization_id uuid not null references organizations,
  event_id uuid not null,
  venue_id uuid,
  slug text not null check (slug ~ '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$'),
  name text not null check (char_length(name) between 1 and 200),
  description text check (char_length(description) <= 5000),
  status text not null default 'draft' check (status in
    ('draft', 'published', 'live', 'ended', 'cancelled', 'postponed', 'archived')),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  sale_starts_at timestamptz,
  sale_ends_at timestamptz,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- The days on which a ticket is good, as calendar dates at the venue.
  days date[] not null check (cardinality(days) between 1 and 60),
  rescheduled_at timestamptz,
  postponement_reason text check (char_length(postponement_reason) between 1 and 500),
  published_at timestamptz,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  primary key (organization_id, event_id),
  unique (organization_id, slug),
  foreign key (organization_id, venue_id) references venues,
  check (ends_at > starts_at),
  check (sale_ends_at > sale_starts_at)
);
create index events_id on events (event_id);

-- Which version of which layout, and what differs from it: deltas only, never copies. An event of
-- general admission alone has no layout; its zones are written down here.
create table event_layouts (
  organization_id uuid not null,
  event_id uuid not null,
  layout_id uuid,
  layout_version integer,
  zones jsonb,
  overrides jsonb not null default '{}',
  changed_at timestamptz not null default now(),
  primary key (organization_id, event_id),
  foreign key (organization_id, event_id) references events,
  foreign key (organization_id, layout_id, layout_version) references layouts,
  check ((layout_id is null) = (layout_version is null)),
  check ((layout_id is null) <> (zones is null))
);

create table event_prices (
  organization_id uuid not null,
  event_id uuid not null,
  zone_id uuid not null,
  price_cents integer not null check (price_cents between 0 and 100000000),
  primary key (organization_id, event_id, zone_id),
  foreign key (organization_id, event_id) references events
);

-- The state of an event on sale. One row per event is locked by every change; it is rewritten all
-- the time and small, so its pages stay nearly empty and no second index slows it down.
create table event_boards (
  organization_id uuid not null,
  event_id uuid not null,
  revision bigint not null default 0,
  lineage_head bytea not null default decode(repeat('00', 32), 'hex'),
  audit_count bigint not null default 0,
  audit_head bytea not null default decode(repeat('00', 32), 'hex'),
  seat_count integer not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, event_id),
  foreign key (organization_id, event_id) references events
) with (fillfactor = 10);

create table event_zones (
  organization_id uuid not null,
  event_id uuid not null,
  zone_id uuid not null,
  place integer not null,
  name text not null,
  zone_type text not null,
  has_seats boolean not null,
  capacity integer not null check (capacity > 0),
  access_mode text not null,
  membership_tier text,
  allowed_roles text[] not null default '{}',
  disabled boolean not null default false,
  held integer not null default 0,
  sold integer not null default 0,
  blocked integer not null default 0,
  companions_released boolean not null default false,
  primary key (organization_id, event_id, zone_id),
  foreign key (organization_id, event_id) references event_boards,
  -- The last guard against selling a place twice.
  check (held >= 0 and sold >= 0 and blocked >= 0 and held + sold + blocked <= capacity)
) with (fillfactor = 50);

create table event_seats (
  organization_id uuid not null,
  event_id uuid not null,
  ordinal integer not null,
  seat_id uuid not null,
  zone_id uuid not null,
  status text not null check (status in ('available', 'held', 'sold', 'blocked')),
  held_until timestamptz,
  locked_at timestamptz,
  seat_hold_id uuid,
  ticket_id uuid,
  version integer not null default 1,
  primary key (organization_id, event_id, ordinal),
  unique (organization_id, event_id, seat_id)
) with (fillfactor = 50);

call separate_tenants('events', 'event_layouts', 'event_prices', 'event_boards', 'event_zones',
  'event_seats');

grant select, insert, update on events, event_layouts, event_boards, event_zones, event_seats
  to voelgoed_app, voelgoed_jobs;
grant select, insert, update, delete on event_prices to voelgoed_app, voelgoed_jobs;
-- A plan that changes under an event on sale is made anew.
grant delete on event_zones, event_seats to voelgoed_app, voelgoed_jobs;

-- Lookup: a public event names its organization. A draft is nobody's business.
grant create on schema public to voelgoed_lookup;
create policy lookup on events for select to voelgoed_lookup using (true);
grant select (organization_id, event_id, status) on events to voelgoed_lookup;

create function lookup_event(wanted_event uuid)
  returns table (organization_id uuid)
  language sql stable security definer set search_path = pg_catalog, public
  begin atomic
    select e.organization_id from events e join organizations o using (organization_id)
    where e.event_id = wanted_event and e.status not in ('draft', 'archived')
      and o.status <> 'archived';
  end;
alter function lookup_event(uuid) owner to voelgoed_lookup;
revoke all on function lookup_event(uuid) from public;
grant execute on function lookup_event(uuid) to voelgoed_app;
revoke create on schema public from voelgoed_lookup;
