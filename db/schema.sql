create table api_keys (
  organization_id uuid not null,
  key_id uuid not null,
  name text not null,
  secret_hash bytea not null,
  scopes text[] not null,
  created_by uuid,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  replaces uuid,
  constraint api_keys_pkey PRIMARY KEY (organization_id, key_id),
  constraint api_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint api_keys_organization_id_replaces_fkey FOREIGN KEY (organization_id, replaces) REFERENCES api_keys(organization_id, key_id),
  constraint api_keys_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  constraint api_keys_scopes_check CHECK (((cardinality(scopes) >= 1) AND (cardinality(scopes) <= 100))),
  constraint api_keys_secret_hash_check CHECK ((octet_length(secret_hash) = 32))
);
CREATE INDEX api_keys_id ON public.api_keys USING btree (key_id);
CREATE UNIQUE INDEX api_keys_one_successor ON public.api_keys USING btree (organization_id, replaces) WHERE ((replaces IS NOT NULL) AND (revoked_at IS NULL));
alter table api_keys enable row level security;
alter table api_keys force row level security;
create policy backup on api_keys for select to voelgoed_backup using (true);
create policy lookup on api_keys for select to voelgoed_lookup using (true);
create policy tenant on api_keys for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant insert, select on api_keys to voelgoed_app;
grant select on api_keys to voelgoed_backup;
grant insert, select on api_keys to voelgoed_jobs;
grant update (expires_at, revoked_at, last_used_at) on api_keys to voelgoed_app;
grant update (expires_at, revoked_at, last_used_at) on api_keys to voelgoed_jobs;
grant select (organization_id, key_id) on api_keys to voelgoed_lookup;

create table audit_context (
  organization_id uuid not null,
  context_id uuid not null,
  user_id uuid,
  ip_address inet,
  user_agent text,
  constraint audit_context_pkey PRIMARY KEY (organization_id, context_id),
  constraint audit_context_user_agent_check CHECK ((char_length(user_agent) <= 512))
);
CREATE INDEX audit_context_user ON public.audit_context USING btree (organization_id, user_id);
alter table audit_context enable row level security;
alter table audit_context force row level security;
create policy backup on audit_context for select to voelgoed_backup using (true);
create policy flush on audit_context for all to voelgoed_writer using ((organization_id = flush_organization())) with check ((organization_id = flush_organization()));
create policy tenant on audit_context for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant delete, insert, select on audit_context to voelgoed_app;
grant select on audit_context to voelgoed_backup;
grant delete, insert, select on audit_context to voelgoed_jobs;
grant insert on audit_context to voelgoed_writer;

create table audit_log (
  organization_id uuid not null,
  chain_id uuid not null,
  sequence bigint not null,
  at timestamp with time zone not null,
  actor_kind text not null,
  actor_id uuid,
  actor_role text,
  action text not null,
  entity_type text not null,
  entity_id uuid,
  changes jsonb not null,
  context_id uuid,
  hash bytea not null,
  constraint audit_log_pkey PRIMARY KEY (organization_id, chain_id, sequence),
  constraint audit_log_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['user'::text, 'key'::text, 'platform'::text, 'system'::text]))),
  constraint audit_log_hash_check CHECK ((octet_length(hash) = 32)),
  constraint audit_log_sequence_check CHECK ((sequence > 0))
);
CREATE INDEX audit_log_begun_on ON public.audit_log USING btree (chain_id, (((changes ->> 'seat_id'::text))::uuid)) WHERE (action = 'seat_reserved'::text);
CREATE INDEX audit_log_blocks ON public.audit_log USING btree (chain_id, sequence) WHERE (action = ANY (ARRAY['seats_blocked'::text, 'ticket_voided'::text, 'ticket_refunded'::text]));
CREATE INDEX audit_log_entity ON public.audit_log USING btree (chain_id, entity_id);
CREATE INDEX audit_log_moves ON public.audit_log USING btree (chain_id, sequence) WHERE (action = ANY (ARRAY['seats_unblocked'::text, 'ticket_reseated'::text]));
CREATE INDEX audit_log_staff ON public.audit_log USING btree (chain_id, actor_id, sequence) WHERE ((actor_id IS NOT NULL) AND (actor_role IS DISTINCT FROM 'customer'::text));
alter table audit_log enable row level security;
alter table audit_log force row level security;
create policy backup on audit_log for select to voelgoed_backup using (true);
create policy flush on audit_log for all to voelgoed_writer using ((organization_id = flush_organization())) with check ((organization_id = flush_organization()));
create policy lookup on audit_log for select to voelgoed_lookup using (true);
create policy tenant on audit_log for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant insert, select on audit_log to voelgoed_app;
grant select on audit_log to voelgoed_backup;
grant insert, select on audit_log to voelgoed_jobs;
grant insert on audit_log to voelgoed_writer;
grant select (organization_id, chain_id, action, entity_id, changes) on audit_log to voelgoed_lookup;

create table board_snapshots (
  organization_id uuid not null,
  event_id uuid not null,
  revision bigint not null,
  at timestamp with time zone not null,
  hash bytea not null,
  content bytea not null,
  constraint board_snapshots_pkey PRIMARY KEY (organization_id, event_id, revision),
  constraint board_snapshots_organization_id_event_id_fkey FOREIGN KEY (organization_id, event_id) REFERENCES event_boards(organization_id, event_id),
  constraint board_snapshots_hash_check CHECK ((octet_length(hash) = 32))
);
alter table board_snapshots enable row level security;
alter table board_snapshots force row level security;
create policy backup on board_snapshots for select to voelgoed_backup using (true);
create policy tenant on board_snapshots for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant delete, insert, select on board_snapshots to voelgoed_app;
grant select on board_snapshots to voelgoed_backup;
grant delete, insert, select on board_snapshots to voelgoed_jobs;

create table board_tasks (
  organization_id uuid not null,
  event_id uuid not null,
  tasks json not null,
  constraint board_tasks_pkey PRIMARY KEY (organization_id, event_id),
  constraint board_tasks_organization_id_event_id_fkey FOREIGN KEY (organization_id, event_id) REFERENCES event_boards(organization_id, event_id)
);
alter table board_tasks enable row level security;
alter table board_tasks force row level security;
create policy backup on board_tasks for select to voelgoed_backup using (true);
create policy flush on board_tasks for all to voelgoed_writer using ((organization_id = flush_organization())) with check ((organization_id = flush_organization()));
create policy lookup on board_tasks for select to voelgoed_lookup using (true);
create policy tenant on board_tasks for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant delete, insert, select on board_tasks to voelgoed_app;
grant select on board_tasks to voelgoed_backup;
grant delete, insert, select on board_tasks to voelgoed_jobs;
grant delete, insert, select on board_tasks to voelgoed_writer;
grant update (tasks) on board_tasks to voelgoed_app;
grant select (organization_id, event_id) on board_tasks to voelgoed_lookup;
grant update (tasks) on board_tasks to voelgoed_writer;

create table checkouts (
  organization_id uuid not null,
  checkout_id uuid not null,
  event_id uuid not null,
  user_id uuid not null,
  status text not null,
  currency text not null,
  total_cents bigint not null,
  items jsonb not null,
  declined boolean default false not null,
  method text,
  attempt_id uuid,
  sold_by uuid,
  created_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  close_reason text,
  given_back boolean default false not null,
  constraint checkouts_pkey PRIMARY KEY (organization_id, checkout_id),
  constraint checkouts_organization_id_event_id_fkey FOREIGN KEY (organization_id, event_id) REFERENCES event_boards(organization_id, event_id),
  constraint checkouts_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, user_id),
  constraint checkouts_check CHECK (((closed_at IS NULL) = (status = ANY (ARRAY['started'::text, 'paying'::text])))),
  constraint checkouts_check1 CHECK (((method IS NOT NULL) = (status = 'completed'::text))),
  constraint checkouts_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint checkouts_method_check CHECK ((method = ANY (ARRAY['payment'::text, 'free'::text, 'cash'::text, 'card'::text, 'invoice'::text, 'complimentary'::text]))),
  constraint checkouts_status_check CHECK ((status = ANY (ARRAY['started'::text, 'paying'::text, 'completed'::text, 'abandoned'::text, 'failed'::text, 'cancelled'::text]))),
  constraint checkouts_total_cents_check CHECK ((total_cents >= 0))
) with (fillfactor=80);
CREATE INDEX checkouts_event ON public.checkouts USING btree (event_id, checkout_id);
CREATE UNIQUE INDEX checkouts_open ON public.checkouts USING btree (organization_id, event_id, user_id) WHERE (status = ANY (ARRAY['started'::text, 'paying'::text]));
CREATE INDEX checkouts_user ON public.checkouts USING btree (user_id, checkout_id);
alter table checkouts enable row level security;
alter table checkouts force row level security;
create policy backup on checkouts for select to voelgoed_backup using (true);
create policy flush on checkouts for all to voelgoed_writer using ((organization_id = flush_organization())) with check ((organization_id = flush_organization()));
create policy lookup on checkouts for select to voelgoed_lookup using (true);
create policy tenant on checkouts for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant insert, select on checkouts to voelgoed_app;
grant select on checkouts to voelgoed_backup;
grant insert, select on checkouts to voelgoed_jobs;
grant insert, select on checkouts to voelgoed_writer;
grant update (status, total_cents, items, declined, method, attempt_id, sold_by, closed_at, close_reason) on checkouts to voelgoed_app;
grant select (organization_id, checkout_id, attempt_id) on checkouts to voelgoed_lookup;
grant update (status, total_cents, items, declined, method, attempt_id, sold_by, closed_at, close_reason, given_back) on checkouts to voelgoed_writer;

create table clock_state (
  is_only boolean default true not null,
  epoch bigint default 0 not null,
  drift_ms bigint default 0 not null,
  jumps bigint default 0 not null,
  slewing_since timestamp with time zone,
  changed_at timestamp with time zone default clock_timestamp() not null,
  constraint clock_state_pkey PRIMARY KEY (is_only),
  constraint clock_state_is_only_check CHECK (is_only)
);
grant select on clock_state to voelgoed_app;
grant select on clock_state to voelgoed_backup;
grant select on clock_state to voelgoed_jobs;
grant select on clock_state to voelgoed_lookup;
grant select on clock_state to voelgoed_writer;
grant update (epoch, drift_ms, jumps, slewing_since, changed_at) on clock_state to voelgoed_jobs;

create table entries (
  organization_id uuid not null,
  entry_id uuid not null,
  at timestamp with time zone not null,
  direction text not null,
  status text not null,
  reason text,
  event_id uuid,
  ticket_id uuid,
  zone_id uuid,
  day date,
  scanned text,
  test boolean default false not null,
  scanned_by uuid,
  constraint entries_pkey PRIMARY KEY (organization_id, entry_id),
  constraint entries_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint entries_organization_id_ticket_id_fkey FOREIGN KEY (organization_id, ticket_id) REFERENCES tickets(organization_id, ticket_id),
  constraint entries_check CHECK (((reason IS NULL) = (status = 'admitted'::text))),
  constraint entries_check1 CHECK (((ticket_id IS NULL) = (event_id IS NULL))),
  constraint entries_check2 CHECK (((ticket_id IS NULL) = (scanned IS NOT NULL))),
  constraint entries_check3 CHECK (((status = 'denied'::text) OR ((ticket_id IS NOT NULL) AND (day IS NOT NULL) AND (NOT test)))),
  constraint entries_direction_check CHECK ((direction = ANY (ARRAY['in'::text, 'out'::text]))),
  constraint entries_reason_check CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 64))),
  constraint entries_scanned_check CHECK ((char_length(scanned) <= 200)),
  constraint entries_status_check CHECK ((status = ANY (ARRAY['admitted'::text, 'denied'::text])))
);
CREATE INDEX entries_event ON public.entries USING btree (event_id, entry_id) WHERE (event_id IS NOT NULL);
CREATE INDEX entries_ticket ON public.entries USING btree (ticket_id, entry_id) WHERE ((direction = 'in'::text) AND (status = 'admitted'::text));
alter table entries enable row level security;
alter table entries force row level security;
create policy backup on entries for select to voelgoed_backup using (true);
create policy tenant on entries for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant insert, select on entries to voelgoed_app;
grant select on entries to voelgoed_backup;
grant insert, select on entries to voelgoed_jobs;

