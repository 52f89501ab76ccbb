-- The serving roles could update every column of most tables, so that one altered statement could
-- have given a hold to another user, seat or event. From here on a role may update the columns that
-- its statements set, and no other: keys, owners, events, seats and times of creation stay what
-- they were when the row was made. A column that is to change is granted by the migration that adds
-- it.
-- contract: 0.1.0 goes on: the columns that its statements set are granted again below
revoke update on api_keys, board_tasks, checkouts, event_boards, event_configs, event_layouts,
  event_prices, event_seats, event_zones, events, idempotency_keys, layouts, memberships,
  organizations, payment_attempts, refunds_due, seat_holds, seating_policies, ticket_days, tickets,
  users, venues, webhook_cursors, webhook_deliveries, webhooks, zone_days, zone_whitelist
  from voelgoed_app, voelgoed_jobs, voelgoed_writer;

-- Requests and jobs. The standing of an organization is counted by triggers on its members.
grant update (expires_at, last_used_at, revoked_at) on api_keys to voelgoed_app, voelgoed_jobs;
grant update (revision, lineage_head, audit_count, audit_head, seat_count) on event_boards
  to voelgoed_app, voelgoed_jobs;
grant update (version, policy, policy_at) on event_configs to voelgoed_app, voelgoed_jobs;
grant update (layout_id, layout_version, zones, overrides, changed_at) on event_layouts
  to voelgoed_app, voelgoed_jobs;
grant update (status, held_until, locked_at, seat_hold_id, ticket_id, version) on event_seats
  to voelgoed_app, voelgoed_jobs;
grant update (held, sold, blocked, companions_released) on event_zones
  to voelgoed_app, voelgoed_jobs;
grant update (venue_id, name, description, status, starts_at, ends_at, sale_starts_at, sale_ends_at,
  currency, days, postponement_reason, rescheduled_at, published_at, cancelled_at, changed_at)
  on events to voelgoed_app, voelgoed_jobs, voelgoed_writer;
grant update (body_hash, answer, created_at) on idempotency_keys to voelgoed_app, voelgoed_jobs;
grant update (name, description, config, seat_count, total_capacity, status, changed_at,
  activated_at, archived_at) on layouts to voelgoed_app, voelgoed_jobs;
grant update (role, tier, status, valid_until, changed_at) on memberships
  to voelgoed_app, voelgoed_jobs;
grant update (status, standing, audit_count, audit_head) on organizations
  to voelgoed_app, voelgoed_jobs;
grant update (policy, changed_at) on seating_policies to voelgoed_app, voelgoed_jobs;
grant update (zone_id, inside, entries) on ticket_days to voelgoed_app, voelgoed_jobs;
grant update (inside, entries) on zone_days to voelgoed_app, voelgoed_jobs;
grant update (subject, email, name, erased_at) on users to voelgoed_app, voelgoed_jobs;
grant update (name, timezone, address, max_capacity) on venues to voelgoed_app, voelgoed_jobs;
grant update (revision, levels) on webhook_cursors to voelgoed_app, voelgoed_jobs;
grant update (sequence, payload, status, attempts, first_attempt_at, last_attempt_at, next_at,
  finished_at, response_status, response_body, duration_ms, error) on webhook_deliveries
  to voelgoed_app, voelgoed_jobs;
grant update (url, description, kinds, event_ids, status, secret_salt, previous_salt,
  previous_until, queued, lease_id, leased_until, next_at, failing_since, last_success_at,
  last_error, disabled_at, disabled_reason, changed_at) on webhooks to voelgoed_app, voelgoed_jobs;

-- Another plan under an event on sale moves its holds and tickets, as a job.
grant update (seat_id, zone_id) on seat_holds, tickets to voelgoed_jobs;

-- Flushes.
grant update (tasks) on board_tasks to voelgoed_writer;
grant update (revision, lineage_head, audit_count, audit_head) on event_boards to voelgoed_writer;
grant update (version, policy, policy_at) on event_configs to voelgoed_writer;
grant update (status, held_until, locked_at, seat_hold_id, ticket_id, version) on event_seats
  to voelgoed_writer;
grant update (held, sold, blocked, companions_released) on event_zones to voelgoed_writer;
grant update (body_hash, answer, created_at) on idempotency_keys to voelgoed_writer;
grant update (status, held_until, checkout_id, ended_at, end_reason, quantity) on seat_holds
  to voelgoed_writer;
grant update (status, items, total_cents, declined, method, attempt_id, sold_by, closed_at,
  close_reason) on checkouts to voelgoed_writer;
grant update (status) on payment_attempts to voelgoed_writer;
grant update (status, refunded_at) on refunds_due to voelgoed_writer;
grant update (status, ended_at, end_reason, seat_id, zone_id) on tickets to voelgoed_writer;

-- Nodes of 0.1.0 flush, and change plans, as voelgoed_app.
grant update (tasks) on board_tasks to voelgoed_app;
grant update (status, held_until, checkout_id, ended_at, end_reason, seat_id) on seat_holds
  to voelgoed_app;
grant update (status, items, total_cents, declined, method, attempt_id, sold_by, closed_at,
  close_reason) on checkouts to voelgoed_app;
grant update (status) on payment_attempts to voelgoed_app;
grant update (status, refunded_at) on refunds_due to voelgoed_app;
grant update (status, ended_at, end_reason, seat_id, zone_id) on tickets to voelgoed_app;

-- Once an operator has said that no such node is left (organizations are signed), requests move
-- nothing. The triggers are asked for these columns alone, once for a statement, so that a flush of
-- holds does not meet them.
create function refuse_moves() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from public.organization_keys k where k.role_name = session_user) then
    raise exception 'requests do not move holds and tickets: jobs and flushes do'
      using errcode = 'insufficient_privilege';
  end if;
  return null;
end $$;
revoke all on function refuse_moves() from public;
-- contract: lets 0.1.0 move tickets until an operator demands signatures, which stops 0.1.0
create trigger moves before update of seat_id, zone_id on tickets for each statement
  when (session_user = 'voelgoed_app') execute function refuse_moves();
-- contract: lets 0.1.0 move holds until an operator demands signatures, which stops 0.1.0
create trigger moves before update of seat_id, zone_id on seat_holds for each statement
  when (session_user = 'voelgoed_app') execute function refuse_moves();

grant create on schema public to voelgoed_lookup;
alter function refuse_moves() owner to voelgoed_lookup;
revoke create on schema public from voelgoed_lookup;
