-- Seats are found by ordinal alone; each is in its layout once, so it is on its event once. A
-- second index that also begins with the event is worse than useless: for an event that was
-- published after the last ANALYZE it looks as good as the key, and then each seat costs a walk
-- over all.
alter table event_seats drop constraint event_seats_organization_id_event_id_seat_id_key;

-- The trail is read chain by chain, from its end: the key does that. These cost 6 to 10 µs per row.
drop index audit_log_timeline;
drop index audit_log_actor;
drop index audit_log_action;

-- Holds. A seat, or places in a zone without seats, that somebody has for some minutes. Rows stay
-- when they have ended: they are the history of a seat, also after the event got another plan, so
-- they refer to users and to the event and not to the seats of its plan.
-- The figures are what each part costs in processor time of Postgres per hold, of 41 µs for the
-- row with everything; `npm run bench -- --only schema` measures them again.
create table seat_holds (
  organization_id uuid not null,
  hold_id uuid not null,
  event_id uuid not null,
  seat_id uuid,
  zone_id uuid,
  quantity integer not null check (quantity between 1 and 1000),
  user_id uuid not null,
  cart_token text not null check (char_length(cart_token) between 1 and 255),
  status text not null check (status in ('active', 'converted', 'expired', 'cancelled')),
  source text not null check (source in ('web', 'scanner', 'offline_sync', 'box_office')),
  created_at timestamptz not null,
  held_until timestamptz not null,
  ended_at timestamptz,
  end_reason text check (end_reason in ('ttl_expired', 'user_cancelled', 'payment_failed',
    'admin_override', 'event_cancelled', 'checkout_completed')),
  made_by uuid,
  notes text check (char_length(notes) <= 500),
  ip_hash text,
  primary key (organization_id, hold_id),
  -- 15 µs: every hold locks another user's row.
  foreign key (organization_id, user_id) references users,
  -- 1 to 11 µs: a flush has locked the row already.
  foreign key (organization_id, event_id) references event_boards,
  check ((seat_id is null) <> (zone_id is null)),
  check (seat_id is null or quantity = 1),
  check (held_until > created_at),
  check ((status = 'active') = (ended_at is null) and (ended_at is null) = (end_reason is null))
) with (fillfactor = 80);
-- Behind all guards: a seat has one live hold. 6 µs.
create unique index seat_holds_one_active on seat_holds (organization_id, event_id, seat_id)
  where status = 'active';
-- The sweep's question, which is asked every second: whose time is over? 2 to 5 µs.
create index seat_holds_due on seat_holds (held_until) where status = 'active';
-- 2 to 6 µs.
create index seat_holds_user on seat_holds (organization_id, user_id) where status = 'active';

-- The log: one row per commit. `changes` is json, not jsonb: the hash covers it byte for byte.
create table seat_changes (
  organization_id uuid not null,
  event_id uuid not null,
  revision bigint not null check (revision > 0),
  flush_id uuid not null,
  at timestamptz not null,
  format smallint not null,
  changes json not null,
  hash bytea not null check (octet_length(hash) = 32),
  primary key (organization_id, event_id, revision),
  foreign key (organization_id, event_id) references event_boards
);
-- Compressing what is read once and rarely again costs more than the room it takes.
alter table seat_changes alter column changes set storage external;

-- Boards as they were, to begin a replay at. Gzipped JSON.
create table board_snapshots (
  organization_id uuid not null,
  event_id uuid not null,
  revision bigint not null,
  at timestamptz not null,
  hash bytea not null check (octet_length(hash) = 32),
  content bytea not null,
  primary key (organization_id, event_id, revision),
  foreign key (organization_id, event_id) references event_boards
);
alter table board_snapshots alter column content set storage external;

-- What the board decides by: the policy in force for this event, until its own command changes it.
create table event_configs (
  organization_id uuid not null,
  event_id uuid not null,
  version integer not null default 1,
  policy jsonb not null,
  -- Which state of the organization's own policy this one was made from.
  policy_at timestamptz not null default now(),
  primary key (organization_id, event_id),
  foreign key (organization_id, event_id) references event_boards
);

-- Work on many seats that has been decided and is not yet done.
create table board_tasks (
  organization_id uuid not null,
  event_id uuid not null,
  tasks json not null,
  primary key (organization_id, event_id),
  foreign key (organization_id, event_id) references event_boards
);

