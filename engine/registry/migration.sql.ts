import { statement } from '#postgres';

type Place = [organizationId: string, eventId: string];

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

/** Seats that somebody has, with the label they know theirs by. */
export const takenSeats = statement<TakenSeat, [...Place, layoutId: string, version: number]>(
  'registry.taken_seats',
  `select e.seat_id, s.label, e.status from event_seats e
   join seats s on s.organization_id = e.organization_id and s.layout_id = $3 and s.version = $4
     and s.seat_id = e.seat_id
   where e.organization_id = $1 and e.event_id = $2 and e.status in ('held', 'sold')
   order by e.ordinal`,
  { long: true },
);

export type TakenZone = { zone_id: string; name: string; held: number; sold: number };

/** Places without seats that somebody has. */
export const takenZones = statement<TakenZone, Place>(
  'registry.taken_zones',
  `select zone_id, name, held, sold from event_zones
   where organization_id = $1 and event_id = $2 and not has_seats and held + sold > 0`,
);

/** Sets aside what people have, takes the old inventory away and gives it back as JSON. */
export const clearInventory = statement<{ seats: string; zones: string }, Place>(
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
       where status in ('held', 'sold')), '[]')::text as seats,
     coalesce((select jsonb_agg(jsonb_build_object('zone_id', zone_id, 'held', held,
       'sold', sold)) from zones where not has_seats), '[]')::text as zones`,
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

export const restoreZones = statement<object, [...Place, zones: string]>(
  'registry.restore_zones',
  `update event_zones z set held = t.held, sold = t.sold
   from jsonb_to_recordset($3::jsonb) as t (zone_id uuid, held int, sold int)
   where z.organization_id = $1 and z.event_id = $2 and z.zone_id = t.zone_id`,
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

export const bumpBoard = statement<object, [...Place, seatCount: number]>(
  'registry.bump_board',
  `update event_boards set revision = revision + 1, seat_count = $3
   where organization_id = $1 and event_id = $2`,
);
