-- Who may enter a zone that is open to named people only.
create table zone_whitelist (
  organization_id uuid not null,
  event_id uuid not null,
  zone_id uuid not null,
  user_id uuid not null,
  primary key (organization_id, event_id, zone_id, user_id),
  foreign key (organization_id, event_id) references events,
  foreign key (organization_id, user_id) references users
);

-- Wishes that were refused. Not chained and not complete under a storm: a row may stand for many.
create table refusal_log (
  organization_id uuid not null references organizations,
  refusal_id uuid not null,
  event_id uuid not null,
  at timestamptz not null,
  action text not null,
  code text not null,
  user_id uuid,
  seat_ids uuid[] not null default '{}',
  times integer not null default 1 check (times > 0),
  primary key (organization_id, refusal_id)
);
create index refusal_log_event on refusal_log (organization_id, event_id, at desc);
create index refusal_log_age on refusal_log (organization_id, at);

call separate_tenants('zone_whitelist', 'refusal_log');
grant select, insert, delete on zone_whitelist, refusal_log to voelgoed_app, voelgoed_jobs;
