import { statement } from '#postgres';
import type { EventState } from './event-states.ts';

export type EventRow = {
  event_id: string;
  venue_id: string | null;
  slug: string;
  name: string;
  description: string | null;
  status: EventState;
  starts_at: string;
  ends_at: string;
  sale_starts_at: string | null;
  sale_ends_at: string | null;
  currency: string;
  days: string[];
  rescheduled_at: string | null;
  postponement_reason: string | null;
  published_at: string | null;
  created_at: string;
  changed_at: string;
};

/** With the table's name: a change reads its new values from names that are the same. */
const COLUMNS = `events.event_id, events.venue_id, events.slug, events.name, events.description,
     events.status, events.starts_at, events.ends_at, events.sale_starts_at, events.sale_ends_at,
     events.currency, events.days::text[] as days, events.rescheduled_at,
     events.postponement_reason, events.published_at, events.created_at, events.changed_at`;

export const lookupEvent = statement<{ organization_id: string }, [eventId: string]>(
  'events.lookup',
  `select organization_id from lookup_event($1)`,
);

type ListPage = [
  organizationId: string,
  status: string | null,
  search: string | null,
  after: string | null,
  most: number,
];

/** Names are found anywhere in them, those of the event and those of its venue. */
const listOf = (which: string, order: string) => `select ${COLUMNS}
   from events left join venues v
     on v.organization_id = events.organization_id and v.venue_id = events.venue_id
   where events.organization_id = $1 and ($2::text is null or events.status = $2)
     and ($3::text is null or strpos(lower(events.name), lower($3)) > 0
       or strpos(lower(v.name), lower($3)) > 0)
     and ${which}
   order by ${order} limit $5`;

export const listEvents = statement<EventRow, ListPage>(
  'events.list',
  listOf('($4::uuid is null or events.event_id > $4)', 'events.event_id'),
);

/** From behind the last event of the page before, in the order of time. */
const BEHIND = (
  sign: '<' | '>',
) => `($4::uuid is null or (events.starts_at, events.event_id) ${sign}
       (select last.starts_at, last.event_id from events last
         where last.organization_id = $1 and last.event_id = $4))`;
const IS_PAST = `(events.ends_at <= $6 or events.status in ('ended', 'archived'))`;

/** The next one first. */
export const listUpcomingEvents = statement<EventRow, [...ListPage, now: string]>(
  'events.list_upcoming',
  listOf(`not ${IS_PAST} and ${BEHIND('>')}`, 'events.starts_at, events.event_id'),
);

/** The last one first. */
export const listPastEvents = statement<EventRow, [...ListPage, now: string]>(
  'events.list_past',
  listOf(`${IS_PAST} and ${BEHIND('<')}`, 'events.starts_at desc, events.event_id desc'),
);

/** By time; `after` is the last event of the page before. */
export const listPublicEvents = statement<
  EventRow,
  [organizationId: string, after: string | null, most: number]
>(
  'events.list_public',
  `select ${COLUMNS} from events
   where organization_id = $1 and status in ('published', 'live', 'postponed')
     and ($2::uuid is null or (starts_at, event_id) > (select last.starts_at, last.event_id
       from events last where last.organization_id = $1 and last.event_id = $2))
   order by starts_at, event_id limit $3`,
);

export const findEvent = statement<EventRow, [organizationId: string, eventId: string]>(
  'events.find',
  `select ${COLUMNS} from events where organization_id = $1 and event_id = $2`,
);

export type EventPlaceRow = {
  event_id: string;
  timezone: string;
  name: string | null;
  address: string | null;
};

/** Where events take place: without a venue of its own an event is where its layout is. */
export const listEventPlaces = statement<
  EventPlaceRow,
  [organizationId: string, eventIds: readonly string[]]