create table event_boards (
  organization_id uuid not null,
  event_id uuid not null,
  revision bigint default 0 not null,
  lineage_head bytea default decode(repeat('00'::text, 32), 'hex'::text) not null,
  audit_count bigint default 0 not null,
  audit_head bytea default decode(repeat('00'::text, 32), 'hex'::text) not null,
  seat_count integer not null,
  created_at timestamp with time zone default now() not null,
  constraint event_boards_pkey PRIMARY KEY (organization_id, event_id),
  constraint event_boards_organization_id_event_id_fkey FOREIGN KEY (organization_id, event_id) REFERENCES events(organization_id, event_id)
) with (fillfactor=10);
alter table event_boards enable row level security;
alter table event_boards force row level security;
create policy backup on event_boards for select to voelgoed_backup using (true);
create policy flush on event_boards for all to voelgoed_writer using ((organization_id = flush_organization())) with check ((organization_id = flush_organization()));
create policy lookup on event_boards for select to voelgoed_lookup using (true);
create policy tenant on event_boards for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant insert, select on event_boards to voelgoed_app;
grant select on event_boards to voelgoed_backup;
grant insert, select on event_boards to voelgoed_jobs;
grant select on event_boards to voelgoed_writer;
grant update (revision, lineage_head, audit_count, audit_head, seat_count) on event_boards to voelgoed_app;
grant update (revision, lineage_head, audit_count, audit_head, seat_count) on event_boards to voelgoed_jobs;
grant select (organization_id, event_id, revision, lineage_head) on event_boards to voelgoed_lookup;
grant update (revision, lineage_head, audit_count, audit_head) on event_boards to voelgoed_writer;

create table event_configs (
  organization_id uuid not null,
  event_id uuid not null,
  version integer default 1 not null,
  policy jsonb not null,
  policy_at timestamp with time zone default now() not null,
  constraint event_configs_pkey PRIMARY KEY (organization_id, event_id),
  constraint event_configs_organization_id_event_id_fkey FOREIGN KEY (organization_id, event_id) REFERENCES event_boards(organization_id, event_id)
);
alter table event_configs enable row level security;
alter table event_configs force row level security;
create policy backup on event_configs for select to voelgoed_backup using (true);
create policy flush on event_configs for all to voelgoed_writer using ((organization_id = flush_organization())) with check ((organization_id = flush_organization()));
create policy lookup on event_configs for select to voelgoed_lookup using (true);
create policy tenant on event_configs for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant insert, select on event_configs to voelgoed_app;
grant select on event_configs to voelgoed_backup;
grant insert, select on event_configs to voelgoed_jobs;
grant insert, select on event_configs to voelgoed_writer;
grant update (version, policy, policy_at) on event_configs to voelgoed_app;
grant update (version, policy, policy_at) on event_configs to voelgoed_jobs;
grant select (organization_id, event_id, policy_at) on event_configs to voelgoed_lookup;
grant update (version, policy, policy_at) on event_configs to voelgoed_writer;

create table event_layouts (
  organization_id uuid not null,
  event_id uuid not null,
  layout_id uuid,
  layout_version integer,
  zones jsonb,
  overrides jsonb default '{}'::jsonb not null,
  changed_at timestamp with time zone default now() not null,
  constraint event_layouts_pkey PRIMARY KEY (organization_id, event_id),
  constraint event_layouts_organization_id_event_id_fkey FOREIGN KEY (organization_id, event_id) REFERENCES events(organization_id, event_id),
  constraint event_layouts_organization_id_layout_id_layout_version_fkey FOREIGN KEY (organization_id, layout_id, layout_version) REFERENCES layouts(organization_id, layout_id, version),
  constraint event_layouts_check CHECK (((layout_id IS NULL) = (layout_version IS NULL))),
  constraint event_layouts_check1 CHECK (((layout_id IS NULL) <> (zones IS NULL)))
);
alter table event_layouts enable row level security;
alter table event_layouts force row level security;
create policy backup on event_layouts for select to voelgoed_backup using (true);
create policy tenant on event_layouts for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant insert, select on event_layouts to voelgoed_app;
grant select on event_layouts to voelgoed_backup;
grant insert, select on event_layouts to voelgoed_jobs;
grant update (layout_id, layout_version, zones, overrides, changed_at) on event_layouts to voelgoed_app;
grant update (layout_id, layout_version, zones, overrides, changed_at) on event_layouts to voelgoed_jobs;

create table event_prices (
  organization_id uuid not null,
  event_id uuid not null,
  zone_id uuid not null,
  price_cents integer not null,
  constraint event_prices_pkey PRIMARY KEY (organization_id, event_id, zone_id),
  constraint event_prices_organization_id_event_id_fkey FOREIGN KEY (organization_id, event_id) REFERENCES events(organization_id, event_id),
  constraint event_prices_price_cents_check CHECK (((price_cents >= 0) AND (price_cents <= 100000000)))
);
alter table event_prices enable row level security;
alter table event_prices force row level security;
create policy backup on event_prices for select to voelgoed_backup using (true);
create policy flush on event_prices for all to voelgoed_writer using ((organization_id = flush_organization())) with check ((organization_id = flush_organization()));
create policy tenant on event_prices for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant delete, insert, select on event_prices to voelgoed_app;
grant select on event_prices to voelgoed_backup;
grant delete, insert, select on event_prices to voelgoed_jobs;
grant delete, insert, select on event_prices to voelgoed_writer;

create table event_seats (
  organization_id uuid not null,
  event_id uuid not null,
  ordinal integer not null,
  seat_id uuid not null,
  zone_id uuid not null,
  status text not null,
  held_until timestamp with time zone,
  locked_at timestamp with time zone,
  seat_hold_id uuid,
  ticket_id uuid,
  version integer default 1 not null,
  kept_block boolean default false not null,
  constraint event_seats_pkey PRIMARY KEY (organization_id, event_id, ordinal),
  constraint event_seats_status_check CHECK ((status = ANY (ARRAY['available'::text, 'held'::text, 'sold'::text, 'blocked'::text])))
) with (fillfactor=50);
alter table event_seats enable row level security;
alter table event_seats force row level security;
create policy backup on event_seats for select to voelgoed_backup using (true);
create policy flush on event_seats for all to voelgoed_writer using ((organization_id = flush_organization())) with check ((organization_id = flush_organization()));
create policy tenant on event_seats for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant delete, insert, select on event_seats to voelgoed_app;
grant select on event_seats to voelgoed_backup;
grant delete, insert, select on event_seats to voelgoed_jobs;
grant select on event_seats to voelgoed_writer;
grant update (status, held_until, locked_at, seat_hold_id, ticket_id, version) on event_seats to voelgoed_app;
grant update (status, held_until, locked_at, seat_hold_id, ticket_id, version, kept_block) on event_seats to voelgoed_jobs;
grant update (status, held_until, locked_at, seat_hold_id, ticket_id, version) on event_seats to voelgoed_writer;

create table event_zones (
  organization_id uuid not null,
  event_id uuid not null,
  zone_id uuid not null,
  place integer not null,
  name text not null,
  zone_type text not null,
  has_seats boolean not null,
  capacity integer not null,
  access_mode text not null,
  membership_tier text,
  allowed_roles text[] default '{}'::text[] not null,
  disabled boolean default false not null,
  held integer default 0 not null,
  sold integer default 0 not null,
  blocked integer default 0 not null,
  companions_released boolean default false not null,
  constraint event_zones_pkey PRIMARY KEY (organization_id, event_id, zone_id),
  constraint event_zones_organization_id_event_id_fkey FOREIGN KEY (organization_id, event_id) REFERENCES event_boards(organization_id, event_id),
  constraint event_zones_capacity_check CHECK ((capacity > 0)),
  constraint event_zones_check CHECK (((held >= 0) AND (sold >= 0) AND (blocked >= 0) AND (((held + sold) + blocked) <= capacity)))
) with (fillfactor=50);
alter table event_zones enable row level security;
alter table event_zones force row level security;
create policy backup on event_zones for select to voelgoed_backup using (true);
create policy flush on event_zones for all to voelgoed_writer using ((organization_id = flush_organization())) with check ((organization_id = flush_organization()));
create policy tenant on event_zones for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant delete, insert, select on event_zones to voelgoed_app;
grant select on event_zones to voelgoed_backup;
grant delete, insert, select on event_zones to voelgoed_jobs;
grant select on event_zones to voelgoed_writer;
grant update (held, sold, blocked, companions_released) on event_zones to voelgoed_app;
grant update (held, sold, blocked, companions_released) on event_zones to voelgoed_jobs;
grant update (held, sold, blocked, companions_released) on event_zones to voelgoed_writer;

create table events (
  organization_id uuid not null,
  event_id uuid not null,
  venue_id uuid,
  slug text not null,
  name text not null,
  description text,
  status text default 'draft'::text not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  sale_starts_at timestamp with time zone,
  sale_ends_at timestamp with time zone,
  currency text not null,
  days date[] not null,
  rescheduled_at timestamp with time zone,
  postponement_reason text,
  published_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  changed_at timestamp with time zone default now() not null,
  cancelled_at timestamp with time zone,
  constraint events_pkey PRIMARY KEY (organization_id, event_id),
  constraint events_organization_id_slug_key UNIQUE (organization_id, slug),
  constraint events_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint events_organization_id_venue_id_fkey FOREIGN KEY (organization_id, venue_id) REFERENCES venues(organization_id, venue_id),
  constraint events_check CHECK ((ends_at > starts_at)),
  constraint events_check1 CHECK ((sale_ends_at > sale_starts_at)),
  constraint events_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint events_days_check CHECK (((cardinality(days) >= 1) AND (cardinality(days) <= 366))),
  constraint events_description_check CHECK ((char_length(description) <= 5000)),
  constraint events_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  constraint events_postponement_reason_check CHECK (((char_length(postponement_reason) >= 1) AND (char_length(postponement_reason) <= 500))),
  constraint events_slug_check CHECK ((slug ~ '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$'::text)),
  constraint events_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'published'::text, 'live'::text, 'ended'::text, 'cancelled'::text, 'postponed'::text, 'archived'::text])))
);
CREATE INDEX events_by_time ON public.events USING btree (organization_id, starts_at, event_id);
CREATE INDEX events_called_off ON public.events USING btree (cancelled_at) WHERE (cancelled_at IS NOT NULL);
CREATE INDEX events_cancelled ON public.events USING btree (changed_at) WHERE (status = 'cancelled'::text);
CREATE INDEX events_id ON public.events USING btree (event_id);
alter table events enable row level security;
alter table events force row level security;
create policy backup on events for select to voelgoed_backup using (true);
create policy flush on events for all to voelgoed_writer using ((organization_id = flush_organization())) with check ((organization_id = flush_organization()));
create policy lookup on events for select to voelgoed_lookup using (true);
create policy tenant on events for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant insert, select on events to voelgoed_app;
grant select on events to voelgoed_backup;
grant insert, select on events to voelgoed_jobs;
grant select on events to voelgoed_writer;
grant update (venue_id, name, description, status, starts_at, ends_at, sale_starts_at, sale_ends_at, currency, days, rescheduled_at, postponement_reason, published_at, changed_at, cancelled_at) on events to voelgoed_app;
grant update (venue_id, name, description, status, starts_at, ends_at, sale_starts_at, sale_ends_at, currency, days, rescheduled_at, postponement_reason, published_at, changed_at, cancelled_at) on events to voelgoed_jobs;
grant select (organization_id, event_id, status, changed_at, cancelled_at) on events to voelgoed_lookup;
grant update (venue_id, name, description, status, starts_at, ends_at, sale_starts_at, sale_ends_at, currency, days, rescheduled_at, postponement_reason, published_at, changed_at, cancelled_at) on events to voelgoed_writer;

