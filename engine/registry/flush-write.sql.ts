/**
 * The write of a flush: one statement that does exactly what was decided or raises. Every row says
 * what it must find; the counts are compared at the end, inside the statement, because COMMIT is
 * already on the wire. Holds that end are written before holds that begin, so that a seat may go
 * from one to the other in one commit under the unique index.
 *
 * It is put together from the parts that a flush has. Postgres gets every part of a statement ready
 * before it runs, also one that finds nothing to do: with all ten of them a flush of one hold cost
 * it 870 µs, with those that a hold needs 700. Each combination is prepared once for a connection,
 * and few of them ever occur.
 *
 * Seats and holds are found by `any` of their keys, which are in order, and each takes its values
 * from the place that `width_bucket` finds: a table alone can only be read by its key, and what is
 * tested `is true` makes no other index look useful. Measured alternatives, in processor time of
 * Postgres:
 * - a join with `unnest`: the same where Postgres has statistics about the event. On an event that
 *   was published since (100,000 seats) it reads and hashes every seat of the event for each flush:
 *   610 to 690 µs per hold instead of 106 to 148;
 * - sequential scans allowed: planned while there were no holds, the two updates of holds read all
 *   there are. 350 to 1,150 µs per hold, growing with the table, instead of 117 to 185;
 * - one json parameter and `json_to_recordset` instead of arrays: 31 µs instead of 28 per audit row
 *   and 38 instead of 35 per hold; the node saves 2 µs per audit row and nothing per hold;
 * - holds by `status = 'active'` without `is true`: as long as Postgres believes that an
 *   organization has few live holds it reads and hashes all of them, for they have indexes of their
 *   own: 13 ms instead of 2 to release one of 20,000;
 * - without row level security: 0 to 4 µs less per hold and nothing per audit row;
 * - with foreign keys to users, boards and organizations: 17 to 22 µs more per hold.
 */
export type Part = Readonly<{ text: string; guards: readonly string[] }>;

/** Every flush moves its event on by one revision, and tells the log how. */
export const BOARD: Part = {
  text: `board as (
     update event_boards set revision = :revision, lineage_head = :hash,
       audit_count = :audit_count, audit_head = :audit_head
     where organization_id = :organization and event_id = :event and revision = :expected
     returning 1
   )`,
  guards: [`case when (select count(*) from board) <> 1 then refuse_flush('revision') end`],
};

export const LOGGED: Part = {
  text: `logged as (
     insert into seat_changes (organization_id, event_id, revision, flush_id, at, format, changes,
       hash)
     values (:organization, :event, :revision, :flush_id, to_timestamp(:at / 1000.0), :format,
       :changes, :hash)
     returning 1
   )`,
  guards: [`(select count(*) from logged)`],
};

/** Asked for their number, they are written before anything is made. */
export const AFTER_ENDED = 'where (select count(*) from ended) >= 0';

