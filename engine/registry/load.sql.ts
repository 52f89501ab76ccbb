import type { PartyGroup } from '#board';
import { statement } from '#postgres';

type Place = [organizationId: string, eventId: string];
type Version = [organizationId: string, layoutId: string, version: number];

export type BoardRow = {
  revision: number;
  hash: string;
  at_ms: number;
  seat_count: number;
  status: string;
  sale_starts_at: string | null;
  sale_ends_at: string | null;
  ends_at: string;
  rescheduled_at: string | null;
  currency: string;
  layout_id: string | null;
  layout_version: number | null;
  config_version: number;
  policy: unknown;
  tasks: unknown;
};

/** The head of a board and all it decides by, except its zones. */
export const readBoard = statement<BoardRow, Place>(
  'board.read',
  `select b.revision, encode(b.lineage_head, 'hex') as hash, b.seat_count, e.status,
     coalesce((select floor(extract(epoch from c.at) * 1000)::bigint from seat_changes c
       where c.organization_id = b.organization_id and c.event_id = b.event_id
         and c.revision = b.revision), 0) as at_ms,
     e.sale_starts_at, e.sale_ends_at, e.ends_at, e.rescheduled_at, e.currency,
     l.layout_id, l.layout_version,
     coalesce(f.version, 0) as config_version, coalesce(f.policy, p.policy) as policy, t.tasks
   from event_boards b
   join events e using (organization_id, event_id)
   join event_layouts l using (organization_id, event_id)
   left join event_configs f using (organization_id, event_id)
   left join board_tasks t using (organization_id, event_id)
   left join seating_policies p using (organization_id)
   where b.organization_id = $1 and b.event_id = $2`,
);

export type ZoneRow = {
  zone_id: string;
  name: string;
  zone_type: string;
  has_seats: boolean;
  capacity: number;
  access_mode: string;
  membership_tier: string | null;
  allowed_roles: string[];
  disabled: boolean;
  held: number;
  sold: number;
  blocked: number;
  companions_released: boolean;
  whitelist: string[];
  price_cents: number | null;
};

export const readZones = statement<ZoneRow, Place>(
  'board.zones',
  `select z.zone_id, z.name, z.zone_type, z.has_seats, z.capacity, z.access_mode,
     z.membership_tier, z.allowed_roles, z.disabled, z.held, z.sold, z.blocked,
     z.companions_released, p.price_cents,
     coalesce((select array_agg(w.user_id::text order by w.user_id) from zone_whitelist w
       where w.organization_id = z.organization_id and w.event_id = z.event_id
         and w.zone_id = z.zone_id), '{}') as whitelist
   from event_zones z
   left join event_prices p using (organization_id, event_id, zone_id)
   where z.organization_id = $1 and z.event_id = $2 order by z.place`,
);

/**
 * A stretch of seats, packed by the server: one character and four bytes each. Rows of their own
 * for 100,000 seats took 420 ms, most of it in the driver; packed they take 60.
 */
export const readSeats = statement<
  { codes: string | null; versions: Buffer | null },
  [...Place, from: number, to: number]
>(
  'board.seats',
  `select string_agg(case status when 'available' then '0' when 'held' then '1' when 'sold' then '2'
       else case when ticket_id is null then '3' else '7' end end, '') as codes,
     string_agg(int4send(version), '') as versions
   from (select status, ticket_id, version from event_seats
     where organization_id = $1 and event_id = $2 and ordinal >= $3 and ordinal < $4
     order by ordinal) ordered`,
);

/**
 * Live holds as JSON in portions of 1,000, so that no reading of them takes long. All of 100,000 on
 * a busy machine took longer than a statement may, and the event could not be loaded.
 */
export const readHolds = statement<{ holds: string }, Place>(
  'board.holds',
  `select json_agg(json_build_array(hold_id, user_id, cart_token, seat_id, zone_id, quantity,
       floor(extract(epoch from created_at) * 1000)::bigint,
       floor(extract(epoch from held_until) * 1000)::bigint, source, ip_hash, made_by, notes,
       checkout_id, people, unjudged, settled_seats) order by hold_id)::text as holds
   from (select s.*, p.people, row_number() over (order by s.hold_id) / 1000 as portion
     from seat_holds s
     left join (select hold_id, json_agg(user_id order by user_id) as people from hold_people
       where organization_id = $1 and event_id = $2 group by hold_id) p using (hold_id)
     where s.organization_id = $1 and s.event_id = $2 and s.status = 'active') h
   group by portion order by portion`,
  { long: true },
);

/**
 * Users with an answer that may be asked for again, packed, in portions of 10,000. Whose day is
 * over is still among them until the answer is dropped: then the key alone is read. As one list of
 * texts, 300,000 answers took longer than a statement may, and the event could not be loaded.
 */