create table hold_people (
  organization_id uuid not null,
  event_id uuid not null,
  hold_id uuid not null,
  user_id uuid not null,
  constraint hold_people_pkey PRIMARY KEY (organization_id, event_id, hold_id, user_id),
  constraint hold_people_organization_id_event_id_fkey FOREIGN KEY (organization_id, event_id) REFERENCES event_boards(organization_id, event_id)
);
alter table hold_people enable row level security;
alter table hold_people force row level security;
create policy backup on hold_people for select to voelgoed_backup using (true);
create policy flush on hold_people for all to voelgoed_writer using ((organization_id = flush_organization())) with check ((organization_id = flush_organization()));
create policy tenant on hold_people for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant insert, select on hold_people to voelgoed_app;
grant select on hold_people to voelgoed_backup;
grant insert, select on hold_people to voelgoed_jobs;
grant insert, select on hold_people to voelgoed_writer;

create table idempotency_keys (
  organization_id uuid not null,
  event_id uuid not null,
  user_id uuid not null,
  route text not null,
  key text not null,
  body_hash bytea not null,
  answer jsonb not null,
  created_at timestamp with time zone default now() not null,
  constraint idempotency_keys_pkey PRIMARY KEY (organization_id, event_id, user_id, route, key),
  constraint idempotency_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint idempotency_keys_key_check CHECK (((char_length(key) >= 1) AND (char_length(key) <= 255)))
);
CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (created_at);
alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;
create policy backup on idempotency_keys for select to voelgoed_backup using (true);
create policy flush on idempotency_keys for all to voelgoed_writer using ((organization_id = flush_organization())) with check ((organization_id = flush_organization()));
create policy tenant on idempotency_keys for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant delete, insert, select on idempotency_keys to voelgoed_app;
grant select on idempotency_keys to voelgoed_backup;
grant delete, insert, select on idempotency_keys to voelgoed_jobs;
grant insert, select on idempotency_keys to voelgoed_writer;
grant update (body_hash, answer, created_at) on idempotency_keys to voelgoed_app;
grant update (body_hash, answer, created_at) on idempotency_keys to voelgoed_jobs;
grant update (body_hash, answer, created_at) on idempotency_keys to voelgoed_writer;

create table issuers (
  organization_id uuid not null,
  issuer_id uuid not null,
  issuer text not null,
  jwks_uri text not null,
  audience text not null,
  algorithms text[] not null,
  created_at timestamp with time zone default now() not null,
  constraint issuers_pkey PRIMARY KEY (organization_id, issuer_id),
  constraint issuers_organization_id_issuer_key UNIQUE (organization_id, issuer),
  constraint issuers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint issuers_algorithms_check CHECK (((algorithms <@ ARRAY['RS256'::text, 'PS256'::text, 'ES256'::text, 'EdDSA'::text]) AND (cardinality(algorithms) > 0))),
  constraint issuers_audience_check CHECK (((char_length(audience) >= 1) AND (char_length(audience) <= 255))),
  constraint issuers_issuer_check CHECK (((char_length(issuer) >= 1) AND (char_length(issuer) <= 255))),
  constraint issuers_jwks_uri_check CHECK (((char_length(jwks_uri) >= 1) AND (char_length(jwks_uri) <= 2048)))
);
alter table issuers enable row level security;
alter table issuers force row level security;
create policy backup on issuers for select to voelgoed_backup using (true);
create policy tenant on issuers for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant delete, insert, select on issuers to voelgoed_app;
grant select on issuers to voelgoed_backup;
grant delete, insert, select on issuers to voelgoed_jobs;

create table layouts (
  organization_id uuid not null,
  layout_id uuid not null,
  version integer not null,
  venue_id uuid not null,
  name text not null,
  description text,
  status text default 'draft'::text not null,
  config json not null,
  seat_count integer not null,
  total_capacity integer not null,
  created_at timestamp with time zone default now() not null,
  changed_at timestamp with time zone default now() not null,
  activated_at timestamp with time zone,
  archived_at timestamp with time zone,
  spec json,
  revision integer default 1 not null,
  changed_by uuid,
  constraint layouts_pkey PRIMARY KEY (organization_id, layout_id, version),
  constraint layouts_organization_id_venue_id_fkey FOREIGN KEY (organization_id, venue_id) REFERENCES venues(organization_id, venue_id),
  constraint layouts_description_check CHECK ((char_length(description) <= 2000)),
  constraint layouts_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  constraint layouts_seat_count_check CHECK ((seat_count >= 0)),
  constraint layouts_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'active'::text, 'archived'::text]))),
  constraint layouts_total_capacity_check CHECK ((total_capacity > 0)),
  constraint layouts_version_check CHECK ((version > 0))
);
CREATE UNIQUE INDEX layouts_one_active ON public.layouts USING btree (organization_id, layout_id) WHERE (status = 'active'::text);
CREATE UNIQUE INDEX layouts_one_draft ON public.layouts USING btree (organization_id, layout_id) WHERE (status = 'draft'::text);
CREATE INDEX layouts_venue ON public.layouts USING btree (organization_id, venue_id);
alter table layouts enable row level security;
alter table layouts force row level security;
create policy backup on layouts for select to voelgoed_backup using (true);
create policy tenant on layouts for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
CREATE TRIGGER layouts_immutable BEFORE INSERT OR UPDATE ON public.layouts FOR EACH ROW EXECUTE FUNCTION refuse_layout_change();
grant insert, select on layouts to voelgoed_app;
grant select on layouts to voelgoed_backup;
grant insert, select on layouts to voelgoed_jobs;
grant update (name, description, status, config, seat_count, total_capacity, changed_at, activated_at, archived_at, spec, revision, changed_by) on layouts to voelgoed_app;
grant update (name, description, status, config, seat_count, total_capacity, changed_at, activated_at, archived_at, spec, revision, changed_by) on layouts to voelgoed_jobs;

create table memberships (
  organization_id uuid not null,
  user_id uuid not null,
  role text not null,
  tier text,
  status text default 'active'::text not null,
  valid_until timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  changed_at timestamp with time zone default now() not null,
  constraint memberships_pkey PRIMARY KEY (organization_id, user_id),
  constraint memberships_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, user_id),
  constraint memberships_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'staff'::text, 'viewer'::text, 'scanner'::text, 'customer'::text]))),
  constraint memberships_status_check CHECK ((status = ANY (ARRAY['active'::text, 'revoked'::text, 'expired'::text]))),
  constraint memberships_tier_check CHECK ((tier ~ '^[a-z0-9_]{1,64}$'::text))
);
alter table memberships enable row level security;
alter table memberships force row level security;
create policy backup on memberships for select to voelgoed_backup using (true);
create policy flush on memberships for all to voelgoed_writer using ((organization_id = flush_organization())) with check ((organization_id = flush_organization()));
create policy tenant on memberships for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
CREATE TRIGGER standing AFTER INSERT OR DELETE ON public.memberships FOR EACH ROW EXECUTE FUNCTION note_standing();
CREATE TRIGGER standing_change AFTER UPDATE ON public.memberships FOR EACH ROW WHEN (((((old.role IS DISTINCT FROM new.role) OR (old.tier IS DISTINCT FROM new.tier)) OR (old.status IS DISTINCT FROM new.status)) OR (old.valid_until IS DISTINCT FROM new.valid_until))) EXECUTE FUNCTION note_standing();
grant insert, select on memberships to voelgoed_app;
grant select on memberships to voelgoed_backup;
grant insert, select on memberships to voelgoed_jobs;
grant update (role, tier, status, valid_until, changed_at) on memberships to voelgoed_app;
grant update (role, tier, status, valid_until, changed_at) on memberships to voelgoed_jobs;
grant select (organization_id, user_id, role, tier, status, valid_until) on memberships to voelgoed_writer;

create table occupancy_snapshots (
  organization_id uuid not null,
  event_id uuid not null,
  snapshot_at timestamp with time zone not null,
  revision bigint not null,
  available_count integer not null,
  held_count integer not null,
  sold_count integer not null,
  blocked_count integer not null,
  live_attendees integer not null,
  occupancy_percent numeric(5,1) not null,
  constraint occupancy_snapshots_pkey PRIMARY KEY (organization_id, event_id, snapshot_at),
  constraint occupancy_snapshots_organization_id_event_id_fkey FOREIGN KEY (organization_id, event_id) REFERENCES event_boards(organization_id, event_id),
  constraint occupancy_snapshots_occupancy_percent_check CHECK (((occupancy_percent >= (0)::numeric) AND (occupancy_percent <= (100)::numeric))),
  constraint occupancy_snapshots_snapshot_at_check CHECK ((date_trunc('minute'::text, snapshot_at) = snapshot_at))
);
alter table occupancy_snapshots enable row level security;
alter table occupancy_snapshots force row level security;
create policy backup on occupancy_snapshots for select to voelgoed_backup using (true);
create policy tenant on occupancy_snapshots for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant insert, select on occupancy_snapshots to voelgoed_app;
grant select on occupancy_snapshots to voelgoed_backup;
grant insert, select on occupancy_snapshots to voelgoed_jobs;

create table organization_keys (
  role_name text not null,
  inner_key bytea,
  outer_key bytea,
  constraint organization_keys_pkey PRIMARY KEY (role_name),
  constraint organization_keys_inner_key_check CHECK ((octet_length(inner_key) = 64)),
  constraint organization_keys_outer_key_check CHECK ((octet_length(outer_key) = 64)),
  constraint organization_keys_role_name_check CHECK ((role_name = ANY (ARRAY['voelgoed_app'::text, 'voelgoed_jobs'::text])))
);
grant select on organization_keys to voelgoed_backup;
grant select on organization_keys to voelgoed_lookup;

