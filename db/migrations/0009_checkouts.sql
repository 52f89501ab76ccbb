-- Holds on their way to tickets. `items` are the holds with their prices; where each is, the hold
-- itself says.
create table checkouts (
  organization_id uuid not null,
  checkout_id uuid not null,
  event_id uuid not null,
  user_id uuid not null,
  status text not null check (status in
    ('started', 'paying', 'completed', 'abandoned', 'failed', 'cancelled')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  total_cents bigint not null check (total_cents >= 0),
  items jsonb not null,
  -- The last payment was declined.
  declined boolean not null default false,
  method text check (method in ('payment', 'free', 'cash', 'card', 'invoice', 'complimentary')),
  attempt_id uuid,
  sold_by uuid,
  created_at timestamptz not null,
  closed_at timestamptz,
  close_reason text,
  primary key (organization_id, checkout_id),
  foreign key (organization_id, user_id) references users,
  foreign key (organization_id, event_id) references event_boards,
  check ((closed_at is null) = (status in ('started', 'paying'))),
  check ((method is not null) = (status = 'completed'))
) with (fillfactor = 80);
-- One open checkout per buyer and event; the board is loaded by it.
create unique index checkouts_open on checkouts (organization_id, event_id, user_id)
  where status in ('started', 'paying');
-- Rows are found by their key, which begins with the organization. A second index that begins so
-- looks as good to Postgres while it has no statistics, and then each lookup reads all of the
-- organization's rows; so no other index here does.
create index checkouts_event on checkouts (event_id, checkout_id);

-- A hold knows its checkout while it is open.
alter table seat_holds add column checkout_id uuid;
-- Taken alone, seat by seat: whether the cart strands a seat is judged at its checkout.
alter table seat_holds add column unjudged boolean not null default false;

create table payment_attempts (
  organization_id uuid not null,
  attempt_id uuid not null,
  event_id uuid not null,
  checkout_id uuid not null,
  place integer not null,
  provider text not null check (provider ~ '^[a-z0-9_-]{1,40}$'),
  amount_cents bigint not null check (amount_cents >= 0),
  status text not null check (status in
    ('pending', 'failed', 'succeeded', 'refund_due', 'refunded')),
  created_at timestamptz not null,
  deadline_at timestamptz not null,
  primary key (organization_id, attempt_id),
  unique (checkout_id, place),
  foreign key (organization_id, checkout_id) references checkouts
) with (fillfactor = 80);
create index payment_attempts_id on payment_attempts (attempt_id);

-- What providers have told us, once each.
create table payment_messages (
  organization_id uuid not null,
  provider text not null,
  message_id text not null check (char_length(message_id) between 1 and 255),
  event_id uuid not null,
  attempt_id uuid not null,
  type text not null check (type in
    ('payment.succeeded', 'payment.failed', 'payment.refunded')),
  amount_cents bigint not null,
  currency text not null,
  outcome text not null check (outcome in
    ('completed', 'declined', 'refund_due', 'amount_mismatch', 'refunded', 'ignored')),
  at timestamptz not null,
  primary key (organization_id, provider, message_id),
  foreign key (organization_id, attempt_id) references payment_attempts
);

create table tickets (
  organization_id uuid not null,
  ticket_id uuid not null,
  event_id uuid not null,
  checkout_id uuid not null,
  hold_id uuid not null,
  user_id uuid not null,
  -- Null: a place in a zone without seats.
  seat_id uuid,
  zone_id uuid not null,
  code text not null check (code ~ '^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$'),
  status text not null check (status in ('active', 'voided', 'refunded')),
  price_cents integer not null check (price_cents >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- In a restricted zone: whose membership opens the door.
  member_id uuid,
  created_at timestamptz not null,
  ended_at timestamptz,
  end_reason text check (char_length(end_reason) <= 500),
  primary key (organization_id, ticket_id),
  unique (code, organization_id),
  foreign key (organization_id, checkout_id) references checkouts,
  check ((ended_at is null) = (status = 'active'))
) with (fillfactor = 90);
-- Behind all guards: a seat has one good ticket.
create unique index tickets_one_per_seat on tickets (organization_id, event_id, seat_id)
  where status = 'active' and seat_id is not null;
create index tickets_checkout on tickets (checkout_id);
create index tickets_user on tickets (user_id, ticket_id);

-- Money that was taken and has to be given back. The platform does that and says so.
create table refunds_due (
  organization_id uuid not null,
  refund_id uuid not null,
  event_id uuid not null,
  checkout_id uuid not null,
  attempt_id uuid,
  ticket_id uuid,
  amount_cents bigint not null check (amount_cents >= 0),
  currency text not null,
  reason text not null check (reason in ('seats_gone', 'paid_twice', 'amount_mismatch',
    'checkout_cancelled', 'event_cancelled', 'ticket_refunded')),
  status text not null default 'due' check (status in ('due', 'refunded')),
  created_at timestamptz not null,
  refunded_at timestamptz,
  primary key (organization_id, refund_id),
  foreign key (organization_id, checkout_id) references checkouts,
  check (attempt_id is not null or ticket_id is not null),
  check ((status = 'refunded') = (refunded_at is not null))
);
-- Once per attempt that bought nothing, and once per ticket.
create unique index refunds_due_attempt on refunds_due (organization_id, attempt_id)
  where ticket_id is null;
create unique index refunds_due_ticket on refunds_due (organization_id, ticket_id)
  where ticket_id is not null;
-- What a provider has given back is looked for by its attempt.
create index refunds_due_by_attempt on refunds_due (attempt_id);

call separate_tenants('checkouts', 'payment_attempts', 'payment_messages', 'tickets',
  'refunds_due');
grant select, insert, update on checkouts, payment_attempts, tickets, refunds_due
  to voelgoed_app, voelgoed_jobs;
grant select, insert on payment_messages to voelgoed_app, voelgoed_jobs;

-- An event that was cancelled owes its tickets, also when it has been put away since.
alter table events add column cancelled_at timestamptz;
alter table events no force row level security;
update events set cancelled_at = changed_at where status = 'cancelled';
alter table events force row level security;
create index events_called_off on events (cancelled_at) where cancelled_at is not null;

-- Lookups: a payment message names its attempt and nothing else; cancelled events owe money.
grant create on schema public to voelgoed_lookup;
create policy lookup on payment_attempts for select to voelgoed_lookup using (true);
grant select (organization_id, event_id, checkout_id, attempt_id, provider, status)
  on payment_attempts to voelgoed_lookup;
create function lookup_attempt(wanted_attempt uuid)
  returns table (organization_id uuid, event_id uuid, checkout_id uuid, provider text)
  language sql stable security definer set search_path = pg_catalog, public
  begin atomic
    select a.organization_id, a.event_id, a.checkout_id, a.provider from payment_attempts a
    where a.attempt_id = wanted_attempt;
  end;
alter function lookup_attempt(uuid) owner to voelgoed_lookup;
revoke all on function lookup_attempt(uuid) from public;
grant execute on function lookup_attempt(uuid) to voelgoed_app;

create policy lookup on checkouts for select to voelgoed_lookup using (true);
grant select (organization_id, checkout_id, attempt_id) on checkouts to voelgoed_lookup;
grant select (cancelled_at) on events to voelgoed_lookup;
create policy lookup on tickets for select to voelgoed_lookup using (true);
create policy lookup on refunds_due for select to voelgoed_lookup using (true);
grant select (organization_id, event_id, checkout_id, ticket_id, status, price_cents) on tickets
  to voelgoed_lookup;
grant select (organization_id, ticket_id) on refunds_due to voelgoed_lookup;
-- Tickets of events that were cancelled within a month, whose money nobody has written down yet and
-- no provider has given back.
create function lookup_unrefunded(most integer)
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
alter function lookup_unrefunded(integer) owner to voelgoed_lookup;
revoke all on function lookup_unrefunded(integer) from public;
grant execute on function lookup_unrefunded(integer) to voelgoed_jobs;
revoke create on schema public from voelgoed_lookup;
