import { statement } from '#postgres';

type Place = [organizationId: string, eventId: string];

/** Work on many seats by their places in the plan, which is not finished. */
export const hasTasks = statement<object, Place>(
  'registry.has_tasks',
  `select from board_tasks where organization_id = $1 and event_id = $2`,
);

/** Nobody sells while the plan changes; null when the event is not on sale. */
export const lockBoard = statement<{ revision: number }, Place>(
  'registry.lock_board',
  `select revision from event_boards where organization_id = $1 and event_id = $2 for update`,
  { long: true },
);

export type TakenSeat = {
  seat_id: string;
  label: string;
  status: 'held' | 'sold';
};

/** Seats that somebody has, also under a block, with the label they know theirs by. */
export const takenSeats = statement<TakenSeat, [...Place, layoutId: string, version: number]>(
  'registry.taken_seats',
  `select e.seat_id, s.label,
     case when e.status = 'held' then 'held' else 'sold' end as status from event_seats e
   join seats s on s.organization_id = e.organization_id and s.layout_id = $3 and s.version = $4
     and s.seat_id = e.seat_id
   where e.organization_id = $1 and e.event_id = $2
     and (e.status in ('held', 'sold') or e.ticket_id is not null)
   order by e.ordinal`,
  { long: true },
);

export type TakenZone = { zone_id: string; name: string; held: number; sold: number };

/** Places without seats that somebody has. */
export const takenZones = statement<TakenZone, Place>(
  'registry.taken_zones',
  `select zone_id, name, held, sold from event_zones
   where organization_id = $1 and event_id = $2 and not has_seats and held + sold > 0
   order by place`,
);

/**
 * Seats `s` of zones `z` that staff have blocked, and neither the event's own choices nor a
 * reserved block: where the plan blocks them as well, those that were so before. When staff unblock
 * one, its status says so; what blocks it after that is staff again, or a plan with new rows.
 */
const BY_STAFF = `s.status = 'blocked' and s.ticket_id is null
  and (s.kept_block or not z.disabled and z.has_seats
    and s.seat_id::text not in (
      select jsonb_array_elements_text(coalesce(l.overrides -> 'blocked_seat_ids', '[]'))
      from event_layouts l where l.organization_id = $1 and l.event_id = $2)
    and s.seat_id not in (
      select unnest(g.seat_ids) from event_layouts l join seat_groups g
        on g.organization_id = l.organization_id and g.layout_id = l.layout_id
          and g.version = l.layout_version and g.group_type = 'reserved_block'
      where l.organization_id = $1 and l.event_id = $2))`;

/** Seats without a ticket that staff have blocked. */
export const staffBlocks = statement<{ seat_id: string }, Place>(
  'registry.staff_blocks',
  `select s.seat_id from event_seats s
   join event_zones z using (organization_id, event_id, zone_id)
   where s.organization_id = $1 and s.event_id = $2 and ${BY_STAFF} order by s.ordinal`,
  { long: true },
);

/**
 * Sets aside what people have and what staff have blocked, takes the old inventory away and gives
 * it back as JSON. What was closed by the event's own choices comes with the new ones, or does not.
 */
export const clearInventory = statement<{ seats: string; blocked: string; zones: string }, Place>(
  'registry.clear_inventory',
  `with seats as (
     delete from event_seats where organization_id = $1 and event_id = $2 returning *
   ), zones as (
     delete from event_zones where organization_id = $1 and event_id = $2 returning *
   )
   select
     coalesce((select jsonb_agg(jsonb_build_object('seat_id', seat_id, 'status', status,
       'held_until', held_until, 'locked_at', locked_at, 'seat_hold_id', seat_hold_id,
       'ticket_id', ticket_id, 'version', version)) from seats
       where status in ('held', 'sold') or ticket_id is not null), '[]')::text as seats,
     coalesce((select jsonb_agg(s.seat_id) from seats s join zones z using (zone_id)
       where ${BY_STAFF}), '[]')::text as blocked,
     coalesce((select jsonb_agg(jsonb_build_object('zone_id', zone_id, 'has_seats', has_seats,
       'held', held, 'sold', sold, 'released', companions_released)) from zones),
       '[]')::text as zones`,
  { long: true },
);