create table organizations (
  organization_id uuid not null,
  slug text not null,
  name text not null,
  status text default 'active'::text not null,
  created_at timestamp with time zone default now() not null,
  currency text default 'ZAR'::text not null,
  timezone text default 'Africa/Johannesburg'::text not null,
  audit_count bigint default 0 not null,
  audit_head bytea default decode(repeat('00'::text, 32), 'hex'::text) not null,
  standing bigint default 0 not null,
  constraint organizations_pkey PRIMARY KEY (organization_id),
  constraint organizations_slug_key UNIQUE (slug),
  constraint organizations_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint organizations_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  constraint organizations_slug_check CHECK ((slug ~ '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$'::text)),
  constraint organizations_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text, 'archived'::text]))),
  constraint organizations_timezone_check CHECK (((char_length(timezone) >= 1) AND (char_length(timezone) <= 64)))
);
alter table organizations enable row level security;
alter table organizations force row level security;
create policy backup on organizations for select to voelgoed_backup using (true);
create policy flush on organizations for all to voelgoed_writer using ((organization_id = flush_organization())) with check ((organization_id = flush_organization()));
create policy lookup on organizations for select to voelgoed_lookup using (true);
create policy tenant on organizations for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
CREATE TRIGGER standing BEFORE UPDATE ON public.organizations FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION note_own_standing();
grant insert, select on organizations to voelgoed_app;
grant select on organizations to voelgoed_backup;
grant insert, select on organizations to voelgoed_jobs;
grant update (status, audit_count, audit_head, standing) on organizations to voelgoed_app;
grant update (status, audit_count, audit_head, standing) on organizations to voelgoed_jobs;
grant select (organization_id, slug, status, standing) on organizations to voelgoed_lookup;
grant select (organization_id, status) on organizations to voelgoed_writer;

create table page_views (
  organization_id uuid not null,
  event_id uuid not null,
  at timestamp with time zone not null,
  views integer not null,
  constraint page_views_pkey PRIMARY KEY (organization_id, event_id, at),
  constraint page_views_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint page_views_at_check CHECK ((date_trunc('minute'::text, at) = at)),
  constraint page_views_views_check CHECK ((views > 0))
);
alter table page_views enable row level security;
alter table page_views force row level security;
create policy backup on page_views for select to voelgoed_backup using (true);
create policy tenant on page_views for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant insert, select on page_views to voelgoed_app;
grant select on page_views to voelgoed_backup;
grant insert, select on page_views to voelgoed_jobs;
grant update (views) on page_views to voelgoed_app;
grant update (views) on page_views to voelgoed_jobs;

create table payment_attempts (
  organization_id uuid not null,
  attempt_id uuid not null,
  event_id uuid not null,
  checkout_id uuid not null,
  place integer not null,
  provider text not null,
  amount_cents bigint not null,
  status text not null,
  created_at timestamp with time zone not null,
  deadline_at timestamp with time zone not null,
  constraint payment_attempts_pkey PRIMARY KEY (organization_id, attempt_id),
  constraint payment_attempts_checkout_id_place_key UNIQUE (checkout_id, place),
  constraint payment_attempts_organization_id_checkout_id_fkey FOREIGN KEY (organization_id, checkout_id) REFERENCES checkouts(organization_id, checkout_id),
  constraint payment_attempts_amount_cents_check CHECK ((amount_cents >= 0)),
  constraint payment_attempts_provider_check CHECK ((provider ~ '^[a-z0-9_-]{1,40}$'::text)),
  constraint payment_attempts_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'failed'::text, 'succeeded'::text, 'refund_due'::text, 'refunded'::text])))
) with (fillfactor=80);
CREATE INDEX payment_attempts_id ON public.payment_attempts USING btree (attempt_id);
alter table payment_attempts enable row level security;
alter table payment_attempts force row level security;
create policy backup on payment_attempts for select to voelgoed_backup using (true);
create policy flush on payment_attempts for all to voelgoed_writer using ((organization_id = flush_organization())) with check ((organization_id = flush_organization()));
create policy lookup on payment_attempts for select to voelgoed_lookup using (true);
create policy tenant on payment_attempts for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant insert, select on payment_attempts to voelgoed_app;
grant select on payment_attempts to voelgoed_backup;
grant insert, select on payment_attempts to voelgoed_jobs;
grant insert, select on payment_attempts to voelgoed_writer;
grant update (status) on payment_attempts to voelgoed_app;
grant select (organization_id, attempt_id, event_id, checkout_id, provider, status, created_at) on payment_attempts to voelgoed_lookup;
grant update (status) on payment_attempts to voelgoed_writer;

create table payment_messages (
  organization_id uuid not null,
  provider text not null,
  message_id text not null,
  event_id uuid not null,
  attempt_id uuid not null,
  type text not null,
  amount_cents bigint not null,
  currency text not null,
  outcome text not null,
  at timestamp with time zone not null,
  constraint payment_messages_pkey PRIMARY KEY (organization_id, provider, message_id),
  constraint payment_messages_organization_id_attempt_id_fkey FOREIGN KEY (organization_id, attempt_id) REFERENCES payment_attempts(organization_id, attempt_id),
  constraint payment_messages_message_id_check CHECK (((char_length(message_id) >= 1) AND (char_length(message_id) <= 255))),
  constraint payment_messages_outcome_check CHECK ((outcome = ANY (ARRAY['completed'::text, 'declined'::text, 'refund_due'::text, 'amount_mismatch'::text, 'refunded'::text, 'ignored'::text]))),
  constraint payment_messages_type_check CHECK ((type = ANY (ARRAY['payment.succeeded'::text, 'payment.failed'::text, 'payment.refunded'::text])))
);
alter table payment_messages enable row level security;
alter table payment_messages force row level security;
create policy backup on payment_messages for select to voelgoed_backup using (true);
create policy flush on payment_messages for all to voelgoed_writer using ((organization_id = flush_organization())) with check ((organization_id = flush_organization()));
create policy tenant on payment_messages for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant insert, select on payment_messages to voelgoed_app;
grant select on payment_messages to voelgoed_backup;
grant insert, select on payment_messages to voelgoed_jobs;
grant insert, select on payment_messages to voelgoed_writer;

create table refunds_due (
  organization_id uuid not null,
  refund_id uuid not null,
  event_id uuid not null,
  checkout_id uuid not null,
  attempt_id uuid,
  ticket_id uuid,
  amount_cents bigint not null,
  currency text not null,
  reason text not null,
  status text default 'due'::text not null,
  created_at timestamp with time zone not null,
  refunded_at timestamp with time zone,
  constraint refunds_due_pkey PRIMARY KEY (organization_id, refund_id),
  constraint refunds_due_organization_id_checkout_id_fkey FOREIGN KEY (organization_id, checkout_id) REFERENCES checkouts(organization_id, checkout_id),
  constraint refunds_due_amount_cents_check CHECK ((amount_cents >= 0)),
  constraint refunds_due_check CHECK (((attempt_id IS NOT NULL) OR (ticket_id IS NOT NULL))),
  constraint refunds_due_check1 CHECK (((status = 'refunded'::text) = (refunded_at IS NOT NULL))),
  constraint refunds_due_reason_check CHECK ((reason = ANY (ARRAY['seats_gone'::text, 'paid_twice'::text, 'amount_mismatch'::text, 'checkout_cancelled'::text, 'event_cancelled'::text, 'ticket_refunded'::text]))),
  constraint refunds_due_status_check CHECK ((status = ANY (ARRAY['due'::text, 'refunded'::text])))
);
CREATE UNIQUE INDEX refunds_due_attempt ON public.refunds_due USING btree (organization_id, attempt_id) WHERE (ticket_id IS NULL);
CREATE INDEX refunds_due_by_attempt ON public.refunds_due USING btree (attempt_id);
CREATE UNIQUE INDEX refunds_due_ticket ON public.refunds_due USING btree (organization_id, ticket_id) WHERE (ticket_id IS NOT NULL);
alter table refunds_due enable row level security;
alter table refunds_due force row level security;
create policy backup on refunds_due for select to voelgoed_backup using (true);
create policy flush on refunds_due for all to voelgoed_writer using ((organization_id = flush_organization())) with check ((organization_id = flush_organization()));
create policy lookup on refunds_due for select to voelgoed_lookup using (true);
create policy tenant on refunds_due for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant insert, select on refunds_due to voelgoed_app;
grant select on refunds_due to voelgoed_backup;
grant insert, select on refunds_due to voelgoed_jobs;
grant insert, select on refunds_due to voelgoed_writer;
grant update (status, refunded_at) on refunds_due to voelgoed_app;
grant select (organization_id, ticket_id) on refunds_due to voelgoed_lookup;
grant update (status, refunded_at) on refunds_due to voelgoed_writer;

create table refusal_log (
  organization_id uuid not null,
  refusal_id uuid not null,
  event_id uuid not null,
  at timestamp with time zone not null,
  action text not null,
  code text not null,
  user_id uuid,
  seat_ids uuid[] default '{}'::uuid[] not null,
  times integer default 1 not null,
  zone_ids uuid[] default '{}'::uuid[] not null,
  ip_hash text,
  user_agent text,
  constraint refusal_log_pkey PRIMARY KEY (organization_id, refusal_id),
  constraint refusal_log_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint refusal_log_times_check CHECK ((times > 0))
);
CREATE INDEX refusal_log_age ON public.refusal_log USING btree (organization_id, at);
CREATE INDEX refusal_log_event ON public.refusal_log USING btree (organization_id, event_id, at DESC);
CREATE INDEX refusal_log_user ON public.refusal_log USING btree (organization_id, user_id, at DESC) WHERE (user_id IS NOT NULL);
alter table refusal_log enable row level security;
alter table refusal_log force row level security;
create policy backup on refusal_log for select to voelgoed_backup using (true);
create policy tenant on refusal_log for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant delete, insert, select on refusal_log to voelgoed_app;
grant select on refusal_log to voelgoed_backup;
grant delete, insert, select on refusal_log to voelgoed_jobs;
grant update (ip_hash, user_agent) on refusal_log to voelgoed_app;

create table schema_generation (
  only_one boolean default true not null,
  least integer not null,
  constraint schema_generation_pkey PRIMARY KEY (only_one),
  constraint schema_generation_least_check CHECK (("least" > 0)),
  constraint schema_generation_only_one_check CHECK (only_one)
);
grant select on schema_generation to voelgoed_app;
grant select on schema_generation to voelgoed_backup;
grant select on schema_generation to voelgoed_jobs;

create table schema_migrations (
  id integer default nextval('schema_migrations_id_seq'::regclass) not null,
  name character varying(255) not null,
  run_on timestamp without time zone not null,
  constraint schema_migrations_pkey PRIMARY KEY (id)
);
grant select on schema_migrations to voelgoed_app;
grant select on schema_migrations to voelgoed_backup;
grant select on schema_migrations to voelgoed_jobs;
grant select (name, run_on) on schema_migrations to voelgoed_lookup;

create table seat_changes (
  organization_id uuid not null,
  event_id uuid not null,
  revision bigint not null,
  flush_id uuid not null,
  at timestamp with time zone not null,
  format smallint not null,
  changes json not null,
  hash bytea not null,
  constraint seat_changes_pkey PRIMARY KEY (organization_id, event_id, revision),
  constraint seat_changes_organization_id_event_id_fkey FOREIGN KEY (organization_id, event_id) REFERENCES event_boards(organization_id, event_id),
  constraint seat_changes_hash_check CHECK ((octet_length(hash) = 32)),
  constraint seat_changes_revision_check CHECK ((revision > 0))
);
alter table seat_changes enable row level security;
alter table seat_changes force row level security;
create policy backup on seat_changes for select to voelgoed_backup using (true);
create policy flush on seat_changes for all to voelgoed_writer using ((organization_id = flush_organization())) with check ((organization_id = flush_organization()));
create policy lookup on seat_changes for select to voelgoed_lookup using (true);
create policy tenant on seat_changes for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant insert, select on seat_changes to voelgoed_app;
grant select on seat_changes to voelgoed_backup;
grant insert, select on seat_changes to voelgoed_jobs;
grant insert, select on seat_changes to voelgoed_writer;
grant select (organization_id, event_id, revision, at) on seat_changes to voelgoed_lookup;

