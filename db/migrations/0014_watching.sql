-- What background work that looks after the rest has to know across organizations.
grant create on schema public to voelgoed_lookup;

-- Events in turn: whoever looks at some of them goes on with the next ones.
create function lookup_events_after(after_event uuid, most integer)
  returns table (organization_id uuid, event_id uuid)
  language sql stable security definer set search_path = pg_catalog, public
  begin atomic
    select e.organization_id, e.event_id from events e
    where e.event_id > after_event and e.status not in ('draft', 'archived')
    order by e.event_id limit most;
  end;
alter function lookup_events_after(uuid, integer) owner to voelgoed_lookup;
revoke all on function lookup_events_after(uuid, integer) from public;
grant execute on function lookup_events_after(uuid, integer) to voelgoed_jobs;

-- Whose snapshot is open keeps every row version alive that was there when it was taken: with one
-- that is eight seconds old, commits of one event were half as fast.
create function lookup_oldest_snapshot()
  returns double precision
  language sql volatile security definer set search_path = pg_catalog, public
  begin atomic
    select coalesce(max(extract(epoch from clock_timestamp() - since)), 0)::double precision
    from (select xact_start as since from pg_stat_activity
          where backend_xmin is not null and datname = current_database()
            and pid <> pg_backend_pid()
          union all
          select prepared from pg_prepared_xacts where database = current_database()) open;
  end;
alter function lookup_oldest_snapshot() owner to voelgoed_lookup;
revoke all on function lookup_oldest_snapshot() from public;
grant execute on function lookup_oldest_snapshot() to voelgoed_jobs;
revoke create on schema public from voelgoed_lookup;

-- Postgres shows sessions of others to those who may read its statistics. An owner who may not
-- grant that goes without: the number is then 0, and docs/operate.md says what a superuser can do.
do $$
begin
  if current_setting('server_version_num')::int >= 160000 then
    execute 'grant pg_read_all_stats to voelgoed_lookup with inherit true';
  else
    grant pg_read_all_stats to voelgoed_lookup;
    alter role voelgoed_lookup inherit;
  end if;
exception when insufficient_privilege then
  raise notice 'sessions of other roles cannot be seen: pg_read_all_stats is not ours to grant';
end;
$$;
