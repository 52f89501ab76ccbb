-- References that every hold paid for, in processor time of Postgres per row: each is a query of
-- its own, and locks the row that it finds, which writes that row's page and its own record of the
-- log.
--
-- Nothing that the product may do needs them. No role of it may delete an organization, a user, an
-- event or its board, so that what was found once stays. What a row may name when it is written is
-- told by other means, in the same statement or transaction:
--
-- a row of the trail, and the address beside it, belong to the organization of the session (the
-- policy of row level security compares them); 5 µs each, and everybody who wrote anything for an
-- organization locked the same row of it.
alter table audit_log drop constraint audit_log_organization_id_fkey;
alter table audit_context drop constraint audit_context_organization_id_fkey;

-- A flush has locked the board of its event, and changes it in the statement that writes its holds:
-- without a board there is no flush. 4 to 5 µs.
alter table seat_holds drop constraint seat_holds_organization_id_event_id_fkey;

-- Holders are looked up by the same statement, all of them at once and without a lock. 6 to 8 µs.
alter table seat_holds drop constraint seat_holds_organization_id_user_id_fkey;

-- The same answer as the reference gave: only the wish with the unknown holder fails.
create function refuse_holders() returns boolean language plpgsql as $$
begin
  raise exception 'a hold names somebody who is not known' using errcode = '23503';
end $$;