create table seat_groups (
  organization_id uuid not null,
  layout_id uuid not null,
  version integer not null,
  group_id uuid not null,
  group_type text not null,
  zone_id uuid not null,
  seat_ids uuid[] not null,
  metadata jsonb default '{}'::jsonb not null,
  constraint seat_groups_pkey PRIMARY KEY (organization_id, layout_id, version, group_id),
  constraint seat_groups_organization_id_layout_id_version_zone_id_fkey FOREIGN KEY (organization_id, layout_id, version, zone_id) REFERENCES zones(organization_id, layout_id, version, zone_id),
  constraint seat_groups_group_type_check CHECK ((group_type = ANY (ARRAY['wheelchair_pair'::text, 'family_block'::text, 'vip_table'::text, 'reserved_block'::text]))),
  constraint seat_groups_seat_ids_check CHECK ((cardinality(seat_ids) > 0))
);
alter table seat_groups enable row level security;
alter table seat_groups force row level security;
create policy backup on seat_groups for select to voelgoed_backup using (true);
create policy tenant on seat_groups for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
CREATE TRIGGER seat_groups_immutable BEFORE DELETE OR UPDATE ON public.seat_groups FOR EACH STATEMENT EXECUTE FUNCTION refuse_late_rows();
CREATE TRIGGER seat_groups_written_once AFTER INSERT ON public.seat_groups REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_late_rows();
grant insert, select on seat_groups to voelgoed_app;
grant select on seat_groups to voelgoed_backup;
grant insert, select on seat_groups to voelgoed_jobs;

create table seat_holds (
  organization_id uuid not null,
  hold_id uuid not null,
  event_id uuid not null,
  seat_id uuid,
  zone_id uuid,
  quantity integer not null,
  user_id uuid not null,
  cart_token text not null,
  status text not null,
  source text not null,
  created_at timestamp with time zone not null,
  held_until timestamp with time zone not null,
  ended_at timestamp with time zone,
  end_reason text,
  made_by uuid,
  notes text,
  ip_hash text,
  checkout_id uuid,
  unjudged boolean default false not null,
  settled_seats integer,
  constraint seat_holds_pkey PRIMARY KEY (organization_id, hold_id),
  constraint seat_holds_cart_token_check CHECK (((char_length(cart_token) >= 1) AND (char_length(cart_token) <= 255))),
  constraint seat_holds_check CHECK (((seat_id IS NULL) <> (zone_id IS NULL))),
  constraint seat_holds_check1 CHECK (((seat_id IS NULL) OR (quantity = 1))),
  constraint seat_holds_check2 CHECK ((held_until > created_at)),
  constraint seat_holds_check3 CHECK ((((status = 'active'::text) = (ended_at IS NULL)) AND ((ended_at IS NULL) = (end_reason IS NULL)))),
  constraint seat_holds_end_reason_check CHECK ((end_reason = ANY (ARRAY['ttl_expired'::text, 'user_cancelled'::text, 'payment_failed'::text, 'admin_override'::text, 'event_cancelled'::text, 'checkout_completed'::text]))),
  constraint seat_holds_notes_check CHECK ((char_length(notes) <= 500)),
  constraint seat_holds_quantity_check CHECK (((quantity >= 1) AND (quantity <= 1000))),
  constraint seat_holds_settled_seats_check CHECK ((settled_seats > 0)),
  constraint seat_holds_source_check CHECK ((source = ANY (ARRAY['web'::text, 'scanner'::text, 'offline_sync'::text, 'box_office'::text]))),
  constraint seat_holds_status_check CHECK ((status = ANY (ARRAY['active'::text, 'converted'::text, 'expired'::text, 'cancelled'::text])))
) with (fillfactor=80);
CREATE INDEX seat_holds_due ON public.seat_holds USING btree (held_until) WHERE (status = 'active'::text);
CREATE INDEX seat_holds_of_user ON public.seat_holds USING btree (user_id, status);
CREATE UNIQUE INDEX seat_holds_one_active ON public.seat_holds USING btree (organization_id, event_id, seat_id) WHERE (status = 'active'::text);
alter table seat_holds enable row level security;
alter table seat_holds force row level security;
create policy backup on seat_holds for select to voelgoed_backup using (true);
create policy flush on seat_holds for all to voelgoed_writer using ((organization_id = flush_organization())) with check ((organization_id = flush_organization()));
create policy lookup on seat_holds for select to voelgoed_lookup using (true);
create policy tenant on seat_holds for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
CREATE TRIGGER moves BEFORE UPDATE OF seat_id, zone_id ON public.seat_holds FOR EACH STATEMENT WHEN ((SESSION_USER = 'voelgoed_app'::name)) EXECUTE FUNCTION refuse_moves();
grant insert, select on seat_holds to voelgoed_app;
grant select on seat_holds to voelgoed_backup;
grant insert, select on seat_holds to voelgoed_jobs;
grant insert, select on seat_holds to voelgoed_writer;
grant update (seat_id, status, held_until, ended_at, end_reason, checkout_id) on seat_holds to voelgoed_app;
grant update (seat_id, zone_id) on seat_holds to voelgoed_jobs;
grant select (organization_id, event_id, status, held_until) on seat_holds to voelgoed_lookup;
grant update (quantity, status, held_until, ended_at, end_reason, checkout_id) on seat_holds to voelgoed_writer;

create table seating_policies (
  organization_id uuid not null,
  policy jsonb not null,
  changed_at timestamp with time zone default now() not null,
  constraint seating_policies_pkey PRIMARY KEY (organization_id),
  constraint seating_policies_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id)
);
alter table seating_policies enable row level security;
alter table seating_policies force row level security;
create policy backup on seating_policies for select to voelgoed_backup using (true);
create policy lookup on seating_policies for select to voelgoed_lookup using (true);
create policy tenant on seating_policies for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant insert, select on seating_policies to voelgoed_app;
grant select on seating_policies to voelgoed_backup;
grant insert, select on seating_policies to voelgoed_jobs;
grant update (policy, changed_at) on seating_policies to voelgoed_app;
grant update (policy, changed_at) on seating_policies to voelgoed_jobs;
grant select (organization_id, changed_at) on seating_policies to voelgoed_lookup;

create table seats (
  organization_id uuid not null,
  layout_id uuid not null,
  version integer not null,
  ordinal integer not null,
  seat_id uuid not null,
  label text not null,
  zone_id uuid not null,
  section text,
  row_name text not null,
  number integer not null,
  physical_order integer not null,
  run integer not null,
  category text not null,
  x double precision not null,
  y double precision not null,
  companion_of uuid,
  ring boolean default false not null,
  constraint seats_pkey PRIMARY KEY (organization_id, layout_id, version, ordinal),
  constraint seats_organization_id_layout_id_version_label_key UNIQUE (organization_id, layout_id, version, label),
  constraint seats_organization_id_layout_id_version_seat_id_key UNIQUE (organization_id, layout_id, version, seat_id),
  constraint seats_organization_id_layout_id_version_zone_id_fkey FOREIGN KEY (organization_id, layout_id, version, zone_id) REFERENCES zones(organization_id, layout_id, version, zone_id),
  constraint seats_category_check CHECK ((category = ANY (ARRAY['standard'::text, 'wheelchair'::text, 'companion'::text, 'restricted_view'::text, 'aisle'::text]))),
  constraint seats_ordinal_check CHECK ((ordinal >= 0))
);
CREATE INDEX seats_companions ON public.seats USING btree (organization_id, layout_id, version, ordinal) WHERE (companion_of IS NOT NULL);
alter table seats enable row level security;
alter table seats force row level security;
create policy backup on seats for select to voelgoed_backup using (true);
create policy tenant on seats for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
CREATE TRIGGER seats_immutable BEFORE DELETE OR UPDATE ON public.seats FOR EACH STATEMENT EXECUTE FUNCTION refuse_late_rows();
CREATE TRIGGER seats_written_once AFTER INSERT ON public.seats REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_late_rows();
grant insert, select on seats to voelgoed_app;
grant select on seats to voelgoed_backup;
grant insert, select on seats to voelgoed_jobs;

create table ticket_days (
  organization_id uuid not null,
  ticket_id uuid not null,
  day date not null,
  event_id uuid not null,
  zone_id uuid not null,
  inside boolean default false not null,
  entries integer default 0 not null,
  constraint ticket_days_pkey PRIMARY KEY (organization_id, ticket_id, day),
  constraint ticket_days_organization_id_ticket_id_fkey FOREIGN KEY (organization_id, ticket_id) REFERENCES tickets(organization_id, ticket_id),
  constraint ticket_days_entries_check CHECK ((entries >= 0))
) with (fillfactor=80);
alter table ticket_days enable row level security;
alter table ticket_days force row level security;
create policy backup on ticket_days for select to voelgoed_backup using (true);
create policy tenant on ticket_days for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant insert, select on ticket_days to voelgoed_app;
grant select on ticket_days to voelgoed_backup;
grant insert, select on ticket_days to voelgoed_jobs;
grant update (zone_id, inside, entries) on ticket_days to voelgoed_app;
grant update (zone_id, inside, entries) on ticket_days to voelgoed_jobs;

create table tickets (
  organization_id uuid not null,
  ticket_id uuid not null,
  event_id uuid not null,
  checkout_id uuid not null,
  hold_id uuid not null,
  user_id uuid not null,
  seat_id uuid,
  zone_id uuid not null,
  code text not null,
  status text not null,
  price_cents integer not null,
  currency text not null,
  member_id uuid,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  end_reason text,
  constraint tickets_pkey PRIMARY KEY (organization_id, ticket_id),
  constraint tickets_code_organization_id_key UNIQUE (code, organization_id),
  constraint tickets_organization_id_checkout_id_fkey FOREIGN KEY (organization_id, checkout_id) REFERENCES checkouts(organization_id, checkout_id),
  constraint tickets_check CHECK (((ended_at IS NULL) = (status = 'active'::text))),
  constraint tickets_code_check CHECK ((code ~ '^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$'::text)),
  constraint tickets_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint tickets_end_reason_check CHECK ((char_length(end_reason) <= 500)),
  constraint tickets_price_cents_check CHECK ((price_cents >= 0)),
  constraint tickets_status_check CHECK ((status = ANY (ARRAY['active'::text, 'voided'::text, 'refunded'::text])))
) with (fillfactor=90);
CREATE INDEX tickets_checkout ON public.tickets USING btree (checkout_id);
CREATE INDEX tickets_counted ON public.tickets USING btree (organization_id, event_id) INCLUDE (price_cents) WHERE (status = 'active'::text);
CREATE INDEX tickets_event ON public.tickets USING btree (event_id, ticket_id);
CREATE INDEX tickets_hold ON public.tickets USING btree (hold_id);
CREATE UNIQUE INDEX tickets_one_per_seat ON public.tickets USING btree (organization_id, event_id, seat_id) WHERE ((status = 'active'::text) AND (seat_id IS NOT NULL));
CREATE INDEX tickets_owned ON public.tickets USING btree (organization_id, event_id, user_id) WHERE (status = 'active'::text);
CREATE INDEX tickets_user ON public.tickets USING btree (user_id, ticket_id);
alter table tickets enable row level security;
alter table tickets force row level security;
create policy backup on tickets for select to voelgoed_backup using (true);
create policy flush on tickets for all to voelgoed_writer using ((organization_id = flush_organization())) with check ((organization_id = flush_organization()));
create policy lookup on tickets for select to voelgoed_lookup using (true);
create policy tenant on tickets for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
CREATE TRIGGER moves BEFORE UPDATE OF seat_id, zone_id ON public.tickets FOR EACH STATEMENT WHEN ((SESSION_USER = 'voelgoed_app'::name)) EXECUTE FUNCTION refuse_moves();
grant insert, select on tickets to voelgoed_app;
grant select on tickets to voelgoed_backup;
grant insert, select on tickets to voelgoed_jobs;
grant insert, select on tickets to voelgoed_writer;
grant update (seat_id, zone_id, status, ended_at, end_reason) on tickets to voelgoed_app;
grant update (seat_id, zone_id) on tickets to voelgoed_jobs;
grant select (organization_id, ticket_id, event_id, checkout_id, status, price_cents) on tickets to voelgoed_lookup;
grant update (seat_id, zone_id, status, ended_at, end_reason) on tickets to voelgoed_writer;