call separate_tenants('seat_holds', 'seat_changes', 'board_snapshots', 'event_configs',
  'board_tasks');

grant select, insert, update on seat_holds, event_configs to voelgoed_app, voelgoed_jobs;
grant select, insert on seat_changes to voelgoed_app, voelgoed_jobs;
grant select, insert, delete on board_snapshots to voelgoed_app, voelgoed_jobs;
grant select, insert, update, delete on board_tasks to voelgoed_app, voelgoed_jobs;

-- Raises when a flush would not do exactly what was decided. An error inside the statement is the
-- only way: COMMIT is on the wire before anybody has seen the counts.
create function refuse_flush(guard text) returns boolean language plpgsql as $$
begin
  raise exception 'the flush contradicts the database: %', guard using errcode = 'VG010';
end $$;

-- Lookups: what the sweep and the feed ask across organizations. Ids, revisions and hashes only.
grant create on schema public to voelgoed_lookup;
create policy lookup on seat_holds for select to voelgoed_lookup using (true);
create policy lookup on event_boards for select to voelgoed_lookup using (true);
create policy lookup on board_tasks for select to voelgoed_lookup using (true);
grant select (organization_id, event_id, status, held_until) on seat_holds to voelgoed_lookup;
grant select (organization_id, event_id, revision, lineage_head) on event_boards
  to voelgoed_lookup;
grant select (organization_id, event_id) on board_tasks to voelgoed_lookup;
create index events_cancelled on events (changed_at) where status = 'cancelled';
grant select (changed_at) on events to voelgoed_lookup;

-- Events that have something to do: holds whose time is over, holds of an event that was cancelled
-- within a day, unfinished tasks.
create function lookup_due_events(most integer)
  returns table (organization_id uuid, event_id uuid)
  language sql stable security definer set search_path = pg_catalog, public
  begin atomic
    select distinct d.organization_id, d.event_id from (
      (select h.organization_id, h.event_id from seat_holds h
       where h.status = 'active' and h.held_until <= clock_timestamp()
       order by h.held_until limit 10000)
      union all
      select t.organization_id, t.event_id from board_tasks t
      union all
      select e.organization_id, e.event_id from events e
      where e.status = 'cancelled' and e.changed_at > now() - interval '1 day'
        and exists (select from seat_holds h where h.organization_id = e.organization_id
          and h.event_id = e.event_id and h.status = 'active')) d
    limit most;
  end;
alter function lookup_due_events(integer) owner to voelgoed_lookup;
revoke all on function lookup_due_events(integer) from public;
grant execute on function lookup_due_events(integer) to voelgoed_jobs;

-- Events that still decide by an older policy than their organization has.
create policy lookup on event_configs for select to voelgoed_lookup using (true);
create policy lookup on seating_policies for select to voelgoed_lookup using (true);
grant select (organization_id, event_id, policy_at) on event_configs to voelgoed_lookup;
grant select (organization_id, changed_at) on seating_policies to voelgoed_lookup;

create function lookup_stale_policies(most integer)
  returns table (organization_id uuid, event_id uuid)
  language sql stable security definer set search_path = pg_catalog, public
  begin atomic
    select c.organization_id, c.event_id
    from seating_policies p
    join event_configs c on c.organization_id = p.organization_id
      and c.policy_at < date_trunc('milliseconds', p.changed_at)
    join events e on e.organization_id = c.organization_id and e.event_id = c.event_id
      and e.status in ('published', 'live', 'postponed')
    limit most;
  end;
alter function lookup_stale_policies(integer) owner to voelgoed_lookup;
revoke all on function lookup_stale_policies(integer) from public;
grant execute on function lookup_stale_policies(integer) to voelgoed_jobs;

create function lookup_board_heads(wanted_events uuid[])
  returns table (event_id uuid, revision bigint, lineage_head bytea)
  language sql stable security definer set search_path = pg_catalog, public
  begin atomic
    select b.event_id, b.revision, b.lineage_head
    from unnest(wanted_events) as wanted (event_id)
    join events e on e.event_id = wanted.event_id
    join event_boards b on b.organization_id = e.organization_id and b.event_id = e.event_id;
  end;
alter function lookup_board_heads(uuid[]) owner to voelgoed_lookup;
revoke all on function lookup_board_heads(uuid[]) from public;
grant execute on function lookup_board_heads(uuid[]) to voelgoed_app, voelgoed_jobs;
revoke create on schema public from voelgoed_lookup;
