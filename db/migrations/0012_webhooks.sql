-- Webhooks: addresses of an organization that are told what happens. The change log itself is the
-- queue of what is still to be told; an endpoint has a cursor per event in it. What was queued last
-- is in webhook_deliveries, a few at a time, and stays there as the delivery log.
create table webhooks (
  organization_id uuid not null references organizations,
  webhook_id uuid not null,
  url text not null check (char_length(url) between 1 and 2048),
  description text check (char_length(description) <= 500),
  -- Empty: all of them, also those that are yet to come.
  kinds text[] not null default '{}' check (cardinality(kinds) <= 100),
  event_ids uuid[] not null default '{}' check (cardinality(event_ids) <= 100),
  status text not null default 'active' check (status in ('active', 'disabled')),
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('failing', 'gone', 'by_hand')),
  -- The secret is derived from these and from the server's own secret: a dump opens nothing.
  secret_salt bytea not null check (octet_length(secret_salt) = 32),
  previous_salt bytea check (octet_length(previous_salt) = 32),
  previous_until timestamptz,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  -- The last number that was given to a delivery: they go out in this order.
  queued bigint not null default 0,
  -- When somebody should look at it again; null: when something happens.
  next_at timestamptz,
  -- Who works for it, and until when nobody else does.
  lease_id uuid,
  leased_until timestamptz,
  last_success_at timestamptz,
  -- Since when nothing has arrived that was sent.
  failing_since timestamptz,
  last_error text check (char_length(last_error) <= 200),
  primary key (organization_id, webhook_id),
  check ((status = 'disabled') = (disabled_at is not null)),
  check ((disabled_at is null) = (disabled_reason is null)),
  check ((previous_salt is null) = (previous_until is null))
) with (fillfactor = 50);
create index webhooks_active on webhooks (webhook_id) where status = 'active';

-- How far in the log of an event an endpoint has been told. No row: from the beginning.
create table webhook_cursors (
  organization_id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  revision bigint not null check (revision >= 0),
  -- Marks that zones had passed when they were last looked at, in percent by zone.
  levels jsonb not null default '{}',
  primary key (organization_id, webhook_id, event_id),
  foreign key (organization_id, webhook_id) references webhooks on delete cascade
) with (fillfactor = 50);

create table webhook_deliveries (
  organization_id uuid not null,
  -- The same thing told to the same endpoint has the same id, however often it is sent.
  delivery_id uuid not null,
  webhook_id uuid not null,
  sequence bigint not null,
  event_id uuid,
  revision bigint,
  kind text not null check (char_length(kind) between 1 and 64),
  payload json not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'dead')),
  -- When it happened; the lag is counted from here.
  happened_at timestamptz not null,
  created_at timestamptz not null,
  attempts integer not null default 0,
  first_attempt_at timestamptz,
  last_attempt_at timestamptz,
  next_at timestamptz,
  finished_at timestamptz,
  response_status integer,
  response_body text check (char_length(response_body) <= 500),
  duration_ms integer,
  error text check (char_length(error) <= 200),
  primary key (organization_id, delivery_id),
  foreign key (organization_id, webhook_id) references webhooks on delete cascade,
  check ((status = 'pending') = (finished_at is null))
) with (fillfactor = 70);
-- In order, for sending and for looking at.
create index webhook_deliveries_pending on webhook_deliveries (webhook_id, sequence)
  where status = 'pending';
create index webhook_deliveries_log on webhook_deliveries (webhook_id, sequence);
create index webhook_deliveries_age on webhook_deliveries (finished_at)
  where finished_at is not null;

call separate_tenants('webhooks', 'webhook_cursors', 'webhook_deliveries');
grant select, insert, update, delete on webhooks, webhook_cursors, webhook_deliveries
  to voelgoed_app, voelgoed_jobs;

-- Lookups: which endpoints there are to work for, which of them are behind, and by how much. Ids
-- and times only.
grant create on schema public to voelgoed_lookup;
create policy lookup on webhooks for select to voelgoed_lookup using (true);
create policy lookup on webhook_cursors for select to voelgoed_lookup using (true);
create policy lookup on webhook_deliveries for select to voelgoed_lookup using (true);
create policy lookup on seat_changes for select to voelgoed_lookup using (true);
grant select (organization_id, webhook_id, status, event_ids, next_at, leased_until) on webhooks
  to voelgoed_lookup;
grant select (organization_id, webhook_id, event_id, revision) on webhook_cursors
  to voelgoed_lookup;
grant select (organization_id, webhook_id, status, sequence, happened_at) on webhook_deliveries
  to voelgoed_lookup;
grant select (organization_id, event_id, revision, at) on seat_changes to voelgoed_lookup;

create function lookup_webhooks(most integer)
  returns table (organization_id uuid, webhook_id uuid, next_at timestamptz, leased boolean)
  language sql stable security definer set search_path = pg_catalog, public
  begin atomic
    select w.organization_id, w.webhook_id, w.next_at,
      w.leased_until is not null and w.leased_until > statement_timestamp()
    from webhooks w where w.status = 'active' order by w.next_at nulls last limit most;
  end;
alter function lookup_webhooks(integer) owner to voelgoed_lookup;
revoke all on function lookup_webhooks(integer) from public;
grant execute on function lookup_webhooks(integer) to voelgoed_jobs;

-- The next endpoints that wait for something to happen, with the time of the oldest row of the log
-- that they have not read; null: they have read all. Those that have a time of their own (next_at)
-- look for themselves. A few at a time: each is compared with all events of its organization.
create function lookup_webhooks_behind(after uuid, endpoints integer)
  returns table (organization_id uuid, webhook_id uuid, since timestamptz)
  language sql stable security definer set search_path = pg_catalog, public
  begin atomic
    select w.organization_id, w.webhook_id,
      (select min(unread.at) from event_boards b
       cross join lateral (select coalesce((select c.revision from webhook_cursors c
         where c.organization_id = w.organization_id and c.webhook_id = w.webhook_id
           and c.event_id = b.event_id), 0) as revision) told
       cross join lateral (select s.at from seat_changes s
         where s.organization_id = w.organization_id and s.event_id = b.event_id
           and s.revision > told.revision order by s.revision limit 1) unread
       where b.organization_id = w.organization_id and b.revision > told.revision
         and (cardinality(w.event_ids) = 0 or b.event_id = any (w.event_ids)))
    from (select one.organization_id, one.webhook_id, one.event_ids from webhooks one
      where one.status = 'active' and one.next_at is null and one.webhook_id > after
      order by one.webhook_id limit endpoints) w;
  end;
alter function lookup_webhooks_behind(uuid, integer) owner to voelgoed_lookup;
revoke all on function lookup_webhooks_behind(uuid, integer) from public;
grant execute on function lookup_webhooks_behind(uuid, integer) to voelgoed_jobs;

-- When the oldest thing happened that is queued for an active endpoint and has not arrived.
create function lookup_webhook_lag()
  returns table (happened_at timestamptz)
  language sql stable security definer set search_path = pg_catalog, public
  begin atomic
    select min(head.happened_at) from webhooks w
    cross join lateral (select d.happened_at from webhook_deliveries d
      where d.webhook_id = w.webhook_id and d.organization_id = w.organization_id
        and d.status = 'pending' order by d.sequence limit 1) head
    where w.status = 'active';
  end;
alter function lookup_webhook_lag() owner to voelgoed_lookup;
revoke all on function lookup_webhook_lag() from public;
grant execute on function lookup_webhook_lag() to voelgoed_jobs;
revoke create on schema public from voelgoed_lookup;