create table users (
  organization_id uuid not null,
  user_id uuid not null,
  subject text,
  email text,
  name text,
  status text default 'active'::text not null,
  created_at timestamp with time zone default now() not null,
  erased_at timestamp with time zone,
  constraint users_pkey PRIMARY KEY (organization_id, user_id),
  constraint users_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint users_email_check CHECK (((char_length(email) >= 3) AND (char_length(email) <= 254))),
  constraint users_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  constraint users_status_check CHECK ((status = ANY (ARRAY['active'::text, 'disabled'::text]))),
  constraint users_subject_check CHECK (((char_length(subject) >= 1) AND (char_length(subject) <= 255)))
);
CREATE INDEX users_email ON public.users USING btree (organization_id, lower(email) text_pattern_ops) WHERE (email IS NOT NULL);
CREATE INDEX users_name ON public.users USING btree (organization_id, lower(name) text_pattern_ops) WHERE (name IS NOT NULL);
alter table users enable row level security;
alter table users force row level security;
create policy backup on users for select to voelgoed_backup using (true);
create policy flush on users for all to voelgoed_writer using ((organization_id = flush_organization())) with check ((organization_id = flush_organization()));
create policy tenant on users for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
CREATE TRIGGER standing AFTER UPDATE ON public.users FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION note_standing();
grant insert, select on users to voelgoed_app;
grant select on users to voelgoed_backup;
grant insert, select on users to voelgoed_jobs;
grant update (subject, email, name, erased_at) on users to voelgoed_app;
grant update (subject, email, name, erased_at) on users to voelgoed_jobs;
grant select (organization_id, user_id) on users to voelgoed_writer;

create table venues (
  organization_id uuid not null,
  venue_id uuid not null,
  slug text not null,
  name text not null,
  timezone text not null,
  address text,
  max_capacity integer,
  created_at timestamp with time zone default now() not null,
  constraint venues_pkey PRIMARY KEY (organization_id, venue_id),
  constraint venues_organization_id_slug_key UNIQUE (organization_id, slug),
  constraint venues_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint venues_address_check CHECK (((char_length(address) >= 1) AND (char_length(address) <= 500))),
  constraint venues_max_capacity_check CHECK ((max_capacity > 0)),
  constraint venues_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  constraint venues_slug_check CHECK ((slug ~ '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$'::text)),
  constraint venues_timezone_check CHECK (((char_length(timezone) >= 1) AND (char_length(timezone) <= 64)))
);
alter table venues enable row level security;
alter table venues force row level security;
create policy backup on venues for select to voelgoed_backup using (true);
create policy tenant on venues for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant insert, select on venues to voelgoed_app;
grant select on venues to voelgoed_backup;
grant insert, select on venues to voelgoed_jobs;
grant update (name, timezone, address, max_capacity) on venues to voelgoed_app;
grant update (name, timezone, address, max_capacity) on venues to voelgoed_jobs;

create table webhook_cursors (
  organization_id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  revision bigint not null,
  levels jsonb default '{}'::jsonb not null,
  constraint webhook_cursors_pkey PRIMARY KEY (organization_id, webhook_id, event_id),
  constraint webhook_cursors_organization_id_webhook_id_fkey FOREIGN KEY (organization_id, webhook_id) REFERENCES webhooks(organization_id, webhook_id) ON DELETE CASCADE,
  constraint webhook_cursors_revision_check CHECK ((revision >= 0))
) with (fillfactor=50);
alter table webhook_cursors enable row level security;
alter table webhook_cursors force row level security;
create policy backup on webhook_cursors for select to voelgoed_backup using (true);
create policy lookup on webhook_cursors for select to voelgoed_lookup using (true);
create policy tenant on webhook_cursors for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant delete, insert, select on webhook_cursors to voelgoed_app;
grant select on webhook_cursors to voelgoed_backup;
grant delete, insert, select on webhook_cursors to voelgoed_jobs;
grant update (revision, levels) on webhook_cursors to voelgoed_app;
grant update (revision, levels) on webhook_cursors to voelgoed_jobs;
grant select (organization_id, webhook_id, event_id, revision) on webhook_cursors to voelgoed_lookup;

create table webhook_deliveries (
  organization_id uuid not null,
  delivery_id uuid not null,
  webhook_id uuid not null,
  sequence bigint not null,
  event_id uuid,
  revision bigint,
  kind text not null,
  payload json not null,
  status text default 'pending'::text not null,
  happened_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  attempts integer default 0 not null,
  first_attempt_at timestamp with time zone,
  last_attempt_at timestamp with time zone,
  next_at timestamp with time zone,
  finished_at timestamp with time zone,
  response_status integer,
  response_body text,
  duration_ms integer,
  error text,
  constraint webhook_deliveries_pkey PRIMARY KEY (organization_id, delivery_id),
  constraint webhook_deliveries_organization_id_webhook_id_fkey FOREIGN KEY (organization_id, webhook_id) REFERENCES webhooks(organization_id, webhook_id) ON DELETE CASCADE,
  constraint webhook_deliveries_check CHECK (((status = 'pending'::text) = (finished_at IS NULL))),
  constraint webhook_deliveries_error_check CHECK ((char_length(error) <= 200)),
  constraint webhook_deliveries_kind_check CHECK (((char_length(kind) >= 1) AND (char_length(kind) <= 64))),
  constraint webhook_deliveries_response_body_check CHECK ((char_length(response_body) <= 500)),
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'dead'::text])))
) with (fillfactor=70);
CREATE INDEX webhook_deliveries_age ON public.webhook_deliveries USING btree (finished_at) WHERE (finished_at IS NOT NULL);
CREATE INDEX webhook_deliveries_log ON public.webhook_deliveries USING btree (webhook_id, sequence);
CREATE INDEX webhook_deliveries_pending ON public.webhook_deliveries USING btree (webhook_id, sequence) WHERE (status = 'pending'::text);
alter table webhook_deliveries enable row level security;
alter table webhook_deliveries force row level security;
create policy backup on webhook_deliveries for select to voelgoed_backup using (true);
create policy lookup on webhook_deliveries for select to voelgoed_lookup using (true);
create policy tenant on webhook_deliveries for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant delete, insert, select on webhook_deliveries to voelgoed_app;
grant select on webhook_deliveries to voelgoed_backup;
grant delete, insert, select on webhook_deliveries to voelgoed_jobs;
grant update (sequence, payload, status, attempts, first_attempt_at, last_attempt_at, next_at, finished_at, response_status, response_body, duration_ms, error) on webhook_deliveries to voelgoed_app;
grant update (sequence, payload, status, attempts, first_attempt_at, last_attempt_at, next_at, finished_at, response_status, response_body, duration_ms, error) on webhook_deliveries to voelgoed_jobs;
grant select (organization_id, webhook_id, sequence, status, happened_at) on webhook_deliveries to voelgoed_lookup;

create table webhooks (
  organization_id uuid not null,
  webhook_id uuid not null,
  url text not null,
  description text,
  kinds text[] default '{}'::text[] not null,
  event_ids uuid[] default '{}'::uuid[] not null,
  status text default 'active'::text not null,
  disabled_at timestamp with time zone,
  disabled_reason text,
  secret_salt bytea not null,
  previous_salt bytea,
  previous_until timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  changed_at timestamp with time zone default now() not null,
  queued bigint default 0 not null,
  next_at timestamp with time zone,
  lease_id uuid,
  leased_until timestamp with time zone,
  last_success_at timestamp with time zone,
  failing_since timestamp with time zone,
  last_error text,
  constraint webhooks_pkey PRIMARY KEY (organization_id, webhook_id),
  constraint webhooks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint webhooks_check CHECK (((status = 'disabled'::text) = (disabled_at IS NOT NULL))),
  constraint webhooks_check1 CHECK (((disabled_at IS NULL) = (disabled_reason IS NULL))),
  constraint webhooks_check2 CHECK (((previous_salt IS NULL) = (previous_until IS NULL))),
  constraint webhooks_description_check CHECK ((char_length(description) <= 500)),
  constraint webhooks_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['failing'::text, 'gone'::text, 'by_hand'::text]))),
  constraint webhooks_event_ids_check CHECK ((cardinality(event_ids) <= 100)),
  constraint webhooks_kinds_check CHECK ((cardinality(kinds) <= 100)),
  constraint webhooks_last_error_check CHECK ((char_length(last_error) <= 200)),
  constraint webhooks_previous_salt_check CHECK ((octet_length(previous_salt) = 32)),
  constraint webhooks_secret_salt_check CHECK ((octet_length(secret_salt) = 32)),
  constraint webhooks_status_check CHECK ((status = ANY (ARRAY['active'::text, 'disabled'::text]))),
  constraint webhooks_url_check CHECK (((char_length(url) >= 1) AND (char_length(url) <= 2048)))
) with (fillfactor=50);
CREATE INDEX webhooks_active ON public.webhooks USING btree (webhook_id) WHERE (status = 'active'::text);
alter table webhooks enable row level security;
alter table webhooks force row level security;
create policy backup on webhooks for select to voelgoed_backup using (true);
create policy lookup on webhooks for select to voelgoed_lookup using (true);
create policy tenant on webhooks for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant delete, insert, select on webhooks to voelgoed_app;
grant select on webhooks to voelgoed_backup;
grant delete, insert, select on webhooks to voelgoed_jobs;
grant update (url, description, kinds, event_ids, status, disabled_at, disabled_reason, secret_salt, previous_salt, previous_until, changed_at, queued, next_at, lease_id, leased_until, last_success_at, failing_since, last_error) on webhooks to voelgoed_app;
grant update (url, description, kinds, event_ids, status, disabled_at, disabled_reason, secret_salt, previous_salt, previous_until, changed_at, queued, next_at, lease_id, leased_until, last_success_at, failing_since, last_error) on webhooks to voelgoed_jobs;
grant select (organization_id, webhook_id, event_ids, status, next_at, leased_until) on webhooks to voelgoed_lookup;

