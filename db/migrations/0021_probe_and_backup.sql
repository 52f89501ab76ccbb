-- Nodes ask every second whether this server accepts writes, by writing: setting a sequence is a
-- record in the log and a commit as that of a hold is, is refused by a standby, and leaves nothing
-- behind that would have to be vacuumed.
create sequence write_probe;
grant update on sequence write_probe to voelgoed_app;

-- A dump needs every row of every organization. The owner sees none, for row level security is
-- forced, and managed databases give nobody a role that bypasses it. This role reads everything and
-- changes nothing; it cannot log in before an operator says so.
do $$
begin
  if not exists (select from pg_roles where rolname = 'voelgoed_backup') then
    create role voelgoed_backup nologin noinherit;
  end if;
exception
  -- Roles belong to the whole server: another database of it may be migrated at this moment.
  when duplicate_object or unique_violation then null;
end $$;
comment on role voelgoed_backup is
  'Reads every row of every organization, for pg_dump; changes nothing.';
grant usage on schema public to voelgoed_backup;
grant select on all tables in schema public to voelgoed_backup;
grant select on all sequences in schema public to voelgoed_backup;
do $$
declare
  table_name text;
begin
  for table_name in
    select c.relname from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relrowsecurity
  loop
    execute format('create policy backup on %I for select to voelgoed_backup using (true)',
      table_name);
  end loop;
end $$;
