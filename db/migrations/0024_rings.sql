-- Seats of a round table: the first and the last of them sit side by side. Versions that are there
-- keep their meaning, and a node that does not know the column takes a table for an open row.
alter table seats add column ring boolean not null default false;

-- Which companion seats an event has: asked for each event in a list, of halls with 100,000 seats.
create index seats_companions on seats (organization_id, layout_id, version, ordinal)
  where companion_of is not null;
