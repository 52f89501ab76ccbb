-- How often the public page of an event was looked at, minute by minute: how many, never who. Not
-- tied to the event's row by a key: checking it would wait for the lock under which seats are sold.
create table page_views (
  organization_id uuid not null references organizations,
  event_id uuid not null,
  -- A whole minute; nodes add what they have counted in it.
  at timestamptz not null check (date_trunc('minute', at) = at),
  views integer not null check (views > 0),
  primary key (organization_id, event_id, at)
);

call separate_tenants('page_views');
grant select, insert, update (views) on page_views to voelgoed_app, voelgoed_jobs;
grant select on page_views to voelgoed_backup;
create policy backup on page_views for select to voelgoed_backup using (true);
