-- Where each zone looks: the best seats of a zone are the nearest to it. The rows of a version are
-- written once, so those that are there get theirs here, from the config they were made of.
alter table zones add column focal_x double precision;
alter table zones add column focal_y double precision;
alter table zones disable trigger zones_immutable;
alter table zones no force row level security;
alter table layouts no force row level security;
update zones z set
  focal_x = coalesce((l.config -> 'zones' -> z.place -> 'focal_point' ->> 'x')::float8,
    (l.config -> 'focal_point' ->> 'x')::float8, 0),
  focal_y = coalesce((l.config -> 'zones' -> z.place -> 'focal_point' ->> 'y')::float8,
    (l.config -> 'focal_point' ->> 'y')::float8, 0)
from layouts l
where l.organization_id = z.organization_id and l.layout_id = z.layout_id
  and l.version = z.version;
alter table layouts force row level security;
alter table zones force row level security;
alter table zones enable trigger zones_immutable;
alter table zones alter column focal_x set not null;
alter table zones alter column focal_y set not null;

-- For whom a held place is, where that is somebody else than the buyer: in a zone for members each
-- person is judged. Few holds have any, so they cost the others nothing here.
create table hold_people (
  organization_id uuid not null,
  event_id uuid not null,
  hold_id uuid not null,
  user_id uuid not null,
  primary key (organization_id, event_id, hold_id, user_id),
  foreign key (organization_id, event_id) references event_boards
);
call separate_tenants('hold_people');
grant select, insert on hold_people to voelgoed_app, voelgoed_jobs;