create table zone_days (
  organization_id uuid not null,
  event_id uuid not null,
  zone_id uuid not null,
  day date not null,
  inside integer default 0 not null,
  entries integer default 0 not null,
  constraint zone_days_pkey PRIMARY KEY (organization_id, event_id, day, zone_id),
  constraint zone_days_organization_id_event_id_fkey FOREIGN KEY (organization_id, event_id) REFERENCES event_boards(organization_id, event_id),
  constraint zone_days_entries_check CHECK ((entries >= 0)),
  constraint zone_days_inside_check CHECK ((inside >= 0))
) with (fillfactor=50);
alter table zone_days enable row level security;
alter table zone_days force row level security;
create policy backup on zone_days for select to voelgoed_backup using (true);
create policy tenant on zone_days for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant insert, select on zone_days to voelgoed_app;
grant select on zone_days to voelgoed_backup;
grant insert, select on zone_days to voelgoed_jobs;
grant update (inside, entries) on zone_days to voelgoed_app;
grant update (inside, entries) on zone_days to voelgoed_jobs;

create table zone_whitelist (
  organization_id uuid not null,
  event_id uuid not null,
  zone_id uuid not null,
  user_id uuid not null,
  constraint zone_whitelist_pkey PRIMARY KEY (organization_id, event_id, zone_id, user_id),
  constraint zone_whitelist_organization_id_event_id_fkey FOREIGN KEY (organization_id, event_id) REFERENCES events(organization_id, event_id),
  constraint zone_whitelist_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES users(organization_id, user_id)
);
alter table zone_whitelist enable row level security;
alter table zone_whitelist force row level security;
create policy backup on zone_whitelist for select to voelgoed_backup using (true);
create policy flush on zone_whitelist for all to voelgoed_writer using ((organization_id = flush_organization())) with check ((organization_id = flush_organization()));
create policy tenant on zone_whitelist for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
grant delete, insert, select on zone_whitelist to voelgoed_app;
grant select on zone_whitelist to voelgoed_backup;
grant delete, insert, select on zone_whitelist to voelgoed_jobs;
grant delete, insert, select on zone_whitelist to voelgoed_writer;

create table zones (
  organization_id uuid not null,
  layout_id uuid not null,
  version integer not null,
  zone_id uuid not null,
  place integer not null,
  name text not null,
  zone_type text not null,
  capacity integer not null,
  access_mode text not null,
  membership_tier text,
  allowed_roles text[] default '{}'::text[] not null,
  metadata jsonb default '{}'::jsonb not null,
  focal_x double precision not null,
  focal_y double precision not null,
  constraint zones_pkey PRIMARY KEY (organization_id, layout_id, version, zone_id),
  constraint zones_organization_id_layout_id_version_name_key UNIQUE (organization_id, layout_id, version, name),
  constraint zones_organization_id_layout_id_version_fkey FOREIGN KEY (organization_id, layout_id, version) REFERENCES layouts(organization_id, layout_id, version),
  constraint zones_access_mode_check CHECK ((access_mode = ANY (ARRAY['public'::text, 'membership_tier'::text, 'role_based'::text, 'whitelist'::text]))),
  constraint zones_capacity_check CHECK ((capacity > 0)),
  constraint zones_check CHECK (((access_mode <> 'membership_tier'::text) OR (membership_tier IS NOT NULL))),
  constraint zones_check1 CHECK (((access_mode <> 'role_based'::text) OR (cardinality(allowed_roles) > 0))),
  constraint zones_zone_type_check CHECK ((zone_type = ANY (ARRAY['reserved_seating'::text, 'ga_seated'::text, 'ga_standing'::text, 'vip_reserved'::text, 'vip_standing'::text])))
);
alter table zones enable row level security;
alter table zones force row level security;
create policy backup on zones for select to voelgoed_backup using (true);
create policy tenant on zones for all to voelgoed_app, voelgoed_jobs, voelgoed_owner using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = ( SELECT current_organization() AS current_organization)));
CREATE TRIGGER zones_immutable BEFORE DELETE OR UPDATE ON public.zones FOR EACH STATEMENT EXECUTE FUNCTION refuse_late_rows();
CREATE TRIGGER zones_written_once AFTER INSERT ON public.zones REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_late_rows();
grant insert, select on zones to voelgoed_app;
grant select on zones to voelgoed_backup;
grant insert, select on zones to voelgoed_jobs;

create sequence write_probe;
grant update on sequence write_probe to voelgoed_app;
grant select on sequence write_probe to voelgoed_backup;

CREATE OR REPLACE FUNCTION public.current_organization()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE PARALLEL RESTRICTED SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  setting constant text := current_setting('voelgoed.organization_id', true);
  organization constant text := left(setting, 36);
  key record;
begin
  if setting is null or setting = '' then
    return null;
  end if;
  select k.inner_key, k.outer_key into key from public.organization_keys k
  where k.role_name = session_user;
  if found and substr(setting, 38) is distinct from encode(sha256(key.outer_key || sha256(
      key.inner_key || convert_to(organization || '/' || pg_backend_pid() || '/'
        || coalesce(inet_client_port(), 0), 'UTF8'))), 'hex') then
    raise exception 'the organization of this transaction is not signed for this connection'
      using errcode = '28000', hint = 'Nodes of 0.1.0 do not sign: see docs/upgrade.md.';
  end if;
  return organization::uuid;
end $function$;
grant execute on function current_organization() to public;
alter function current_organization() owner to voelgoed_lookup;

CREATE OR REPLACE FUNCTION public.event_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT (t.now - make_interval(secs => (COALESCE(( SELECT (sign((c.drift_ms)::double precision) * (GREATEST((0)::numeric, ((abs(c.drift_ms))::numeric - COALESCE((GREATEST((0)::numeric, EXTRACT(epoch FROM (t.now - c.slewing_since))) * (10)::numeric), (0)::numeric))))::double precision)
            FROM clock_state c), (0)::double precision) / (1000)::double precision)))
    FROM ( SELECT clock_timestamp() AS now
          OFFSET 0) t;
END;
grant execute on function event_now() to voelgoed_app;
grant execute on function event_now() to voelgoed_jobs;
grant execute on function event_now() to voelgoed_lookup;
grant execute on function event_now() to voelgoed_writer;

CREATE OR REPLACE FUNCTION public.flush_organization()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('voelgoed.organization_id'::text, true), ''::text))::uuid;
grant execute on function flush_organization() to public;

