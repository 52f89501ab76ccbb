-- The provider in the path of a payment message has to be the one that the payment was begun with.
-- 0.1.0 stored whatever name a buyer's request had and compared nothing, so payments of its nodes
-- are of no named provider here: their messages go on to come by any path. Its nodes may run beside
-- new ones for a while, so that is every payment that was begun until a day after this migration.
-- A new installation has none.
grant select (name, run_on) on schema_migrations to voelgoed_lookup;
grant select (created_at) on payment_attempts to voelgoed_lookup;
grant create on schema public to voelgoed_lookup;
-- contract: 0.1.0 does not read the provider that it returns
create or replace function lookup_attempt(wanted_attempt uuid)
  returns table (organization_id uuid, event_id uuid, checkout_id uuid, provider text)
  language sql stable security definer set search_path = pg_catalog, public, pg_temp
  begin atomic
    select a.organization_id, a.event_id, a.checkout_id,
      case when exists (
        select from schema_migrations compared, schema_migrations earlier
        where compared.name = '0017_payment_providers' and earlier.run_on < compared.run_on
          and a.created_at < compared.run_on + interval '1 day')
      then 'platform' else a.provider end
    from payment_attempts a
    where a.attempt_id = wanted_attempt;
  end;
revoke create on schema public from voelgoed_lookup;