export const PARTS = {
  zones: {
    text: `zones as (
     update event_zones z set held = z.held + d.held, sold = z.sold + d.sold,
       blocked = z.blocked + d.blocked
     from unnest(:zone_ids::uuid[], :zone_held::int[], :zone_sold::int[], :zone_blocked::int[])
       as d (zone_id, held, sold, blocked)
     where z.organization_id = :organization and z.event_id = :event and z.zone_id = d.zone_id
     returning 1
   )`,
    guards: [
      `case when (select count(*) from zones) <> cardinality(:zone_ids::uuid[])
       then refuse_flush('zones') end`,
    ],
  },
  seats: {
    text: `seats as (
     update event_seats s set status =
       (:seat_statuses::text[])[width_bucket(s.ordinal, :ordinals::int[])],
       seat_hold_id = (:seat_holds::uuid[])[width_bucket(s.ordinal, :ordinals::int[])],
       held_until =
         to_timestamp((:seat_until::float8[])[width_bucket(s.ordinal, :ordinals::int[])] / 1000.0),
       locked_at =
         to_timestamp((:seat_since::float8[])[width_bucket(s.ordinal, :ordinals::int[])] / 1000.0),
       ticket_id = case (:seat_tickets::uuid[])[width_bucket(s.ordinal, :ordinals::int[])]
         when '00000000-0000-0000-0000-000000000000' then s.ticket_id
         else (:seat_tickets::uuid[])[width_bucket(s.ordinal, :ordinals::int[])] end,
       version = s.version + 1
     where s.organization_id = :organization and s.event_id = :event
       and s.ordinal = any (:ordinals::int[])
       and s.version = (:seat_versions::int[])[width_bucket(s.ordinal, :ordinals::int[])]
       and s.seat_hold_id is not distinct from
         (:expected_holds::uuid[])[width_bucket(s.ordinal, :ordinals::int[])]
     returning 1
   )`,
    guards: [
      `case when (select count(*) from seats) <> cardinality(:ordinals::int[])
       then refuse_flush('seats') end`,
    ],
  },
  ended: {
    text: `ended as (
     update seat_holds h set status =
       (:ended_statuses::text[])[width_bucket(h.hold_id, :ended_ids::uuid[])],
       end_reason =
         (:ended_reasons::text[])[width_bucket(h.hold_id, :ended_ids::uuid[])],
       ended_at = to_timestamp(:at / 1000.0)
     where h.organization_id = :organization and h.hold_id = any (:ended_ids::uuid[])
       and (h.event_id = :event) is true and (h.status = 'active') is true
     returning 1
   )`,
    guards: [
      `case when (select count(*) from ended) <> cardinality(:ended_ids::uuid[])
       then refuse_flush('ended holds') end`,
    ],
  },
  changed: {
    text: `changed as (
     update seat_holds h set
       held_until =
         to_timestamp((:changed_until::float8[])[width_bucket(h.hold_id, :changed_ids::uuid[])]
           / 1000.0),
       checkout_id = (:changed_checkouts::uuid[])[width_bucket(h.hold_id, :changed_ids::uuid[])],
       quantity = (:changed_quantities::int[])[width_bucket(h.hold_id, :changed_ids::uuid[])]
     where h.organization_id = :organization and h.hold_id = any (:changed_ids::uuid[])
       and (h.event_id = :event) is true and (h.status = 'active') is true
     returning 1
   )`,
    guards: [
      `case when (select count(*) from changed) <> cardinality(:changed_ids::uuid[])
       then refuse_flush('changed holds') end`,
    ],
  },
  made: {
    text: `made as (
     insert into seat_holds (organization_id, event_id, hold_id, seat_id, zone_id, quantity,
       user_id, cart_token, status, source, created_at, held_until, ended_at, end_reason, made_by,
       notes, ip_hash, checkout_id, unjudged, settled_seats)
     select :organization, :event, d.hold_id, d.seat_id, d.zone_id, d.quantity, d.user_id,
       d.cart_token, d.status, d.source, to_timestamp(:at / 1000.0),
       to_timestamp(d.until / 1000.0), case when d.reason is not null
         then to_timestamp(:at / 1000.0) end, d.reason, d.made_by, d.notes, d.ip_hash,
       d.checkout_id, d.unjudged, d.settled
     from unnest(:made_ids::uuid[], :made_seats::uuid[], :made_zones::uuid[],
       :made_quantities::int[], :made_users::uuid[], :made_carts::text[],
       :made_statuses::text[], :made_sources::text[], :made_until::float8[],
       :made_reasons::text[], :made_by::uuid[], :made_notes::text[], :made_ips::text[],
       :made_checkouts::uuid[], :made_unjudged::boolean[], :made_settled::int[])
       as d (hold_id, seat_id, zone_id, quantity, user_id, cart_token, status, source, until,
         reason, made_by, notes, ip_hash, checkout_id, unjudged, settled)
     {after ended}
     returning 1
   )`,
    guards: [
      `case when (select count(*) from made) <> cardinality(:made_ids::uuid[])
       then refuse_flush('new holds') end`,
      `case when (select count(*) from users u where u.organization_id = :organization
         and u.user_id = any (:made_users::uuid[]))
       < (select count(distinct d.holder) from unnest(:made_users::uuid[]) as d (holder))
       then refuse_holders() end`,
    ],
  },
  keys: {
    text: `keys as (
     insert into idempotency_keys (organization_id, event_id, user_id, route, key, body_hash,
       answer, created_at)
     select :organization, :event, d.user_id, d.route, d.key, decode(d.body_hash, 'hex'),
       d.answer::jsonb, to_timestamp(:at / 1000.0)
     from unnest(:key_users::uuid[], :key_routes::text[], :keys::text[], :key_bodies::text[],
       :key_answers::text[]) as d (user_id, route, key, body_hash, answer)
     on conflict (organization_id, event_id, user_id, route, key) do update
     set body_hash = excluded.body_hash, answer = excluded.answer,
       created_at = excluded.created_at
     where idempotency_keys.created_at <= excluded.created_at - interval '24 hours'
     returning 1
   )`,
    guards: [
      `case when (select count(*) from keys) <> cardinality(:key_users::uuid[])
       then refuse_flush('idempotency keys') end`,
    ],
  },
  contexts: {
    text: `contexts as (
     insert into audit_context (organization_id, context_id, user_id, ip_address, user_agent)
     select :organization, d.id, d.user_id, d.ip, d.agent
     from unnest(:context_ids::uuid[], :context_users::uuid[], :context_ips::inet[],
       :context_agents::text[]) as d (id, user_id, ip, agent)
     on conflict do nothing
   )`,
    guards: [],
  },
  trail: {
    text: `trail as (
     insert into audit_log (organization_id, chain_id, sequence, at, actor_kind, actor_id,
       actor_role, action, entity_type, entity_id, changes, context_id, hash)
     select :organization, :event, :trail_before + d.place, to_timestamp(:at / 1000.0),
       d.actor_kind, d.actor_id, d.actor_role, d.action, d.entity_type, d.entity_id,
       d.changes::jsonb, d.context_id, decode(d.hash, 'hex')
     from unnest(:trail_kinds::text[], :trail_actors::uuid[], :trail_roles::text[],
       :trail_actions::text[], :trail_types::text[], :trail_entities::uuid[],
       :trail_changes::text[], :trail_contexts::uuid[], :trail_hashes::text[]) with ordinality
       as d (actor_kind, actor_id, actor_role, action, entity_type, entity_id, changes, context_id,
         hash, place)
     returning 1
   )`,
    guards: [
      `case when (select count(*) from trail) <> cardinality(:trail_kinds::text[])
       then refuse_flush('audit rows') end`,
    ],
  },
} as const satisfies Readonly<Record<string, Part>>;

export type FlushPart = keyof typeof PARTS;
/** In the order in which they are written down; those that are always there come besides. */
export const FLUSH_PARTS = Object.keys(PARTS) as FlushPart[];