CREATE OR REPLACE FUNCTION public.lookup_api_key(wanted_key uuid)
 RETURNS TABLE(organization_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT k.organization_id
    FROM api_keys k
   WHERE (k.key_id = lookup_api_key.wanted_key);
END;
grant execute on function lookup_api_key(wanted_key uuid) to voelgoed_app;
alter function lookup_api_key(wanted_key uuid) owner to voelgoed_lookup;

CREATE OR REPLACE FUNCTION public.lookup_attempt(wanted_attempt uuid)
 RETURNS TABLE(organization_id uuid, event_id uuid, checkout_id uuid, provider text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT a.organization_id,
     a.event_id,
     a.checkout_id,
         CASE
             WHEN (EXISTS ( SELECT
                FROM schema_migrations compared,
                 schema_migrations earlier
               WHERE (((compared.name)::text = '0017_payment_providers'::text) AND (earlier.run_on < compared.run_on) AND (a.created_at < (compared.run_on + '1 day'::interval))))) THEN 'platform'::text
             ELSE a.provider
         END AS provider
    FROM payment_attempts a
   WHERE (a.attempt_id = lookup_attempt.wanted_attempt);
END;
grant execute on function lookup_attempt(wanted_attempt uuid) to voelgoed_app;
alter function lookup_attempt(wanted_attempt uuid) owner to voelgoed_lookup;

CREATE OR REPLACE FUNCTION public.lookup_begun(chain uuid, seats uuid[])
 RETURNS TABLE(entity_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT a.entity_id
    FROM audit_log a
   WHERE ((a.organization_id = ( SELECT current_organization() AS current_organization)) AND (a.chain_id = lookup_begun.chain) AND (a.action = 'seat_reserved'::text) AND (((a.changes ->> 'seat_id'::text))::uuid = ANY (lookup_begun.seats)));
END;
grant execute on function lookup_begun(chain uuid, seats uuid[]) to voelgoed_app;
alter function lookup_begun(chain uuid, seats uuid[]) owner to voelgoed_lookup;

CREATE OR REPLACE FUNCTION public.lookup_board_heads(wanted_events uuid[])
 RETURNS TABLE(event_id uuid, revision bigint, lineage_head bytea)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT b.event_id,
     b.revision,
     b.lineage_head
    FROM ((unnest(lookup_board_heads.wanted_events) wanted(event_id)
      JOIN events e ON ((e.event_id = wanted.event_id)))
      JOIN event_boards b ON (((b.organization_id = e.organization_id) AND (b.event_id = e.event_id))));
END;
grant execute on function lookup_board_heads(wanted_events uuid[]) to voelgoed_app;
grant execute on function lookup_board_heads(wanted_events uuid[]) to voelgoed_jobs;
alter function lookup_board_heads(wanted_events uuid[]) owner to voelgoed_lookup;

CREATE OR REPLACE FUNCTION public.lookup_due_events(most integer)
 RETURNS TABLE(organization_id uuid, event_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT DISTINCT d.organization_id,
     d.event_id
    FROM (( SELECT h.organization_id,
             h.event_id
            FROM seat_holds h
           WHERE ((h.status = 'active'::text) AND (h.held_until <= ( SELECT event_now() AS event_now)))
           ORDER BY h.held_until
          LIMIT 10000)
         UNION ALL
          SELECT t.organization_id,
             t.event_id
            FROM board_tasks t
         UNION ALL
          SELECT e.organization_id,
             e.event_id
            FROM events e
           WHERE ((e.status = 'cancelled'::text) AND (e.changed_at > (now() - '1 day'::interval)) AND (EXISTS ( SELECT
                    FROM seat_holds h
                   WHERE ((h.organization_id = e.organization_id) AND (h.event_id = e.event_id) AND (h.status = 'active'::text)))))) d
  LIMIT lookup_due_events.most;
END;
grant execute on function lookup_due_events(most integer) to voelgoed_jobs;
alter function lookup_due_events(most integer) owner to voelgoed_lookup;

CREATE OR REPLACE FUNCTION public.lookup_event(wanted_event uuid)
 RETURNS TABLE(organization_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT e.organization_id
    FROM (events e
      JOIN organizations o USING (organization_id))
   WHERE ((e.event_id = lookup_event.wanted_event) AND (e.status <> ALL (ARRAY['draft'::text, 'archived'::text])) AND (o.status <> 'archived'::text));
END;
grant execute on function lookup_event(wanted_event uuid) to voelgoed_app;
alter function lookup_event(wanted_event uuid) owner to voelgoed_lookup;

CREATE OR REPLACE FUNCTION public.lookup_events_after(after_event uuid, most integer)
 RETURNS TABLE(organization_id uuid, event_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT e.organization_id,
     e.event_id
    FROM events e
   WHERE ((e.event_id > lookup_events_after.after_event) AND (e.status <> ALL (ARRAY['draft'::text, 'archived'::text])))
   ORDER BY e.event_id
  LIMIT lookup_events_after.most;
END;
grant execute on function lookup_events_after(after_event uuid, most integer) to voelgoed_jobs;
alter function lookup_events_after(after_event uuid, most integer) owner to voelgoed_lookup;

CREATE OR REPLACE FUNCTION public.lookup_oldest_snapshot()
 RETURNS double precision
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT (COALESCE(max(EXTRACT(epoch FROM (clock_timestamp() - open.since))), (0)::numeric))::double precision AS "coalesce"
    FROM ( SELECT pg_stat_activity.xact_start AS since
            FROM pg_stat_activity
           WHERE ((pg_stat_activity.backend_xmin IS NOT NULL) AND (pg_stat_activity.datname = current_database()) AND (pg_stat_activity.pid <> pg_backend_pid()))
         UNION ALL
          SELECT pg_prepared_xacts.prepared
            FROM pg_prepared_xacts
           WHERE (pg_prepared_xacts.database = current_database())) open;
END;
grant execute on function lookup_oldest_snapshot() to voelgoed_jobs;
alter function lookup_oldest_snapshot() owner to voelgoed_lookup;

CREATE OR REPLACE FUNCTION public.lookup_organization(wanted_slug text)
 RETURNS TABLE(organization_id uuid, status text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT o.organization_id,
     o.status
    FROM organizations o
   WHERE (o.slug = lookup_organization.wanted_slug);
END;
grant execute on function lookup_organization(wanted_slug text) to voelgoed_app;
grant execute on function lookup_organization(wanted_slug text) to voelgoed_jobs;
alter function lookup_organization(wanted_slug text) owner to voelgoed_lookup;

CREATE OR REPLACE FUNCTION public.lookup_organizations(after_slug text, most integer)
 RETURNS TABLE(organization_id uuid, slug text, status text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT o.organization_id,
     o.slug,
     o.status
    FROM organizations o
   WHERE (o.slug > lookup_organizations.after_slug)
   ORDER BY o.slug
  LIMIT LEAST(lookup_organizations.most, 1000);
END;
grant execute on function lookup_organizations(after_slug text, most integer) to voelgoed_app;
grant execute on function lookup_organizations(after_slug text, most integer) to voelgoed_jobs;
alter function lookup_organizations(after_slug text, most integer) owner to voelgoed_lookup;

CREATE OR REPLACE FUNCTION public.lookup_stale_policies(most integer)
 RETURNS TABLE(organization_id uuid, event_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT c.organization_id,
     c.event_id
    FROM ((seating_policies p
      JOIN event_configs c ON (((c.organization_id = p.organization_id) AND (c.policy_at < date_trunc('milliseconds'::text, p.changed_at)))))
      JOIN events e ON (((e.organization_id = c.organization_id) AND (e.event_id = c.event_id) AND (e.status = ANY (ARRAY['published'::text, 'live'::text, 'postponed'::text])))))
  LIMIT lookup_stale_policies.most;
END;
grant execute on function lookup_stale_policies(most integer) to voelgoed_jobs;
alter function lookup_stale_policies(most integer) owner to voelgoed_lookup;

CREATE OR REPLACE FUNCTION public.lookup_standings(wanted_organizations uuid[])
 RETURNS TABLE(organization_id uuid, standing bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT o.organization_id,
     o.standing
    FROM organizations o
   WHERE (o.organization_id = ANY (lookup_standings.wanted_organizations));
END;
grant execute on function lookup_standings(wanted_organizations uuid[]) to voelgoed_app;
alter function lookup_standings(wanted_organizations uuid[]) owner to voelgoed_lookup;

CREATE OR REPLACE FUNCTION public.lookup_unrefunded(most integer)
 RETURNS TABLE(organization_id uuid, event_id uuid, ticket_ids uuid[])
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT e.organization_id,
     e.event_id,
     found.ticket_ids
    FROM (events e
      CROSS JOIN LATERAL ( SELECT array_agg(page.ticket_id) AS ticket_ids
            FROM ( SELECT t.ticket_id
                    FROM tickets t
                   WHERE ((t.organization_id = e.organization_id) AND (t.event_id = e.event_id) AND (t.status = 'active'::text) AND (t.price_cents > 0) AND (NOT (EXISTS ( SELECT
                            FROM refunds_due r
                           WHERE ((r.organization_id = t.organization_id) AND (r.ticket_id = t.ticket_id))))) AND (NOT (EXISTS ( SELECT
                            FROM (checkouts c
                              JOIN payment_attempts a ON (((a.organization_id = c.organization_id) AND (a.attempt_id = c.attempt_id))))
                           WHERE ((c.organization_id = t.organization_id) AND (c.checkout_id = t.checkout_id) AND (a.status = 'refunded'::text))))))
                  LIMIT lookup_unrefunded.most) page) found)
   WHERE ((e.cancelled_at > (now() - '30 days'::interval)) AND (found.ticket_ids IS NOT NULL))
  LIMIT 20;
END;
grant execute on function lookup_unrefunded(most integer) to voelgoed_jobs;
alter function lookup_unrefunded(most integer) owner to voelgoed_lookup;

CREATE OR REPLACE FUNCTION public.lookup_webhook_lag()
 RETURNS TABLE(happened_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT min(head.happened_at) AS min
    FROM (webhooks w
      CROSS JOIN LATERAL ( SELECT d.happened_at
            FROM webhook_deliveries d
           WHERE ((d.webhook_id = w.webhook_id) AND (d.organization_id = w.organization_id) AND (d.status = 'pending'::text))
           ORDER BY d.sequence
          LIMIT 1) head)
   WHERE (w.status = 'active'::text);
END;
grant execute on function lookup_webhook_lag() to voelgoed_jobs;
alter function lookup_webhook_lag() owner to voelgoed_lookup;

CREATE OR REPLACE FUNCTION public.lookup_webhooks(most integer)
 RETURNS TABLE(organization_id uuid, webhook_id uuid, next_at timestamp with time zone, leased boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT w.organization_id,
     w.webhook_id,
     w.next_at,
     ((w.leased_until IS NOT NULL) AND (w.leased_until > statement_timestamp()))
    FROM webhooks w
   WHERE (w.status = 'active'::text)
   ORDER BY w.next_at
  LIMIT lookup_webhooks.most;
END;
grant execute on function lookup_webhooks(most integer) to voelgoed_jobs;
alter function lookup_webhooks(most integer) owner to voelgoed_lookup;

CREATE OR REPLACE FUNCTION public.lookup_webhooks_behind(after uuid, endpoints integer)
 RETURNS TABLE(organization_id uuid, webhook_id uuid, since timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT w.organization_id,
     w.webhook_id,
     ( SELECT min(unread.at) AS min
            FROM ((event_boards b
              CROSS JOIN LATERAL ( SELECT COALESCE(( SELECT c.revision
                            FROM webhook_cursors c
                           WHERE ((c.organization_id = w.organization_id) AND (c.webhook_id = w.webhook_id) AND (c.event_id = b.event_id))), (0)::bigint) AS revision) told)
              CROSS JOIN LATERAL ( SELECT s.at
                    FROM seat_changes s
                   WHERE ((s.organization_id = w.organization_id) AND (s.event_id = b.event_id) AND (s.revision > told.revision))
                   ORDER BY s.revision
                  LIMIT 1) unread)
           WHERE ((b.organization_id = w.organization_id) AND (b.revision > told.revision) AND ((cardinality(w.event_ids) = 0) OR (b.event_id = ANY (w.event_ids))))) AS min
    FROM ( SELECT one.organization_id,
             one.webhook_id,
             one.event_ids
            FROM webhooks one
           WHERE ((one.status = 'active'::text) AND (one.next_at IS NULL) AND (one.webhook_id > lookup_webhooks_behind.after))
           ORDER BY one.webhook_id
          LIMIT lookup_webhooks_behind.endpoints) w;
END;
grant execute on function lookup_webhooks_behind(after uuid, endpoints integer) to voelgoed_jobs;
alter function lookup_webhooks_behind(after uuid, endpoints integer) owner to voelgoed_lookup;

CREATE OR REPLACE FUNCTION public.note_own_standing()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public'
AS $function$
begin
  new.standing := old.standing + 1;
  return new;
end $function$;
grant execute on function note_own_standing() to public;

CREATE OR REPLACE FUNCTION public.note_standing()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public'
AS $function$
begin
  update organizations set standing = standing + 1
  where organization_id = coalesce(new.organization_id, old.organization_id);
  return null;
end $function$;
grant execute on function note_standing() to public;

CREATE OR REPLACE PROCEDURE public.open_to_flushes(VARIADIC table_names text[])
 LANGUAGE plpgsql
AS $procedure$
declare
  table_name text;
begin
  foreach table_name in array table_names loop
    execute format('create policy flush on %I to voelgoed_writer
                    using (organization_id = flush_organization())
                    with check (organization_id = flush_organization())', table_name);
  end loop;
end $procedure$;

CREATE OR REPLACE FUNCTION public.refuse_flush(guard text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the flush contradicts the database: %', guard using errcode = 'VG010';
end $function$;
grant execute on function refuse_flush(guard text) to public;

CREATE OR REPLACE FUNCTION public.refuse_holders()
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'a hold names somebody who is not known' using errcode = '23503';
end $function$;
grant execute on function refuse_holders() to public;

CREATE OR REPLACE FUNCTION public.refuse_late_rows()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    if not exists (
         select from added a left join layouts l using (organization_id, layout_id, version)
         where l.activated_at is distinct from now()) then
      return null;
    end if;
  end if;
  raise exception '% of a layout cannot change', tg_table_name using errcode = 'VG001';
end $function$;
grant execute on function refuse_late_rows() to public;

CREATE OR REPLACE FUNCTION public.refuse_layout_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    if new.status = 'draft' then
      return new;
    end if;
    raise exception 'a layout begins as a draft' using errcode = 'VG001';
  end if;
  if old.status <> 'draft' and (
       new.config::text <> old.config::text or new.venue_id <> old.venue_id
       or new.name <> old.name or new.description is distinct from old.description
       or new.seat_count <> old.seat_count or new.total_capacity <> old.total_capacity
       or new.spec::text is distinct from old.spec::text or new.revision <> old.revision
       or new.changed_by is distinct from old.changed_by
       or new.activated_at is distinct from old.activated_at or new.status = 'draft'
       or (old.status = 'archived' and new.status <> 'archived')) then
    raise exception 'layout % version % is % and cannot change', old.layout_id, old.version,
      old.status using errcode = 'VG001';
  end if;
  if new.revision = old.revision and new.changed_at <> old.changed_at then
    new.revision = old.revision + 1;
    new.spec = null;
    new.changed_by = null;
  end if;
  return new;
end $function$;
grant execute on function refuse_layout_change() to public;

CREATE OR REPLACE FUNCTION public.refuse_moves()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if exists (select from public.organization_keys k where k.role_name = session_user) then
    raise exception 'requests do not move holds and tickets: jobs and flushes do'
      using errcode = 'insufficient_privilege';
  end if;
  return null;
end $function$;
alter function refuse_moves() owner to voelgoed_lookup;

CREATE OR REPLACE PROCEDURE public.separate_tenants(VARIADIC table_names text[])
 LANGUAGE plpgsql
AS $procedure$
declare
  table_name text;
begin
  foreach table_name in array table_names loop
    execute format('alter table %I enable row level security', table_name);
    execute format('alter table %I force row level security', table_name);
    execute format('create policy tenant on %I to voelgoed_app, voelgoed_jobs, %I
                    using (organization_id = (select current_organization()))
                    with check (organization_id = (select current_organization()))',
      table_name, current_user);
  end loop;
end $procedure$;