/** Gives every holder and ticket its seat in the new plan. */
export const restoreSeats = statement<
  { restored: number },
  [...Place, seats: string, mapping: string]
>(
  'registry.restore_seats',
  `with restored as (
     update event_seats e set status = t.status, held_until = t.held_until,
       locked_at = t.locked_at, seat_hold_id = t.seat_hold_id, ticket_id = t.ticket_id,
       version = t.version + 1
     from jsonb_to_recordset($3::jsonb) as t (seat_id uuid, status text, held_until timestamptz,
       locked_at timestamptz, seat_hold_id uuid, ticket_id uuid, version int)
     where e.organization_id = $1 and e.event_id = $2
       and e.seat_id = coalesce(($4::jsonb ->> t.seat_id::text)::uuid, t.seat_id)
     returning 1
   )
   select count(*) as restored from restored`,
  { long: true },
);

/**
 * A broken chair is broken in the new plan, too. Where the plan itself blocks the seat, or all of
 * its zone, that is remembered for when it does so no longer.
 */
export const blockAgain = statement<object, [...Place, seats: string, mapping: string]>(
  'registry.block_again',
  `update event_seats e set status = 'blocked', kept_block = e.status = 'blocked'
   from jsonb_array_elements_text($3::jsonb) as b (seat_id)
   where e.organization_id = $1 and e.event_id = $2
     and e.status in ('available', 'blocked') and e.ticket_id is null
     and e.seat_id = coalesce($4::jsonb ->> b.seat_id, b.seat_id)::uuid`,
  { long: true },
);

/**
 * Places without seats, where the mapping says; several zones may have become one. Companion seats
 * that had gone to everybody stay so: the next flush judges that anew.
 */
export const restoreZones = statement<object, [...Place, zones: string, mapping: string]>(
  'registry.restore_zones',
  `update event_zones z set held = t.held, sold = t.sold, companions_released = t.released
   from (select coalesce(($4::jsonb ->> o.zone_id::text)::uuid, o.zone_id) as zone_id,
           coalesce(sum(o.held) filter (where not o.has_seats), 0)::int as held,
           coalesce(sum(o.sold) filter (where not o.has_seats), 0)::int as sold,
           bool_or(o.released) as released
         from jsonb_to_recordset($3::jsonb) as o (zone_id uuid, has_seats boolean, held int,
           sold int, released boolean) group by 1) t
   where z.organization_id = $1 and z.event_id = $2 and z.zone_id = t.zone_id`,
);

/** Live holds of places go where their places go. */
export const moveHeldPlaces = statement<object, [...Place, mapping: string]>(
  'registry.move_held_places',
  `update seat_holds h set zone_id = m.value::uuid
   from jsonb_each_text($3::jsonb) as m
   where h.organization_id = $1 and h.event_id = $2 and h.status = 'active'
     and h.zone_id = m.key::uuid`,
);

/** And so do good tickets without a seat. */
export const moveSoldPlaces = statement<object, [...Place, mapping: string]>(
  'registry.move_sold_places',
  `update tickets t set zone_id = m.value::uuid
   from jsonb_each_text($3::jsonb) as m
   where t.organization_id = $1 and t.event_id = $2 and t.status = 'active'
     and t.seat_id is null and t.zone_id = m.key::uuid`,
  { long: true },
);

/** Counters of zones with seats are what their seats say. */
export const recountZones = statement<object, Place>(
  'registry.recount_zones',
  `update event_zones z set held = s.held, sold = s.sold, blocked = s.blocked
   from (select zone_id, (count(*) filter (where status = 'held'))::int as held,
           (count(*) filter (where status = 'sold'))::int as sold,
           (count(*) filter (where status = 'blocked'))::int as blocked
         from event_seats where organization_id = $1 and event_id = $2 group by zone_id) s
   where z.organization_id = $1 and z.event_id = $2 and z.zone_id = s.zone_id
     and z.has_seats`,
  { long: true },
);

