import type { EventState } from '#events';
import { statement } from '#postgres';
import type { Direction } from './entry-rules.ts';
import type { TicketState } from './tickets.sql.ts';

export type ScannedRow = {
  ticket_id: string;
  code: string;
  status: TicketState;
  event_id: string;
  event_status: EventState;
  ends_at: string;
  days: string[];
  timezone: string;
  zone_id: string;
  zone_name: string;
  has_seats: boolean;
  capacity: number;
  seat_id: string | null;
  label: string | null;
  section: string | null;
  row_name: string | null;
  number: number | null;
  category: string | null;
  has_companion: boolean;
  member_ok: boolean;
  most_entries: number | null;
  now_ms: number;
};

/**
 * A ticket as the door sees it. Holds are not asked. Where a zone is for members, the membership
 * that opened it must still be good, and still of the zone's tier. Where it is for roles, somebody
 * without any membership had theirs from a token, which is not there to be asked again. Companions
 * are looked for among all seats of the plan, but only for the few wheelchair spaces.
 */
export const findScanned = statement<ScannedRow, [organizationId: string, code: string]>(
  'entries.find_ticket',
  `select t.ticket_id, t.code, t.status, t.event_id, e.status as event_status, e.ends_at,
     e.days::text[] as days,
     coalesce(v.timezone, lv.timezone, o.timezone) as timezone,
     t.zone_id, coalesce(z.name, '') as zone_name, coalesce(z.has_seats, true) as has_seats,
     coalesce(z.capacity, 0) as capacity, t.seat_id, s.label, s.section, s.row_name, s.number,
     s.category, case when s.category = 'wheelchair' then exists (select from seats c
       where c.organization_id = $1 and c.layout_id = s.layout_id and c.version = s.version
         and c.companion_of = s.seat_id) else false end as has_companion,
     case when t.member_id is null or z.access_mode is null then true
       when z.access_mode = 'membership_tier' then coalesce(m.valid and m.tier = z.membership_tier,
         false)
       when z.access_mode = 'role_based' then coalesce(m.valid, true)
       else true end as member_ok,
     (p.policy ->> 'max_daily_entries')::int as most_entries,
     floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms
   from tickets t
   join organizations o on o.organization_id = t.organization_id
   join events e on e.organization_id = t.organization_id and e.event_id = t.event_id
   left join event_zones z on z.organization_id = t.organization_id
     and z.event_id = t.event_id and z.zone_id = t.zone_id
   left join event_configs p on p.organization_id = t.organization_id and p.event_id = t.event_id
   left join event_layouts l on l.organization_id = t.organization_id and l.event_id = t.event_id
   left join layouts y on y.organization_id = l.organization_id and y.layout_id = l.layout_id
     and y.version = l.layout_version
   left join venues v on v.organization_id = e.organization_id and v.venue_id = e.venue_id
   left join venues lv on lv.organization_id = y.organization_id and lv.venue_id = y.venue_id
   left join seats s on s.organization_id = t.organization_id and s.layout_id = l.layout_id
     and s.version = l.layout_version and s.seat_id = t.seat_id
   left join lateral (select k.tier, k.status = 'active'
         and (k.valid_until is null or k.valid_until > now()) as valid
       from memberships k where k.organization_id = t.organization_id
         and k.user_id = t.member_id) m on true
   where t.organization_id = $1 and t.code = $2`,
);

type TicketDay = [organizationId: string, ticketId: string, day: string];
type ZoneDay = [organizationId: string, eventId: string, zoneId: string, day: string];

/** The day on which a ticket is inside, for who leaves after midnight. */
export const findInside = statement<{ day: string }, [organizationId: string, ticketId: string]>(
  'entries.find_inside',
  `select day from ticket_days where organization_id = $1 and ticket_id = $2 and inside
   order by day desc limit 1`,
);

export const openTicketDay = statement<object, [...TicketDay, eventId: string, zoneId: string]>(
  'entries.open_ticket_day',
  `insert into ticket_days (organization_id, ticket_id, day, event_id, zone_id)
   values ($1, $2, $3, $4, $5) on conflict do nothing`,
);

/**
 * A statement of its own behind the insert: one that waits for a lock goes on with what the row has
 * become, and the insert of two scanners at once is settled by then.
 */
export const lockTicketDay = statement<
  { inside: boolean; entries: number; zone_id: string },
  TicketDay
>(
  'entries.lock_ticket_day',
  `select inside, entries, zone_id from ticket_days
   where organization_id = $1 and ticket_id = $2 and day = $3 for no key update`,
);

export const openZoneDay = statement<object, ZoneDay>(
  'entries.open_zone_day',
  `insert into zone_days (organization_id, event_id, zone_id, day) values ($1, $2, $3, $4)
   on conflict do nothing`,
);

export const lockZoneDay = statement<{ inside: number }, ZoneDay>(
  'entries.lock_zone_day',
  `select inside from zone_days
   where organization_id = $1 and event_id = $2 and zone_id = $3 and day = $4
   for no key update`,
);

export const moveTicketDay = statement<
  object,
  [...TicketDay, zoneId: string, inside: boolean, entered: number]
>(
  'entries.move_ticket_day',
  `update ticket_days set zone_id = $4, inside = $5, entries = entries + $6
   where organization_id = $1 and ticket_id = $2 and day = $3`,
);

