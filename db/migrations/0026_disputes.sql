-- The audit log and the list of refusals are searched in disputes: by seat, by user, by checkout.

-- Everything that was done to a hold, a checkout, a ticket or a refund. Ids grow with time, so that
-- rows of a flush come to the end of this index: 2 µs each.
create index audit_log_entity on audit_log (chain_id, entity_id);

-- Which holds there were of a seat. The entry names it where a hold begins; what follows is found
-- by the hold. The same statement writes the id into the row of the hold, so that no entry fails
-- here because of what it says. Events of one layout have the same seats. 2 µs for each hold.
create index audit_log_begun_on on audit_log (chain_id, ((changes ->> 'seat_id')::uuid))
  where action = 'seat_reserved';

-- Which holds and checkouts a user had, also those that are over. A hold pays for it when it ends:
-- the index in its place had only those that were alive, and was as long in the making.
create index seat_holds_of_user on seat_holds (user_id, status);
drop index seat_holds_user;
create index tickets_hold on tickets (hold_id);
create index checkouts_user on checkouts (user_id, checkout_id);

-- What buyers do is found by their holds. Members, keys and the platform's administrator act on
-- what is not theirs; the rows of a sale are not in here.
create index audit_log_staff on audit_log (chain_id, actor_id, sequence)
  where actor_id is not null and actor_role is distinct from 'customer';

-- The few entries that name seats in another way, beside those of audit_log_blocks.
create index audit_log_moves on audit_log (chain_id, sequence)
  where action in ('seats_unblocked', 'ticket_reseated');

-- The operator that reads a field of JSON is not marked as safe beside row level security, so that
-- the index on a seat serves no role that is bound by a policy on rows. This function may use it.
-- It answers for the organization of the transaction alone, and with ids of holds alone.
create policy lookup on audit_log for select to voelgoed_lookup using (true);
grant select (organization_id, chain_id, action, entity_id, changes) on audit_log
  to voelgoed_lookup;
grant create on schema public to voelgoed_lookup;
create function lookup_begun(chain uuid, seats uuid[])
  returns table (entity_id uuid)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
  begin atomic
    select a.entity_id from audit_log a
    where a.organization_id = (select current_organization()) and a.chain_id = chain
      and a.action = 'seat_reserved' and (a.changes ->> 'seat_id')::uuid = any (seats);
  end;
alter function lookup_begun(uuid, uuid[]) owner to voelgoed_lookup;
revoke all on function lookup_begun(uuid, uuid[]) from public;
grant execute on function lookup_begun(uuid, uuid[]) to voelgoed_app;
revoke create on schema public from voelgoed_lookup;

-- From where a refused request came, as the keyed hash by which addresses are counted.
alter table refusal_log add column zone_ids uuid[] not null default '{}';
alter table refusal_log add column ip_hash text;
alter table refusal_log add column user_agent text;
create index refusal_log_user on refusal_log (organization_id, user_id, at desc)
  where user_id is not null;
-- Erasing what is personal about a user.
grant update (ip_hash, user_agent) on refusal_log to voelgoed_app;