export const readKeyed = statement<{ users: Buffer }, Place>(
  'board.keyed',
  `select string_agg(uuid_send(user_id), '') as users
   from (select user_id, row_number() over () / 10000 as portion
     from (select distinct user_id from idempotency_keys
       where organization_id = $1 and event_id = $2) k) p
   group by portion`,
  { long: true },
);

/** Who has the good tickets of some seats. */
export const readOwners = statement<
  { seat_id: string; user_id: string },
  [...Place, seatIds: readonly string[]]
>(
  'board.owners',
  `select seat_id, user_id from tickets
   where organization_id = $1 and event_id = $2 and seat_id = any ($3::uuid[])
     and status = 'active' order by seat_id`,
);

/** Between names: none of them may contain a control character. */
export const SEPARATOR = '\u001f';

/** Ends a section, before the name of the row. */
export const SECTION_END = '\u001e';

/**
 * A stretch of seats of a layout, packed. They are put in order once and not by each aggregate; the
 * names of their rows come along, because grouping 100,000 seats by row took as long again.
 */
export const readPlanSeats = statement<
  {
    ids: Buffer | null;
    zones: Buffer | null;
    runs: Buffer | null;
    numbers: Buffer | null;
    labels: string | null;
    rows: string | null;
    /** Hundredths of the drawing's unit. */
    x: Buffer | null;
    y: Buffer | null;
    /** One digit each: its place in SEAT_CATEGORIES. */
    categories: string | null;
    /** Of each companion seat: its ordinal and the id of its wheelchair space. */
    companions: Buffer | null;
    /** The ordinals of seats of round tables. */
    rings: Buffer | null;
  },
  [...Version, from: number, to: number]
>(
  'plan.seats',
  `select string_agg(uuid_send(seat_id), '') as ids,
     string_agg(int2send(place::int2), '') as zones, string_agg(int4send(run), '') as runs,
     string_agg(int4send(number), '') as numbers, string_agg(label, chr(31)) as labels,
     string_agg(coalesce(section || chr(30), '') || row_name, chr(31)) as rows,
     string_agg(int4send(floor(x * 100 + 0.5)::int4), '') as x,
     string_agg(int4send(floor(y * 100 + 0.5)::int4), '') as y,
     string_agg(case category when 'standard' then '0' when 'wheelchair' then '1'
       when 'companion' then '2' when 'restricted_view' then '3' else '4' end, '') as categories,
     string_agg(int4send(ordinal) || uuid_send(companion_of), '')
       filter (where companion_of is not null) as companions,
     string_agg(int4send(ordinal), '') filter (where ring) as rings
   from (select s.*, z.place from seats s
     join zones z using (organization_id, layout_id, version, zone_id)
     where s.organization_id = $1 and s.layout_id = $2 and s.version = $3
       and s.ordinal >= $4 and s.ordinal < $5
     order by s.ordinal) ordered`,
);

/** Groups of a kind: the number of each and its seats, again and again. */
export const readGroups = statement<
  { kind: PartyGroup; pairs: Buffer },
  [...Version, kinds: readonly string[]]
>(
  'plan.groups',
  `select g.group_type as kind,
     string_agg(int4send(g.number) || uuid_send(s.seat_id), '' order by g.number) as pairs
   from (select group_type, seat_ids, row_number() over (order by group_id)::int as number
     from seat_groups where organization_id = $1 and layout_id = $2 and version = $3
       and group_type = any ($4)) g
   cross join lateral unnest(g.seat_ids) as s (seat_id)
   group by g.group_type`,
);

/** Where each zone of a layout looks, in hundredths too. */
export const readFocalPoints = statement<{ x: number; y: number }, Version>(
  'plan.focal_points',
  `select floor(focal_x * 100 + 0.5)::int4 as x, floor(focal_y * 100 + 0.5)::int4 as y from zones
   where organization_id = $1 and layout_id = $2 and version = $3 order by place`,
);

export const insertSnapshot = statement<
  object,
  [...Place, revision: number, at_ms: number, hash: string, content: Buffer]
>(
  'board.insert_snapshot',
  `insert into board_snapshots (organization_id, event_id, revision, at, hash, content)
   values ($1, $2, $3, to_timestamp($4 / 1000.0), decode($5, 'hex'), $6)
   on conflict do nothing`,
);

/** The youngest snapshot at or before a revision. */
export const findSnapshot = statement<
  { revision: number; hash: string; content: Buffer },
  [...Place, revision: number]
>(
  'board.find_snapshot',
  `select revision, encode(hash, 'hex') as hash, content from board_snapshots
   where organization_id = $1 and event_id = $2 and revision <= $3
   order by revision desc limit 1`,
);
