import { statement } from '#postgres';

type Place = [organizationId: string, eventId: string];

/** The lock of an event. What it returns is as of the lock, also after waiting for it. */
export const lockEvent = statement<
  { revision: number; lineage_head: Buffer; audit_count: number; audit_head: Buffer },
  Place
>(
  'flush.lock',
  `select revision, lineage_head, audit_count, audit_head from event_boards
   where organization_id = $1 and event_id = $2 for no key update`,
);

export type OpenedRow = {
  now_ms: number;
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
  unsettled: string | null;
};

/**
 * Everything a flush wants to know, in a statement of its own after the lock, so that its snapshot
 * is younger than the lock. One statement costs one parse of the answer; the parts that are rarely
 * asked for end at a test of their parameter. Keys are looked up one by one (`limit 1`): joined,
 * Postgres reads every key of the event for each flush, as long as it believes that there are few.
 */
export const readUnderLock = statement<
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
  'flush.read',
  `select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms,
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
       where k.created_at > now() - interval '24 hours') end as answers,
     case when cardinality($8::uuid[]) > 0 then (
       select json_agg(json_build_object('user_id', m.user_id, 'role', m.role, 'tier', m.tier,
         'active', m.status = 'active'
           and (m.valid_until is null or m.valid_until > clock_timestamp())))
       from memberships m where m.organization_id = $1 and m.user_id = any ($8)) end as members,
     case when $9::bigint is not null then (
       select flush_id::text from seat_changes
       where organization_id = $1 and event_id = $2 and revision = $9) end as unsettled`,
);

/**
 * The write of a flush: one statement that does exactly what was decided or raises. Every row says
 * what it must find; the counts are compared at the end, inside the statement, because COMMIT is
 * already on the wire. Holds that end are written before holds that begin, so that a seat may go
 * from one to the other in one commit under the unique index.
 *
 * Seats and holds are found by `any` of their keys, which are in order, and each takes its values
 * from the place that `width_bucket` finds: a table alone can only be read by its key, and what is
 * tested `is true` makes no other index look useful. Measured alternatives, in processor time of
 * Postgres:
 * - a join with `unnest`: the same where Postgres has statistics about the event. On an event that
 *   was published since (100,000 seats) it reads and hashes every seat of the event for each flush:
 *   610 to 690 µs per hold instead of 106 to 148;
 * - the two updates of holds without the test of their parameter, and with sequential scans:
 *   planned while there were no holds, they read all there are in every flush, although most
 *   flushes end none. 350 to 1,150 µs per hold, growing with the table, instead of 117 to 185;
 * - one json parameter and `json_to_recordset` instead of arrays: 31 µs instead of 28 per audit row
 *   and 38 instead of 35 per hold; the node saves 2 µs per audit row and nothing per hold;
 * - holds by `status = 'active'` without `is true`: as long as Postgres believes that an
 *   organization has few live holds it reads and hashes all of them, for they have indexes of their
 *   own: 13 ms instead of 2 to release one of 20,000;
 * - without row level security: 0 to 4 µs less per hold and nothing per audit row.
 */