export const setSeatCount = statement<object, [...Place, seatCount: number]>(
  'registry.set_seat_count',
  `update event_boards set seat_count = $3 where organization_id = $1 and event_id = $2`,
);

/**
 * Live holds go where their seats go; what has ended stays where it was. First everybody stands up:
 * a seat has one live hold at every moment, also while two people change places.
 */
export const liftHolds = statement<object, [...Place, mapping: string]>(
  'registry.lift_holds',
  `update seat_holds h set seat_id = md5('lifted ' || m.key::uuid)::uuid
   from jsonb_each_text($3::jsonb) as m
   where h.organization_id = $1 and h.event_id = $2 and h.status = 'active'
     and h.seat_id = m.key::uuid`,
  { long: true },
);

export const moveHolds = statement<object, [...Place, mapping: string]>(
  'registry.move_holds',
  `update seat_holds h set seat_id = m.value::uuid
   from jsonb_each_text($3::jsonb) as m
   where h.organization_id = $1 and h.event_id = $2 and h.status = 'active'
     and h.seat_id = md5('lifted ' || m.key::uuid)::uuid`,
  { long: true },
);

/** Good tickets go with their seats, in the same two steps. */
export const liftTickets = statement<object, [...Place, mapping: string]>(
  'registry.lift_tickets',
  `update tickets t set seat_id = md5('lifted ' || m.key::uuid)::uuid
   from jsonb_each_text($3::jsonb) as m
   where t.organization_id = $1 and t.event_id = $2 and t.status = 'active'
     and t.seat_id = m.key::uuid`,
  { long: true },
);

/** Who keeps the seat may still be in another zone. */
export const moveTickets = statement<object, Place>(
  'registry.move_tickets',
  `update tickets t set seat_id = e.seat_id, zone_id = e.zone_id
   from event_seats e
   where t.organization_id = $1 and t.event_id = $2 and t.status = 'active'
     and e.organization_id = $1 and e.event_id = $2 and e.ticket_id = t.ticket_id`,
  { long: true },
);

/** The policy in force for an event that gets a plan. */
export const bumpConfig = statement<object, [...Place, policy: string]>(
  'registry.bump_config',
  `insert into event_configs (organization_id, event_id, policy) values ($1, $2, $3)
   on conflict (organization_id, event_id) do update
   set version = event_configs.version + 1, policy = excluded.policy`,
);

export const readHead = statement<
  { revision: number; hash: string; now_ms: number; at_ms: number },
  Place
>(
  'registry.read_head',
  `select b.revision, encode(b.lineage_head, 'hex') as hash,
     floor(extract(epoch from event_now()) * 1000)::bigint as now_ms,
     coalesce((select floor(extract(epoch from c.at) * 1000)::bigint from seat_changes c
       where c.organization_id = $1 and c.event_id = $2 and c.revision = b.revision), 0) as at_ms
   from event_boards b where b.organization_id = $1 and b.event_id = $2`,
);

/** A row of the log that is no flush's, under the event's lock. */
export const appendRow = statement<
  object,
  [
    ...Place,
    revision: number,
    flushId: string,
    at_ms: number,
    format: number,
    changes: string,
    hash: string,
  ]
>(
  'registry.append_row',
  `with moved as (
     update event_boards set revision = $3, lineage_head = decode($8, 'hex')
     where organization_id = $1 and event_id = $2 and revision = $3 - 1 returning 1
   ), logged as (
     insert into seat_changes (organization_id, event_id, revision, flush_id, at, format, changes,
       hash)
     values ($1, $2, $3, $4, to_timestamp($5 / 1000.0), $6, $7, decode($8, 'hex'))
   )
   select case when (select count(*) from moved) <> 1 then refuse_flush('revision') end`,
);
