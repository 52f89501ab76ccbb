-- How often it has changed who may do what in an organization: its state, its users' and its
-- memberships. Nodes remember standings, and ask for this number instead of asking for every buyer
-- again: on the day of a sale that was a statement for every few holds.
alter table organizations add column standing bigint not null default 0;

create function note_standing() returns trigger
  language plpgsql set search_path = pg_catalog, public as $$
begin
  update organizations set standing = standing + 1
  where organization_id = coalesce(new.organization_id, old.organization_id);
  return null;
end $$;

create function note_own_standing() returns trigger
  language plpgsql set search_path = pg_catalog, public as $$
begin
  new.standing := old.standing + 1;
  return new;
end $$;

create trigger standing before update on organizations for each row
  when (old.status is distinct from new.status) execute function note_own_standing();
create trigger standing after update on users for each row
  when (old.status is distinct from new.status) execute function note_standing();
create trigger standing after insert or delete on memberships for each row
  execute function note_standing();
create trigger standing_change after update on memberships for each row
  when ((old.role, old.tier, old.status, old.valid_until)
    is distinct from (new.role, new.tier, new.status, new.valid_until))
  execute function note_standing();

grant create on schema public to voelgoed_lookup;
grant select (standing) on organizations to voelgoed_lookup;
create function lookup_standings(wanted_organizations uuid[])
  returns table (organization_id uuid, standing bigint)
  language sql stable security definer set search_path = pg_catalog, public
  begin atomic
    select o.organization_id, o.standing from organizations o
    where o.organization_id = any (wanted_organizations);
  end;
alter function lookup_standings(uuid[]) owner to voelgoed_lookup;
revoke all on function lookup_standings(uuid[]) from public;
grant execute on function lookup_standings(uuid[]) to voelgoed_app;
revoke create on schema public from voelgoed_lookup;
