-- What the generator drew a version from, so that a form can go on with it: null when the plan
-- came as a file. Who wrote the draft last, and how often it was written: a writer who says which
-- state of the draft is meant does not overwrite another one.
alter table layouts add column spec json;
alter table layouts add column revision integer not null default 1;
alter table layouts add column changed_by uuid;

grant update (spec, revision, changed_by) on layouts to voelgoed_app, voelgoed_jobs;

-- A node that does not know the columns replaces the config alone: the draft is another one then,
-- by an unknown hand, and the spec of the one before would be untrue.
-- contract: lets 0.1.0 write drafts as before, and counts them
create or replace function refuse_layout_change() returns trigger language plpgsql as $$
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
       or new.spec::text is distinct from old.spec::text or new.revision <> old.revision
       or new.changed_by is distinct from old.changed_by
       or new.activated_at is distinct from old.activated_at or new.status = 'draft'
       or (old.status = 'archived' and new.status <> 'archived')) then
    raise exception 'layout % version % is % and cannot change', old.layout_id, old.version,
      old.status using errcode = 'VG001';
  end if;
  if new.revision = old.revision and new.changed_at <> old.changed_at then
    new.revision = old.revision + 1;
    new.spec = null;
    new.changed_by = null;
  end if;
  return new;
end $$;
