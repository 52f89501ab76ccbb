-- The organization's own audit chain has its head and length here, apart from the rows, so that a
-- tail that was cut off is noticed.
alter table organizations
  add column currency text not null default 'ZAR' check (currency ~ '^[A-Z]{3}$'),
  add column timezone text not null default 'Africa/Johannesburg'
    check (char_length(timezone) between 1 and 64),
  add column audit_count bigint not null default 0,
  add column audit_head bytea not null default decode(repeat('00', 32), 'hex');

-- A user is a person or guest as one organization knows them. The id is derived from the subject of
-- their token, so that it needs no look-up; subject, email and name are personal and can be erased.
create table users (
  organization_id uuid not null references organizations,
  user_id uuid not null,
  subject text check (char_length(subject) between 1 and 255),
  email text check (char_length(email) between 3 and 254),
  name text check (char_length(name) between 1 and 200),
  status text not null default 'active' check (status in ('active', 'disabled')),
  created_at timestamptz not null default now(),
  erased_at timestamptz,
  primary key (organization_id, user_id)
);

create table memberships (
  organization_id uuid not null,
  user_id uuid not null,
  role text not null check (role in ('owner', 'admin', 'staff', 'viewer', 'scanner', 'customer')),
  tier text check (tier ~ '^[a-z0-9_]{1,64}$'),
  status text not null default 'active' check (status in ('active', 'revoked', 'expired')),
  valid_until timestamptz,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users
);

-- Only a hash is kept: a secret has 256 random bits, so a fast hash cannot be searched.
create table api_keys (
  organization_id uuid not null references organizations,
  key_id uuid not null,
  name text not null check (char_length(name) between 1 and 200),
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  scopes text[] not null check (cardinality(scopes) between 1 and 100),
  created_by uuid,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  replaces uuid,
  primary key (organization_id, key_id),
  foreign key (organization_id, replaces) references api_keys
);
create unique index api_keys_one_successor on api_keys (organization_id, replaces)
  where replaces is not null and revoked_at is null;

-- Who else may sign tokens for this organization, with public keys that they publish.
create table issuers (
  organization_id uuid not null references organizations,
  issuer_id uuid not null,
  issuer text not null check (char_length(issuer) between 1 and 255),
  jwks_uri text not null check (char_length(jwks_uri) between 1 and 2048),
  audience text not null check (char_length(audience) between 1 and 255),
  algorithms text[] not null
    check (algorithms <@ array['RS256', 'PS256', 'ES256', 'EdDSA'] and cardinality(algorithms) > 0),
  created_at timestamptz not null default now(),
  primary key (organization_id, issuer_id),
  unique (organization_id, issuer)
);

-- Answers that may be asked for again. An action on no event has the event of zeros.
create table idempotency_keys (
  organization_id uuid not null references organizations,
  event_id uuid not null,
  user_id uuid not null,
  route text not null,
  key text not null check (char_length(key) between 1 and 255),
  body_hash bytea not null,
  answer jsonb not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, event_id, user_id, route, key)
);
create index idempotency_keys_age on idempotency_keys (organization_id, created_at);

-- The trail. A chain is an event's, or (zeros) the organization's own. Each row's hash covers the
-- row and the hash before it. It has opaque ids only; what is personal is in audit_context.
create table audit_log (
  organization_id uuid not null references organizations,
  chain_id uuid not null,
  sequence bigint not null check (sequence > 0),
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('user', 'key', 'platform', 'system')),
  actor_id uuid,
  actor_role text,
  action text not null,
  entity_type text not null,
  entity_id uuid,
  changes jsonb not null,
  context_id uuid,
  hash bytea not null check (octet_length(hash) = 32),
  primary key (organization_id, chain_id, sequence)
);
create index audit_log_timeline on audit_log (organization_id, at desc);
create index audit_log_actor on audit_log (organization_id, actor_id, at desc);
create index audit_log_action on audit_log (organization_id, action, at desc);

create table audit_context (
  organization_id uuid not null references organizations,
  context_id uuid not null,
  user_id uuid,
  ip_address inet,
  user_agent text check (char_length(user_agent) <= 512),
  primary key (organization_id, context_id)
);
create index audit_context_user on audit_context (organization_id, user_id);

call separate_tenants('users', 'memberships', 'api_keys', 'issuers', 'idempotency_keys',
  'audit_log', 'audit_context');

grant select, insert, update on users, memberships, api_keys to voelgoed_app, voelgoed_jobs;
grant select, insert, delete on issuers, audit_context to voelgoed_app, voelgoed_jobs;
grant select, insert on audit_log to voelgoed_app, voelgoed_jobs;
grant select, insert, update, delete on idempotency_keys to voelgoed_app, voelgoed_jobs;

-- Lookups: an API key names its organization; the platform administrator lists organizations.
grant create on schema public to voelgoed_lookup;

create policy lookup on api_keys for select to voelgoed_lookup using (true);
grant select (organization_id, key_id) on api_keys to voelgoed_lookup;
create index api_keys_id on api_keys (key_id);

create function lookup_api_key(wanted_key uuid)
  returns table (organization_id uuid)
  language sql stable security definer set search_path = pg_catalog, public
  begin atomic
    select k.organization_id from api_keys k where k.key_id = wanted_key;
  end;
alter function lookup_api_key(uuid) owner to voelgoed_lookup;
revoke all on function lookup_api_key(uuid) from public;
grant execute on function lookup_api_key(uuid) to voelgoed_app;

create function lookup_organizations(after_slug text, most integer)
  returns table (organization_id uuid, slug text, status text)
  language sql stable security definer set search_path = pg_catalog, public
  begin atomic
    select o.organization_id, o.slug, o.status from organizations o
    where o.slug > after_slug order by o.slug limit least(most, 1000);
  end;
alter function lookup_organizations(text, integer) owner to voelgoed_lookup;
revoke all on function lookup_organizations(text, integer) from public;
grant execute on function lookup_organizations(text, integer) to voelgoed_app, voelgoed_jobs;

revoke create on schema public from voelgoed_lookup;