export const moveZoneDay = statement<object, [...ZoneDay, by: number, entered: number]>(
  'entries.move_zone_day',
  `update zone_days set inside = inside + $5, entries = entries + $6
   where organization_id = $1 and event_id = $2 and zone_id = $3 and day = $4`,
);

export type EntryCounts = { entry_count: number; entry_count_today: number };

/** How often a ticket has come in, on all days together and on this one. */
export const countEntries = statement<EntryCounts, TicketDay>(
  'entries.count',
  `select coalesce(sum(entries), 0)::int as entry_count,
     coalesce(sum(entries) filter (where day = $3), 0)::int as entry_count_today
   from ticket_days where organization_id = $1 and ticket_id = $2`,
);

/** `gate`: the name of the key that a scanner at a door has; people are not named. */
export type LastEntry = { at: string; gate: string | null };

/** When a ticket has come in last on a day, and where. */
export const findLastEntry = statement<LastEntry, TicketDay>(
  'entries.last_in',
  `select n.at, k.name as gate from entries n
   left join api_keys k on k.organization_id = n.organization_id and k.key_id = n.scanned_by
   where n.organization_id = $1 and n.ticket_id = $2 and n.day = $3 and n.direction = 'in'
     and n.status = 'admitted'
   order by n.entry_id desc limit 1`,
);

export const insertEntry = statement<
  object,
  [
    organizationId: string,
    entryId: string,
    direction: Direction,
    reason: string | null,
    eventId: string | null,
    ticketId: string | null,
    zoneId: string | null,
    day: string | null,
    scanned: string | null,
    test: boolean,
    scannedBy: string | null,
  ]
>(
  'entries.insert',
  `insert into entries (organization_id, entry_id, at, direction, status, reason, event_id,
     ticket_id, zone_id, day, scanned, test, scanned_by)
   values ($1, $2, clock_timestamp(), $3, case when $4::text is null then 'admitted' else 'denied'
     end, $4, $5, $6, $7, $8, $9, $10, $11)`,
);

/** Who is inside on a day, zone by zone. */
export const listInside = statement<
  { zone_id: string; inside: number },
  [organizationId: string, eventId: string, day: string]
>(
  'entries.inside',
  `select zone_id, inside from zone_days
   where organization_id = $1 and event_id = $2 and day = $3`,
);

/** What is needed to know which day it is at an event. */
export const findDays = statement<
  { days: string[]; timezone: string; now_ms: number },
  [organizationId: string, eventId: string]
>(
  'entries.days',
  `select e.days::text[] as days, coalesce(v.timezone, lv.timezone, o.timezone) as timezone,
     floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms
   from events e join organizations o on o.organization_id = e.organization_id
   left join event_layouts l on l.organization_id = e.organization_id and l.event_id = e.event_id
   left join layouts y on y.organization_id = l.organization_id and y.layout_id = l.layout_id
     and y.version = l.layout_version
   left join venues v on v.organization_id = e.organization_id and v.venue_id = e.venue_id
   left join venues lv on lv.organization_id = y.organization_id and lv.venue_id = y.venue_id
   where e.organization_id = $1 and e.event_id = $2`,
);

export type EntryRow = {
  entry_id: string;
  at: string;
  direction: Direction;
  status: 'admitted' | 'denied';
  reason: string | null;
  ticket_id: string;
  code: string;
  holder: string | null;
  label: string | null;
  zone_id: string | null;
  zone_name: string | null;
  day: string | null;
  test: boolean;
  scanned_by: string | null;
};

/** The scans of an event, the youngest first. */
export const listEntries = statement<
  EntryRow,
  [
    organizationId: string,
    eventId: string,
    status: string | null,
    before: string | null,
    most: number,
  ]
>(
  'entries.list',
  `select n.entry_id, n.at, n.direction, n.status, n.reason, n.ticket_id, t.code,
     u.name as holder, s.label, coalesce(n.zone_id, t.zone_id) as zone_id, z.name as zone_name,
     n.day, n.test, n.scanned_by
   from entries n join tickets t on t.organization_id = n.organization_id
     and t.ticket_id = n.ticket_id
   left join users u on u.organization_id = t.organization_id and u.user_id = t.user_id
   left join event_zones z on z.organization_id = t.organization_id
     and z.event_id = t.event_id and z.zone_id = coalesce(n.zone_id, t.zone_id)
   left join event_layouts l on l.organization_id = t.organization_id and l.event_id = t.event_id
   left join seats s on s.organization_id = t.organization_id and s.layout_id = l.layout_id
     and s.version = l.layout_version and s.seat_id = t.seat_id
   where n.organization_id = $1 and n.event_id = $2 and ($3::text is null or n.status = $3)
     and ($4::uuid is null or n.entry_id < $4)
   order by n.entry_id desc limit $5`,
);

/** Who was let in, in each stretch of time. */
export const entriesByTime = statement<
  { bucket: string; entries: number },
  [organizationId: string, eventId: string, seconds: number, from: string, to: string]
>(
  'entries.by_time',
  `select date_bin(make_interval(secs => $3::int), at, 'epoch'::timestamptz) as bucket,
     count(*)::int as entries
   from entries
   where organization_id = $1 and event_id = $2 and at >= $4 and at < $5
     and status = 'admitted' and direction = 'in' and not test
   group by 1 order by 1`,
);
