-- What alters many tables locks them first: this one and those up to 0022 alter every table of a
-- tenant in one transaction. Whoever has one of them open for long is met here, before anything is
-- done and while nobody else waits for long: `migrate` gives up after 400 ms for a table, and here
-- after 2 s for all, and tries again later. The order is that of nodes: a flush takes event_boards
-- first, and what changes anything writes to the audit log last. By name, which is nearly the
-- opposite, a busy node and this would each hold what the other needs.
do $$
declare
  table_name text;
begin
  for table_name in
    select c.relname from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relrowsecurity
    order by case when c.relname = 'event_boards' then 0 when c.relname like 'audit%' then 2
      else 1 end, c.relname
  loop
    execute format('lock table %I in access exclusive mode', table_name);
    if clock_timestamp() > statement_timestamp() + interval '2 s' then
      raise exception 'waited for locks for more than 2 s' using errcode = 'lock_not_available';
    end if;
  end loop;
end $$;

-- Event time is the database's clock minus a drift, one for the whole installation. It is 0 until
-- the clock is set while nodes are running (by hand, by NTP, by a failover): then the drift takes
-- the step up, and no hold ends early or lives for ever. Not a tenant's table.
create table clock_state (
  is_only boolean primary key default true check (is_only),
  -- Raised by every change: who changes it names the epoch that was read.
  epoch bigint not null default 0,
  drift_ms bigint not null default 0,
  -- How often event time itself was moved (the drift removed by an operator, or a log found ahead
  -- of it). All other changes let it go on: a node that sees it jump then has found a step.
  jumps bigint not null default 0,
  -- From then on the drift goes towards 0 by 1 % of the time that passes; null: it stays.
  slewing_since timestamptz,
  changed_at timestamptz not null default clock_timestamp()
);
insert into clock_state default values;
grant select on clock_state to voelgoed_app, voelgoed_jobs, voelgoed_lookup;
-- Not by the role of requests: an altered statement of it would end the holds of every tenant.
grant update (epoch, drift_ms, jumps, slewing_since, changed_at) on clock_state to voelgoed_jobs;

-- Volatile like the clock that it reads: a statement that compares rows with it selects it once.
create function event_now() returns timestamptz
  language sql volatile set search_path = pg_catalog, public, pg_temp
  begin atomic
    select t.now - make_interval(secs => coalesce((
      select sign(c.drift_ms) * greatest(0, abs(c.drift_ms) - coalesce(
        greatest(0, extract(epoch from t.now - c.slewing_since)) * 10, 0))
      from clock_state c), 0)::float8 / 1000)
    from (select clock_timestamp() as now offset 0) t;
  end;
revoke all on function event_now() from public;
grant execute on function event_now() to voelgoed_app, voelgoed_jobs, voelgoed_lookup;

-- The reaper's question by event time.
grant create on schema public to voelgoed_lookup;
-- contract: answers 0.1.0 as before while there is no drift; with one it ignores it in any case
create or replace function lookup_due_events(most integer)
  returns table (organization_id uuid, event_id uuid)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
  begin atomic
    select distinct d.organization_id, d.event_id from (
      (select h.organization_id, h.event_id from seat_holds h
       where h.status = 'active' and h.held_until <= (select event_now())
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
revoke create on schema public from voelgoed_lookup;
