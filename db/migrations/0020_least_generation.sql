-- Which nodes may serve on this schema. A migration that adds leaves it alone, and older nodes go
-- on; one that takes away what older nodes need raises it in the same transaction, and they refuse
-- to start and say that they are not ready. The generation of a node is in its code
-- (engine/postgres/migrations.ts). Nodes of 0.1.0 do not ask: unsigned organizations stop them.
create table schema_generation (
  only_one boolean primary key default true check (only_one),
  least integer not null check (least > 0)
);
insert into schema_generation (least) values (1);
grant select on schema_generation to voelgoed_app, voelgoed_jobs;