>(
  'events.places',
  `select e.event_id, coalesce(v.timezone, lv.timezone, o.timezone) as timezone,
     coalesce(v.name, lv.name) as name,
     case when v.venue_id is null then lv.address else v.address end as address
   from events e join organizations o on o.organization_id = e.organization_id
   left join event_layouts l on l.organization_id = e.organization_id and l.event_id = e.event_id
   left join layouts y on y.organization_id = l.organization_id and y.layout_id = l.layout_id
     and y.version = l.layout_version
   left join venues v on v.organization_id = e.organization_id and v.venue_id = e.venue_id
   left join venues lv on lv.organization_id = y.organization_id and lv.venue_id = y.venue_id
   where e.organization_id = $1 and e.event_id = any ($2::uuid[])`,
);

/** Steps and changes of one event come one after the other. */
export const lockEvent = statement<object, [organizationId: string, eventId: string]>(
  'events.lock',
  `select from events where organization_id = $1 and event_id = $2 for no key update`,
  { long: true },
);

/** The fields as JSON, so that a new event and a changed one are written by the same names. */
export const insertEvent = statement<
  EventRow,
  [organizationId: string, eventId: string, fields: string]
>(
  'events.insert',
  `insert into events (organization_id, event_id, venue_id, slug, name, description, starts_at,
     ends_at, sale_starts_at, sale_ends_at, currency, days)
   select $1, $2, f.venue_id, f.slug, f.name, f.description, f.starts_at, f.ends_at,
     f.sale_starts_at, f.sale_ends_at, f.currency, f.days
   from jsonb_to_record($3::jsonb) as f (venue_id uuid, slug text, name text, description text,
     starts_at timestamptz, ends_at timestamptz, sale_starts_at timestamptz,
     sale_ends_at timestamptz, currency text, days date[])
   on conflict do nothing returning ${COLUMNS}`,
);

export const updateEvent = statement<
  EventRow,
  [organizationId: string, eventId: string, fields: string]
>(
  'events.update',
  `update events set venue_id = f.venue_id, name = f.name, description = f.description,
     starts_at = f.starts_at, ends_at = f.ends_at, sale_starts_at = f.sale_starts_at,
     sale_ends_at = f.sale_ends_at, currency = f.currency, days = f.days, changed_at = now(),
     rescheduled_at = case when status = 'postponed' and events.starts_at <> f.starts_at
       then now() else rescheduled_at end
   from jsonb_to_record($3::jsonb) as f (venue_id uuid, name text, description text,
     starts_at timestamptz, ends_at timestamptz, sale_starts_at timestamptz,
     sale_ends_at timestamptz, currency text, days date[])
   where organization_id = $1 and event_id = $2 returning ${COLUMNS}`,
);

export const setEventStatus = statement<
  EventRow,
  [organizationId: string, eventId: string, status: EventState, reason: string | null]
>(
  'events.set_status',
  `update events set status = $3, postponement_reason = coalesce($4, postponement_reason),
     rescheduled_at = case when $3 = 'postponed' then null else rescheduled_at end,
     published_at = case when $3 = 'published' then coalesce(published_at, now())
       else published_at end,
     cancelled_at = case when $3 = 'cancelled' then now() else cancelled_at end, changed_at = now()
   where organization_id = $1 and event_id = $2 returning ${COLUMNS}`,
);

export type EventLayoutRow = {
  layout_id: string | null;
  layout_version: number | null;
  zones: unknown;
  overrides: unknown;
};

export const findEventLayout = statement<EventLayoutRow, [organizationId: string, eventId: string]>(
  'events.find_layout',
  `select layout_id, layout_version, zones, overrides from event_layouts
   where organization_id = $1 and event_id = $2`,
);

/** Which drawing each event shows, without its zones and overrides, which may be megabytes. */
export const listPinnedLayouts = statement<
  Readonly<{ event_id: string; layout_id: string | null; layout_version: number | null }>,
  [organizationId: string, eventIds: readonly string[]]
>(
  'events.pinned_layouts',
  `select event_id, layout_id, layout_version from event_layouts
   where organization_id = $1 and event_id = any ($2::uuid[])`,
);

export const putEventLayout = statement<
  EventLayoutRow,
  [
    organizationId: string,
    eventId: string,
    layoutId: string | null,
    version: number | null,
    zones: string | null,
    overrides: string,
  ]
