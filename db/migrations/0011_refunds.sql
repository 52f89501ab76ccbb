-- An event that was cancelled owes its tickets, also when it has been put away since.
alter table events add column cancelled_at timestamptz;
alter table events no force row level security;
update events set cancelled_at = changed_at where status = 'cancelled';
alter table events force row level security;
create index events_called_off on events (cancelled_at) where cancelled_at is not null;

-- What a provider has given back whole is not owed again.
grant create on schema public to voelgoed_lookup;
create policy lookup on checkouts for select to voelgoed_lookup using (true);
grant select (organization_id, checkout_id, attempt_id) on checkouts to voelgoed_lookup;
grant select (status) on payment_attempts to voelgoed_lookup;
grant select (checkout_id) on tickets to voelgoed_lookup;
grant select (cancelled_at) on events to voelgoed_lookup;
create or replace function lookup_unrefunded(most integer)
  returns table (organization_id uuid, event_id uuid, ticket_ids uuid[])
  language sql stable security definer set search_path = pg_catalog, public
  begin atomic
    select e.organization_id, e.event_id, found.ticket_ids from events e
    cross join lateral (
      select array_agg(page.ticket_id) as ticket_ids from (
        select t.ticket_id from tickets t
        where t.organization_id = e.organization_id and t.event_id = e.event_id
          and t.status = 'active' and t.price_cents > 0 and not exists (select from refunds_due r
            where r.organization_id = t.organization_id and r.ticket_id = t.ticket_id)
          and not exists (select from checkouts c join payment_attempts a
            on a.organization_id = c.organization_id and a.attempt_id = c.attempt_id
            where c.organization_id = t.organization_id and c.checkout_id = t.checkout_id
              and a.status = 'refunded')
        limit most) page) found
    where e.cancelled_at > now() - interval '30 days' and found.ticket_ids is not null
    limit 20;
  end;
revoke create on schema public from voelgoed_lookup;
