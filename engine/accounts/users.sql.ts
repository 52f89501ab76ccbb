import { statement } from '#postgres';
import type { OrganizationStatus } from './organization.ts';
import type { Role } from './roles.ts';

/**
 * Inserts who is new and reads everybody's standing in one round trip. A user that this very
 * statement inserts is not visible to its select, hence the default. Each is looked up by its key
 * (`limit 1`): joined, Postgres reads all users of the organization, 600 µs for 5,000 of them.
 */
export const admitUsers = statement<
  {
    user_id: string;
    organization_status: OrganizationStatus;
    version: number;
    user_status: 'active' | 'disabled';
    role: Role | null;
    tier: string | null;
    active: boolean | null;
    /** Until a membership ends by itself. */
    left_ms: number | null;
  },
  [userIds: readonly string[], subjects: readonly string[]]
>(
  'users.admit',
  `with wanted as (
     select w.user_id, w.subject, o.organization_id, o.status as organization_status,
       o.standing as version
     from unnest($1::uuid[], $2::text[]) as w (user_id, subject)
     join organizations o on o.organization_id = current_organization()
   ), made as (
     insert into users (organization_id, user_id, subject)
     select organization_id, user_id, subject from wanted order by user_id
     on conflict do nothing
   )
   select w.user_id, w.organization_status, w.version,
     coalesce(u.status, 'active') as user_status, m.role, m.tier,
     m.status = 'active' and (m.valid_until is null or m.valid_until > now()) as active,
     (extract(epoch from m.valid_until - now()) * 1000)::float8 as left_ms
   from wanted w
   left join lateral (select * from users k where k.organization_id = w.organization_id
     and k.user_id = w.user_id limit 1) u on true
   left join lateral (select * from memberships k where k.organization_id = w.organization_id
     and k.user_id = w.user_id limit 1) m on true`,
  { repeatable: true },
);

/** How often it has changed who may do what in these organizations. */
export const readStandingVersions = statement<
  { organization_id: string; version: number },
  [organizationIds: readonly string[]]
>(
  'users.standing_versions',
  `select organization_id, standing as version from lookup_standings($1)`,
);

export const describeUser = statement<
  object,
  [
    organizationId: string,
    userId: string,
    subject: string,
    email: string | null,
    name: string | null,
  ]
>(
  'users.describe',
  `insert into users (organization_id, user_id, subject, email, name) values ($1, $2, $3, $4, $5)
   on conflict (organization_id, user_id) do update
   set subject = excluded.subject, email = coalesce(excluded.email, users.email),
     name = coalesce(excluded.name, users.name), erased_at = null`,
  { repeatable: true },
);

/** Names of people, by key. */
export const namesOfUsers = statement<
  { user_id: string; name: string },
  [organizationId: string, userIds: readonly string[]]
>(
  'users.names',
  `select user_id, name from users
   where organization_id = $1 and user_id = any ($2::uuid[]) and name is not null`,
);

export type ActorRow = { id: string; name: string | null; erased: boolean };

/**
 * Who has no name is known by an address of e-mail, else by the subject of the tokens, unless that
 * is an id.
 */
export const personName = (of: string) => `coalesce(${of}.name, ${of}.email,
       case when ${of}.subject ~ '^[^:]{1,60}$' and ${of}.subject !~* '^[0-9a-f-]{36}$'
         then ${of}.subject end)`;

/** Who acted: people and API keys, by key. */
export const namesOfActors = statement<
  ActorRow,
  [organizationId: string, actorIds: readonly string[]]
>(
  'users.actors',
  `select user_id as id, ${personName('users')} as name, erased_at is not null as erased
   from users where organization_id = $1 and user_id = any ($2::uuid[])
   union all
   select key_id, name, false from api_keys
   where organization_id = $1 and key_id = any ($2::uuid[])`,
);

/** Members and API keys with this text somewhere in their name; `exact`: it is the whole name. */
export const actorsCalled = statement<
  { id: string; exact: boolean },
  [organizationId: string, text: string, most: number]
>(
  'users.actors_called',
  `with called as (
     select m.user_id as id, lower(${personName('u')}) as name, lower(u.email) as email
     from memberships m
       join users u on u.organization_id = m.organization_id and u.user_id = m.user_id
     where m.organization_id = $1
     union all
     select key_id, lower(name), null from api_keys where organization_id = $1
   )
   select id, lower($2) in (name, coalesce(email, name)) as exact from called
   where strpos(name, lower($2)) > 0 or strpos(email, lower($2)) > 0 limit $3`,
);

export const eraseUser = statement<{ user_id: string }, [organizationId: string, userId: string]>(
  'users.erase',
  `update users set subject = null, email = null, name = null, erased_at = now()
   where organization_id = $1 and user_id = $2 returning user_id`,
);

/** From where requests of a user came that were refused. */
export const eraseRefusals = statement<object, [organizationId: string, userId: string]>(
  'users.erase_refusals',
  `update refusal_log set ip_hash = null, user_agent = null
   where organization_id = $1 and user_id = $2`,
);

export const eraseContext = statement<
  { context_id: string },
  [organizationId: string, userId: string]
>(
  'users.erase_context',
  `delete from audit_context where organization_id = $1 and user_id = $2 returning context_id`,
);
