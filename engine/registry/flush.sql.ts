import { statement } from '#postgres';
import type { OwnedRow } from '#tickets';

type Place = [organizationId: string, eventId: string];

/** The database's clock, with the shared drift in the same snapshot. */
export type ClockRow = {
  now_ms: number;
  epoch: number | null;
  drift_ms: number | null;
  jumps: number | null;
  slewing_since_ms: number | null;
  changed_ms: number | null;
};

/** For the poll, which asks about no event. Without the shared row there is no drift. */
export const readClock = statement<ClockRow, []>(
  'clock.read',
  `select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms,
     clock.epoch, clock.drift_ms, clock.jumps,
     floor(extract(epoch from clock.slewing_since) * 1000)::bigint as slewing_since_ms,
     floor(extract(epoch from clock.changed_at) * 1000)::bigint as changed_ms
   from (select) as one left join clock_state clock on true`,
);

/** Nothing comes back when another node was faster, or the clock has been set again. */
export const setDrift = statement<
  { epoch: number },
  [epoch: number, drift_ms: number, isJump: boolean, from_ms: number, until_ms: number]
>(
  'clock.set_drift',
  `update clock_state set epoch = epoch + 1, drift_ms = $2, jumps = jumps + $3::boolean::int,
     changed_at = clock_timestamp(),
     slewing_since = case when slewing_since is not null then clock_timestamp() end
   where epoch = $1
     and extract(epoch from clock_timestamp()) * 1000 between $4::float8 and $5::float8
   returning epoch`,
);

/** The lock of an event. What it returns is as of the lock, also after waiting for it. */
export const lockEvent = statement<
  { revision: number; lineage_head: Buffer; audit_count: number; audit_head: Buffer },
  Place
>(
  'flush.lock',
  `select revision, lineage_head, audit_count, audit_head from event_boards
   where organization_id = $1 and event_id = $2 for no key update`,
);

export type OpenedRow = ClockRow & {
  organization: string | null;
  /** The board's own row has no changes: they are known. */
  rows:
    | {
        revision: number;
        flush_id: string;
        at_ms: number;
        format: number;
        text: string | null;
        hash: string;
      }[]
    | null;
  answers:
    | { userId: string; route: string; key: string; bodyHash: string; answer: unknown }[]
    | null;
  members: { user_id: string; role: string; tier: string | null; active: boolean }[] | null;
  owned: OwnedRow[] | null;
  unsettled: string | null;
};

/**
 * What every flush wants to know, in a statement of its own after the lock, so that its snapshot is
 * younger than the lock.
 */
export const readUnderLock = statement<
  ClockRow & Pick<OpenedRow, 'organization' | 'rows'>,
  [...Place, revision: number, mostRows: number]
>(
  'flush.read',
  `select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms,
     clock.epoch, clock.drift_ms, clock.jumps,
     floor(extract(epoch from clock.slewing_since) * 1000)::bigint as slewing_since_ms,
     floor(extract(epoch from clock.changed_at) * 1000)::bigint as changed_ms,
     (select status from organizations where organization_id = $1) as organization,
     (select json_agg(json_build_object('revision', c.revision, 'flush_id', c.flush_id,
        'at_ms', floor(extract(epoch from c.at) * 1000)::bigint, 'format', c.format,
        'text', case when c.revision > $3 then c.changes::text end,
        'hash', encode(c.hash, 'hex')) order by c.revision)
      from (select * from seat_changes where organization_id = $1 and event_id = $2
        and revision >= $3 order by revision limit $4) c) as rows
   from (select) as one left join clock_state clock on true`,
);

/**
 * The same with what few flushes ask for besides: one statement costs one parse of the answer. Keys
 * are looked up one by one (`limit 1`): joined, Postgres reads every key of the event for each
 * flush, as long as it believes that there are few.
 */
export const readMoreUnderLock = statement<
  OpenedRow,
  [
    ...Place,
    revision: number,
    mostRows: number,
    keyUsers: readonly string[],
    keyRoutes: readonly string[],
    keys: readonly string[],
    users: readonly string[],
    unsettled: number | null,
  ]