export const writeFlush = statement<object, unknown[]>(
  'flush.write',
  `with board as (
     update event_boards set revision = $4, lineage_head = $8, audit_count = $9, audit_head = $10
     where organization_id = $1 and event_id = $2 and revision = $3
     returning 1
   ), zones as (
     update event_zones z set held = z.held + d.held, sold = z.sold + d.sold,
       blocked = z.blocked + d.blocked
     from unnest($11::uuid[], $12::int[], $13::int[], $14::int[])
       as d (zone_id, held, sold, blocked)
     where z.organization_id = $1 and z.event_id = $2 and z.zone_id = d.zone_id
     returning 1
   ), seats as (
     update event_seats s set status = ($18::text[])[width_bucket(s.ordinal, $15::int[])],
       seat_hold_id = ($19::uuid[])[width_bucket(s.ordinal, $15::int[])],
       held_until = to_timestamp(($20::float8[])[width_bucket(s.ordinal, $15::int[])] / 1000.0),
       locked_at = to_timestamp(($21::float8[])[width_bucket(s.ordinal, $15::int[])] / 1000.0),
       ticket_id = case ($60::uuid[])[width_bucket(s.ordinal, $15::int[])]
         when '00000000-0000-0000-0000-000000000000' then s.ticket_id
         else ($60::uuid[])[width_bucket(s.ordinal, $15::int[])] end,
       version = s.version + 1
     where s.organization_id = $1 and s.event_id = $2 and s.ordinal = any ($15::int[])
       and s.version = ($16::int[])[width_bucket(s.ordinal, $15::int[])]
       and s.seat_hold_id is not distinct from
         ($17::uuid[])[width_bucket(s.ordinal, $15::int[])]
     returning 1
   ), ended as (
     update seat_holds h set status = ($23::text[])[width_bucket(h.hold_id, $22::uuid[])],
       end_reason = ($24::text[])[width_bucket(h.hold_id, $22::uuid[])],
       ended_at = to_timestamp($6 / 1000.0)
     where cardinality($22::uuid[]) > 0
       and h.organization_id = $1 and h.hold_id = any ($22::uuid[])
       and (h.event_id = $2) is true and (h.status = 'active') is true
     returning 1
   ), changed as (
     update seat_holds h set held_until =
       to_timestamp(($26::float8[])[width_bucket(h.hold_id, $25::uuid[])] / 1000.0),
       checkout_id = ($61::uuid[])[width_bucket(h.hold_id, $25::uuid[])]
     where cardinality($25::uuid[]) > 0
       and h.organization_id = $1 and h.hold_id = any ($25::uuid[])
       and (h.event_id = $2) is true and (h.status = 'active') is true
     returning 1
   ), made as (
     insert into seat_holds (organization_id, event_id, hold_id, seat_id, zone_id, quantity,
       user_id, cart_token, status, source, created_at, held_until, ended_at, end_reason, made_by,
       notes, ip_hash, checkout_id, unjudged)
     select $1, $2, d.hold_id, d.seat_id, d.zone_id, d.quantity, d.user_id, d.cart_token, d.status,
       d.source, to_timestamp($6 / 1000.0), to_timestamp(d.until / 1000.0),
       case when d.reason is not null then to_timestamp($6 / 1000.0) end, d.reason, d.made_by,
       d.notes, d.ip_hash, d.checkout_id, d.unjudged
     from unnest($27::uuid[], $28::uuid[], $29::uuid[], $30::int[], $31::uuid[], $32::text[],
       $33::text[], $34::text[], $35::float8[], $36::text[], $37::uuid[], $38::text[], $39::text[],
       $62::uuid[], $63::boolean[])
       as d (hold_id, seat_id, zone_id, quantity, user_id, cart_token, status, source, until,
         reason, made_by, notes, ip_hash, checkout_id, unjudged)
     where (select count(*) from ended) >= 0
     returning 1
   ), keys as (
     insert into idempotency_keys (organization_id, event_id, user_id, route, key, body_hash,
       answer)
     select $1, $2, d.user_id, d.route, d.key, decode(d.body_hash, 'hex'), d.answer::jsonb
     from unnest($40::uuid[], $41::text[], $42::text[], $43::text[], $44::text[])
       as d (user_id, route, key, body_hash, answer)
     on conflict (organization_id, event_id, user_id, route, key) do update
     set body_hash = excluded.body_hash, answer = excluded.answer, created_at = now()
     where idempotency_keys.created_at <= now() - interval '24 hours'
     returning 1
   ), contexts as (
     insert into audit_context (organization_id, context_id, user_id, ip_address, user_agent)
     select $1, d.id, d.user_id, d.ip, d.agent
     from unnest($45::uuid[], $46::uuid[], $47::inet[], $48::text[]) as d (id, user_id, ip, agent)
     on conflict do nothing
   ), trail as (
     insert into audit_log (organization_id, chain_id, sequence, at, actor_kind, actor_id,
       actor_role, action, entity_type, entity_id, changes, context_id, hash)
     select $1, $2, $49 + d.place, to_timestamp($6 / 1000.0), d.actor_kind, d.actor_id,
       d.actor_role, d.action, d.entity_type, d.entity_id, d.changes::jsonb, d.context_id,
       decode(d.hash, 'hex')
     from unnest($50::text[], $51::uuid[], $52::text[], $53::text[], $54::text[], $55::uuid[],
       $56::text[], $57::uuid[], $58::text[]) with ordinality
       as d (actor_kind, actor_id, actor_role, action, entity_type, entity_id, changes, context_id,
         hash, place)
     returning 1
   ), logged as (
     insert into seat_changes (organization_id, event_id, revision, flush_id, at, format, changes,
       hash)
     values ($1, $2, $4, $5, to_timestamp($6 / 1000.0), $7, $59, $8)
     returning 1
   )
   select
     case when (select count(*) from board) <> 1 then refuse_flush('revision') end,
     case when (select count(*) from zones) <> cardinality($11::uuid[])
       then refuse_flush('zones') end,
     case when (select count(*) from seats) <> cardinality($15::int[])
       then refuse_flush('seats') end,
     case when (select count(*) from ended) <> cardinality($22::uuid[])
       then refuse_flush('ended holds') end,
     case when (select count(*) from changed) <> cardinality($25::uuid[])
       then refuse_flush('changed holds') end,
     case when (select count(*) from made) <> cardinality($27::uuid[])
       then refuse_flush('new holds') end,
     case when (select count(*) from keys) <> cardinality($40::uuid[])
       then refuse_flush('idempotency keys') end,
     case when (select count(*) from trail) <> cardinality($50::text[])
       then refuse_flush('audit rows') end,
     (select count(*) from logged)`,
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