>(
  'events.put_layout',
  `insert into event_layouts (organization_id, event_id, layout_id, layout_version, zones,
     overrides)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (organization_id, event_id) do update
   set layout_id = excluded.layout_id, layout_version = excluded.layout_version,
     zones = excluded.zones, overrides = excluded.overrides, changed_at = now()
   returning layout_id, layout_version, zones, overrides`,
);

export const listPrices = statement<
  { zone_id: string; price_cents: number },
  [organizationId: string, eventId: string]
>(
  'events.list_prices',
  `select zone_id, price_cents from event_prices where organization_id = $1 and event_id = $2`,
);

export const dropPrices = statement<object, [organizationId: string, eventId: string]>(
  'events.drop_prices',
  `delete from event_prices where organization_id = $1 and event_id = $2`,
);

export const insertPrices = statement<
  object,
  [organizationId: string, eventId: string, zoneIds: readonly string[], cents: readonly number[]]
>(
  'events.insert_prices',
  `insert into event_prices (organization_id, event_id, zone_id, price_cents)
   select $1, $2, zone_id, price_cents
   from unnest($3::uuid[], $4::int[]) as p (zone_id, price_cents)`,
);

export type LayoutZoneRow = {
  zone_id: string;
  name: string;
  zone_type: string;
  capacity: number;
  access_mode: string;
  membership_tier: string | null;
  allowed_roles: string[];
};

/** The zones of an active layout version, in its order. */
export const listLayoutZones = statement<
  LayoutZoneRow,
  [organizationId: string, layoutId: string, version: number]
>(
  'events.layout_zones',
  `select zone_id, name, zone_type, capacity, access_mode, membership_tier, allowed_roles
   from zones where organization_id = $1 and layout_id = $2 and version = $3 order by place`,
);

/** Which of these ids are seats of the version. */
export const findLayoutSeats = statement<
  { seat_id: string; zone_id: string },
  [organizationId: string, layoutId: string, version: number, seatIds: readonly string[]]
>(
  'events.layout_seats',
  `select seat_id, zone_id from seats
   where organization_id = $1 and layout_id = $2 and version = $3 and seat_id = any ($4::uuid[])`,
);

export type EventZoneRow = {
  event_id: string;
  zone_id: string;
  name: string;
  zone_type: string;
  capacity: number;
  access_mode: string;
  membership_tier: string | null;
  allowed_roles: string[];
  held: number;
  sold: number;
  /** With companion seats that are kept: they are not available to the public. */
  blocked: number;
  disabled: boolean;
  price_cents: number | null;
};

/** Zones of events on sale with their counters, also closed ones; of a draft there are none yet. */
export const listEventZones = statement<
  EventZoneRow,
  [organizationId: string, eventIds: readonly string[]]
>(
  'events.zones',
  `with kept as materialized (
     select l.event_id, s.zone_id, count(*)::int as seats
     from event_layouts l
     join seats s on s.organization_id = l.organization_id and s.layout_id = l.layout_id
       and s.version = l.layout_version and s.companion_of is not null
     left join event_configs c on c.organization_id = l.organization_id
       and c.event_id = l.event_id
     left join seating_policies o on o.organization_id = l.organization_id
     where l.organization_id = $1 and l.event_id = any ($2::uuid[])
       and coalesce(coalesce(c.policy, o.policy) ->> 'enforce_accessibility_rules', 'true') = 'true'
       and (select e.status from event_seats e where e.organization_id = l.organization_id
         and e.event_id = l.event_id and e.ordinal = s.ordinal) = 'available'
     group by l.event_id, s.zone_id)
   select z.event_id, z.zone_id, z.name, z.zone_type, z.capacity, z.access_mode,
     z.membership_tier, z.allowed_roles, z.held, z.sold, z.disabled, p.price_cents,
     z.blocked + case when z.companions_released then 0 else coalesce(k.seats, 0) end as blocked
   from event_zones z
   left join event_prices p on p.organization_id = z.organization_id
     and p.event_id = z.event_id and p.zone_id = z.zone_id
   left join kept k on k.event_id = z.event_id and k.zone_id = z.zone_id
   where z.organization_id = $1 and z.event_id = any ($2::uuid[])
   order by z.event_id, z.place`,
);