>(
  'flush.read_more',
  `select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms,
     clock.epoch, clock.drift_ms, clock.jumps,
     floor(extract(epoch from clock.slewing_since) * 1000)::bigint as slewing_since_ms,
     floor(extract(epoch from clock.changed_at) * 1000)::bigint as changed_ms,
     (select status from organizations where organization_id = $1) as organization,
     (select json_agg(json_build_object('revision', c.revision, 'flush_id', c.flush_id,
        'at_ms', floor(extract(epoch from c.at) * 1000)::bigint, 'format', c.format,
        'text', case when c.revision > $3 then c.changes::text end,
        'hash', encode(c.hash, 'hex')) order by c.revision)
      from (select * from seat_changes where organization_id = $1 and event_id = $2
        and revision >= $3 order by revision limit $4) c) as rows,
     case when cardinality($5::uuid[]) > 0 then (
       select json_agg(json_build_object('userId', k.user_id, 'route', k.route, 'key', k.key,
         'bodyHash', encode(k.body_hash, 'hex'), 'answer', k.answer))
       from unnest($5::uuid[], $6::text[], $7::text[]) as asked (user_id, route, key)
       cross join lateral (select * from idempotency_keys one
         where one.organization_id = $1 and one.event_id = $2 and one.user_id = asked.user_id
           and one.route = asked.route and one.key = asked.key limit 1) k
       where k.created_at > (select event_now()) - interval '24 hours') end as answers,
     case when cardinality($8::uuid[]) > 0 then (
       select json_agg(json_build_object('user_id', m.user_id, 'role', m.role, 'tier', m.tier,
         'active', m.status = 'active'
           and (m.valid_until is null or m.valid_until > clock_timestamp())))
       from memberships m where m.organization_id = $1 and m.user_id = any ($8)) end as members,
     case when cardinality($8::uuid[]) > 0 then (
       select json_agg(o) from (
         select t.user_id, t.zone_id, t.member_id as person, count(*)::int as places
         from tickets t where t.organization_id = $1 and t.event_id = $2
           and t.user_id = any ($8) and t.status = 'active'
         group by t.user_id, t.zone_id, t.member_id) o) end as owned,
     case when $9::bigint is not null then (
       select flush_id::text from seat_changes
       where organization_id = $1 and event_id = $2 and revision = $9) end as unsettled
   from (select) as one left join clock_state clock on true`,
);

export const putConfig = statement<object, [...Place, version: number, policy: string]>(
  'flush.put_config',
  `insert into event_configs (organization_id, event_id, version, policy)
   values ($1, $2, $3, $4)
   on conflict (organization_id, event_id) do update
   set version = excluded.version, policy = excluded.policy`,
);

/** Which state of the organization's policy an event has adopted. */
export const setPolicyAt = statement<object, [...Place, policyAt: string]>(
  'flush.set_policy_at',
  `update event_configs set policy_at = $3 where organization_id = $1 and event_id = $2`,
);

/** Companion seats of zones that have gone to everybody, or are kept again. */
export const setCompanions = statement<
  object,
  [...Place, zoneIds: readonly string[], released: readonly boolean[]]
>(
  'flush.set_companions',
  `update event_zones z set companions_released = d.released
   from unnest($3::uuid[], $4::boolean[]) as d (zone_id, released)
   where z.organization_id = $1 and z.event_id = $2 and z.zone_id = d.zone_id`,
);

export const putPeople = statement<
  object,
  [...Place, holdIds: readonly string[], userIds: readonly string[]]
>(
  'flush.put_people',
  `insert into hold_people (organization_id, event_id, hold_id, user_id)
   select $1, $2, d.hold_id, d.user_id from unnest($3::uuid[], $4::uuid[]) as d (hold_id, user_id)`,
);

/**
 * Keys of answers that changed nothing, which nobody limits: a user of an event who has so many
 * keys already is answered without being remembered.
 */
export const putIdleKeys = statement<
  object,
  [
    ...Place,
    at_ms: number,
    users: readonly string[],
    routes: readonly string[],
    keys: readonly string[],
    bodies: readonly string[],
    answers: readonly string[],
    most: number,
  ]
>(
  'flush.put_idle_keys',
  `insert into idempotency_keys (organization_id, event_id, user_id, route, key, body_hash,
     answer, created_at)
   select $1, $2, d.user_id, d.route, d.key, decode(d.body_hash, 'hex'), d.answer::jsonb,
     to_timestamp($3::float8 / 1000.0)
   from unnest($4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[])
     as d (user_id, route, key, body_hash, answer)
   where (select count(*) from (select from idempotency_keys k
     where k.organization_id = $1 and k.event_id = $2 and k.user_id = d.user_id
     limit $9) few) < $9
   on conflict (organization_id, event_id, user_id, route, key) do update
   set body_hash = excluded.body_hash, answer = excluded.answer,
     created_at = excluded.created_at
   where idempotency_keys.created_at <= excluded.created_at - interval '24 hours'`,
);

export const putTasks = statement<object, [...Place, tasks: string]>(
  'flush.put_tasks',
  `insert into board_tasks (organization_id, event_id, tasks) values ($1, $2, $3)
   on conflict (organization_id, event_id) do update set tasks = excluded.tasks`,
);

export const dropTasks = statement<object, Place>(
  'flush.drop_tasks',
  `delete from board_tasks where organization_id = $1 and event_id = $2`,
);

export type LogRow = {
  revision: number;
  flush_id: string;
  at_ms: number;
  format: number;
  text: string | null;
  hash: string;
};

/** The log from a revision on, that one without its changes. */
export const readLog = statement<LogRow, [...Place, revision: number, most: number]>(
  'log.read',
  `select revision, flush_id, floor(extract(epoch from at) * 1000)::bigint as at_ms, format,
     case when revision > $3 then changes::text end as text, encode(hash, 'hex') as hash
   from seat_changes where organization_id = $1 and event_id = $2 and revision >= $3
   order by revision limit $4`,
);

export const readHeads = statement<
  { event_id: string; revision: number; hash: string },
  [eventIds: readonly string[]]
>(
  'log.heads',
  `select event_id, revision, encode(lineage_head, 'hex') as hash from lookup_board_heads($1)`,
);
