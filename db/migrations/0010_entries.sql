-- The door. Entries are not the state of a seat: they are written by whoever scans, beside the
-- event's writer, and never wait for it.

-- Who is inside, by ticket and day. The row is locked while a scan is decided, so two scanners with
-- the same code come one after the other.
create table ticket_days (
  organization_id uuid not null,
  ticket_id uuid not null,
  day date not null,
  event_id uuid not null,
  -- Where the ticket was counted when it last came in: it may have got another seat since.
  zone_id uuid not null,
  inside boolean not null default false,
  entries integer not null default 0 check (entries >= 0),
  primary key (organization_id, ticket_id, day),
  foreign key (organization_id, ticket_id) references tickets
) with (fillfactor = 80);

-- How many are inside, by zone and day.
create table zone_days (
  organization_id uuid not null,
  event_id uuid not null,
  zone_id uuid not null,
  day date not null,
  inside integer not null default 0 check (inside >= 0),
  entries integer not null default 0 check (entries >= 0),
  primary key (organization_id, event_id, day, zone_id),
  foreign key (organization_id, event_id) references event_boards
) with (fillfactor = 50);

-- Every scan there was, also the denied ones. Nobody changes or deletes a row.
create table entries (
  organization_id uuid not null references organizations,
  entry_id uuid not null,
  at timestamptz not null,
  direction text not null check (direction in ('in', 'out')),
  status text not null check (status in ('admitted', 'denied')),
  reason text check (char_length(reason) between 1 and 64),
  -- All null when nothing here has such a code; then `scanned` is what was read instead.
  event_id uuid,
  ticket_id uuid,
  zone_id uuid,
  day date,
  scanned text check (char_length(scanned) <= 200),
  -- The event was not open yet: a scanner was tried out.
  test boolean not null default false,
  scanned_by uuid,
  primary key (organization_id, entry_id),
  foreign key (organization_id, ticket_id) references tickets,
  check ((reason is null) = (status = 'admitted')),
  check ((ticket_id is null) = (event_id is null)),
  check ((ticket_id is null) = (scanned is not null)),
  check (status = 'denied' or (ticket_id is not null and day is not null and not test))
);
create index entries_event on entries (event_id, entry_id)
  where event_id is not null;

call separate_tenants('ticket_days', 'zone_days', 'entries');
grant select, insert, update on ticket_days, zone_days to voelgoed_app, voelgoed_jobs;
grant select, insert on entries to voelgoed_app, voelgoed_jobs;

-- The box office looks through the tickets of an event, and finds people by what they say. Most
-- buyers have neither name nor address here and cost these indexes nothing.
create index tickets_event on tickets (event_id, ticket_id);
create index users_name on users (organization_id, lower(name) text_pattern_ops)
  where name is not null;
create index users_email on users (organization_id, lower(email) text_pattern_ops)
  where email is not null;
