-- How full an event was, minute by minute, for curves over days. What the moment is like is never
-- counted from here: the board knows it.
create table occupancy_snapshots (
  organization_id uuid not null,
  event_id uuid not null,
  -- A whole minute: nodes that keep the same minute keep it once.
  snapshot_at timestamptz not null check (date_trunc('minute', snapshot_at) = snapshot_at),
  revision bigint not null,
  available_count integer not null,
  held_count integer not null,
  sold_count integer not null,
  blocked_count integer not null,
  live_attendees integer not null,
  -- Held or sold, of everything there is.
  occupancy_percent numeric(5, 1) not null check (occupancy_percent between 0 and 100),
  primary key (organization_id, event_id, snapshot_at),
  foreign key (organization_id, event_id) references event_boards
);

call separate_tenants('occupancy_snapshots');
grant select, insert on occupancy_snapshots to voelgoed_app, voelgoed_jobs;
