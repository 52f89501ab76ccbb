import { statement } from '#postgres';

type Inventory = [organizationId: string, eventId: string];

export const insertBoard = statement<object, [...Inventory, seatCount: number]>(
  'registry.insert_board',
  `insert into event_boards (organization_id, event_id, seat_count) values ($1, $2, $3)`,
);

export const insertZones = statement<object, [...Inventory, zones: string]>(
  'registry.insert_zones',
  `insert into event_zones (organization_id, event_id, zone_id, place, name, zone_type, has_seats,
     capacity, access_mode, membership_tier, allowed_roles, disabled)
   select $1, $2, z.zone_id, z.place, z.name, z.zone_type, z.has_seats, z.capacity,
     z.access_mode, z.membership_tier, z.allowed_roles, z.disabled
   from jsonb_to_recordset($3::jsonb) as z (zone_id uuid, place int, name text, zone_type text,
     has_seats boolean, capacity int, access_mode text, membership_tier text,
     allowed_roles text[], disabled boolean)`,
);

/**
 * Every seat of the layout, also those of closed zones and of zones that are used without their
 * seats, so that ordinals stay the layout's own: they are not for sale. Those of a reserved block
 * begin out of the sale, but for those that are open: staff have unblocked them.
 * 100,000 rows in one statement: the rows never leave the server.
 */
export const insertSeats = statement<
  { seats: number },
  [
    ...Inventory,
    layoutId: string,
    version: number,
    blockedSeatIds: readonly string[],
    openSeatIds: readonly string[],
  ]
>(
  'registry.insert_seats',
  `with made as (
     insert into event_seats (organization_id, event_id, ordinal, seat_id, zone_id, status)
     select s.organization_id, $2, s.ordinal, s.seat_id, s.zone_id,
       case when z.disabled or not z.has_seats or b.seat_id is not null or r.seat_id is not null
         then 'blocked' else 'available' end
     from seats s
     join event_zones z on z.organization_id = s.organization_id and z.event_id = $2
       and z.zone_id = s.zone_id
     left join (select unnest($5::uuid[]) as seat_id) b on b.seat_id = s.seat_id
     left join (select unnest(seat_ids) as seat_id from seat_groups
       where organization_id = $1 and layout_id = $3 and version = $4
         and group_type = 'reserved_block'
       except select unnest($6::uuid[])) r on r.seat_id = s.seat_id
     where s.organization_id = $1 and s.layout_id = $3 and s.version = $4
     order by s.ordinal
     returning 1
   )
   select count(*) as seats from made`,
  { long: true },
);

/** Seats of the reserved blocks of a layout version, and whether the event has them in the sale. */
export const reservedSeats = statement<
  { seat_id: string; is_open: boolean },
  [...Inventory, layoutId: string, version: number]
>(
  'registry.reserved_seats',
  `select r.seat_id, coalesce(e.status <> 'blocked', false) as is_open
   from (select distinct unnest(seat_ids) as seat_id from seat_groups
     where organization_id = $1 and layout_id = $3 and version = $4
       and group_type = 'reserved_block') r
   left join event_seats e on e.organization_id = $1 and e.event_id = $2
     and e.seat_id = r.seat_id`,
  { long: true },
);

/** Blocked seats count in a zone with seats: what is left is right from the first moment. */
export const countBlocked = statement<object, Inventory>(
  'registry.count_blocked',
  `update event_zones z set blocked = s.blocked
   from (select zone_id, count(*)::int as blocked from event_seats
         where organization_id = $1 and event_id = $2 and status = 'blocked' group by zone_id) s
   where z.organization_id = $1 and z.event_id = $2 and z.zone_id = s.zone_id and z.has_seats`,
  { long: true },
);
