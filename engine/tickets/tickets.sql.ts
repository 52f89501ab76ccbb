import { statement } from '#postgres';

export type TicketState = 'active' | 'voided' | 'refunded';

/** A ticket with its place in words. What is null is not so: a zone has no row, a seat has. */
export type TicketRow = {
  ticket_id: string;
  event_id: string;
  checkout_id: string;
  user_id: string;
  /** The name of whose it is, as far as there is one. */
  holder: string | null;
  code: string;
  status: TicketState;
  seat_id: string | null;
  zone_id: string;
  zone_name: string | null;
  label: string | null;
  section: string | null;
  row_name: string | null;
  number: number | null;
  /** Its seat was blocked after it was sold. */
  needs_reseating: boolean;
  price_cents: number;
  currency: string;
  days: string[];
  ends_at: string;
  entry_count: number;
  created_at: string;
  ended_at: string | null;
  end_reason: string | null;
  /** How its sale was paid; null: it was not said. */
  method: string | null;
};

/** Each joined row is found by its key; a ticket that has ended may be of an older plan. */
const FROM = `join events e on e.organization_id = t.organization_id and e.event_id = t.event_id
   left join event_zones z on z.organization_id = t.organization_id
     and z.event_id = t.event_id and z.zone_id = t.zone_id
   left join event_layouts l on l.organization_id = t.organization_id and l.event_id = t.event_id
   left join seats s on s.organization_id = t.organization_id and s.layout_id = l.layout_id
     and s.version = l.layout_version and s.seat_id = t.seat_id
   left join event_seats b on b.organization_id = t.organization_id and b.event_id = t.event_id
     and b.ordinal = s.ordinal and b.ticket_id = t.ticket_id
   left join users u on u.organization_id = t.organization_id and u.user_id = t.user_id`;

const COLUMNS = `t.ticket_id, t.event_id, t.checkout_id, t.user_id, u.name as holder, t.code,
     t.status, t.seat_id, t.zone_id, z.name as zone_name, s.label, s.section, s.row_name, s.number,
     coalesce(b.status = 'blocked', false) as needs_reseating, t.price_cents, t.currency,
     e.days::text[] as days, e.ends_at, (select coalesce(sum(d.entries), 0)::int
       from ticket_days d where d.organization_id = t.organization_id
         and d.ticket_id = t.ticket_id) as entry_count, t.created_at, t.ended_at, t.end_reason,
     (select c.method from checkouts c where c.organization_id = t.organization_id
       and c.checkout_id = t.checkout_id) as method`;

type Page = [after: string, most: number];

/** Somebody's own, of one event if it is named, in the order they were made. */
export const listOwnTickets = statement<
  TicketRow,
  [organizationId: string, userId: string, eventId: string | null, ...page: Page]
>(
  'tickets.own',
  `select ${COLUMNS} from tickets t ${FROM}
   where t.organization_id = $1 and t.user_id = $2 and ($3::uuid is null or t.event_id = $3)
     and t.ticket_id > $4
   order by t.ticket_id limit $5`,
);

type OfEvent = [
  organizationId: string,
  eventId: string,
  status: TicketState | null,
  needsReseating: boolean,
  inside: boolean,
  ...page: Page,
];

const OF_EVENT = `t.organization_id = $1 and t.event_id = $2
     and ($3::text is null or t.status = $3) and (not $4::boolean or b.status = 'blocked')
     and (not $5::boolean or exists (select from ticket_days w
       where w.organization_id = t.organization_id and w.ticket_id = t.ticket_id and w.inside))
     and t.ticket_id > $6`;

export const listEventTickets = statement<TicketRow, OfEvent>(
  'tickets.of_event',
  `select ${COLUMNS} from tickets t ${FROM} where ${OF_EVENT} order by t.ticket_id limit $7`,
);

/**
 * Of one sale: at most a thousand, found by it alone (`offset 0` keeps the rest outside). The plan
 * would go through all tickets of the event instead, because they are in order there.
 */
export const listTicketsOfSale = statement<TicketRow, [...OfEvent, checkoutId: string]>(
  'tickets.of_sale',
  `select ${COLUMNS} from (select * from tickets
     where organization_id = $1 and checkout_id = $8 offset 0) t ${FROM}
   where ${OF_EVENT} order by t.ticket_id limit $7`,
);

/** The good ticket of a seat. */
export const findTicketOfSeat = statement<
  TicketRow,
  [organizationId: string, eventId: string, seatId: string]
>(
  'tickets.of_seat',
  `select ${COLUMNS} from tickets t ${FROM} where t.organization_id = $1 and t.event_id = $2
     and t.seat_id = $3 and t.status = 'active'`,
);

export const findTicket = statement<TicketRow, [organizationId: string, ticketId: string]>(
  'tickets.find',
  `select ${COLUMNS} from tickets t ${FROM} where t.organization_id = $1 and t.ticket_id = $2`,
);

/** What a sale has made, seat by seat, all of it: at most what fits into one flush. */
export const listSoldTickets = statement<TicketRow, [organizationId: string, checkoutId: string]>(
  'tickets.of_checkout',
  `select ${COLUMNS} from tickets t ${FROM}
   where t.organization_id = $1 and t.checkout_id = $2
   order by z.place, s.ordinal, t.ticket_id`,
);

/**
 * The name of the caller who was sold something at the counter, and who is known by an id: callers
 * who are known by their names are others under another. No user of the shop is named, who has
 * another subject, and none whose personal data was erased, who has none.
 */
export const nameCaller = statement<
  object,
  [organizationId: string, checkoutId: string, name: string]
>(
  'tickets.name_caller',
  `update users u set name = $3 from checkouts c
   where c.organization_id = $1 and c.checkout_id = $2 and u.organization_id = $1
     and u.user_id = c.user_id
     and u.subject ~ '^caller:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`,
  { repeatable: true },
);

export type OwnedRow = {
  user_id: string;
  zone_id: string;
  /** Who was named for these places, or the buyer; null: their zone asked for nobody. */
  person: string | null;
  places: number;
};

/** The good tickets of buyers who ask for more, by zone and person. A flush asks the same. */
export const listOwned = statement<
  OwnedRow,
  [organizationId: string, eventId: string, userIds: readonly string[]]
>(
  'tickets.owned',
  `select t.user_id, t.zone_id, t.member_id as person, count(*)::int as places
   from tickets t where t.organization_id = $1 and t.event_id = $2
     and t.user_id = any ($3::uuid[]) and t.status = 'active'
   group by t.user_id, t.zone_id, t.member_id`,
);

export type PersonRow = { user_id: string; name: string | null; email: string | null };

/**
 * People whose id it is, or whose name or address begins so. Compared byte by byte in small
 * letters, between the text and the text with the last letter there is, which an index can answer
 * also when the plan was made before the text was known.
 */
export const searchPeople = statement<
  PersonRow,
  [organizationId: string, id: string | null, text: string, most: number]
>(
  'tickets.search_people',
  `(select user_id, name, email from users where organization_id = $1 and user_id = $2)
   union
   (select user_id, name, email from users where organization_id = $1 and name is not null
      and lower(name) ~>=~ lower($3) and lower(name) ~<~ (lower($3) || chr(1114111))
    order by lower(name) using ~<~ limit $4)
   union
   (select user_id, name, email from users where organization_id = $1 and email is not null
      and lower(email) ~>=~ lower($3) and lower(email) ~<~ (lower($3) || chr(1114111))
    order by lower(email) using ~<~ limit $4)
   limit $4`,
);

/** Plans are searched for a label event by event: those of the last while are enough. */
const EVENTS_SEARCHED = 100;

/**
 * By code, by any id that a ticket has, by the people and the tickets found before, or by the label
 * of its seat.
 */
export const searchTickets = statement<
  TicketRow,
  [
    organizationId: string,
    code: string | null,
    id: string | null,
    userIds: readonly string[],
    label: string,
    eventId: string | null,
    most: number,
    ticketIds: readonly string[],
  ]
>(
  'tickets.search',
  `with wanted as materialized (
     select recent.event_id, seat.seat_id from (select event_id from events
         where organization_id = $1 and status <> 'draft' and ($6::uuid is null or event_id = $6)
       order by starts_at desc limit ${EVENTS_SEARCHED}) recent
     join event_layouts pl on pl.organization_id = $1 and pl.event_id = recent.event_id
     cross join (select distinct label from (values ($5), (upper($5))) either (label)) said
     cross join lateral (select seat_id from seats where organization_id = $1
       and layout_id = pl.layout_id and version = pl.layout_version and label = said.label
       limit 1) seat
   )
   select ${COLUMNS} from (
     (select * from tickets where organization_id = $1 and code = $2)
     union
     (select * from tickets where organization_id = $1 and ticket_id = $3)
     union
     (select * from tickets where organization_id = $1 and ticket_id = any ($8::uuid[]))
     union
     (select * from tickets where organization_id = $1 and checkout_id = $3 limit $7)
     union
     (select * from tickets where organization_id = $1 and user_id = any ($4::uuid[])
      order by ticket_id desc limit $7)
     union
     (select found.* from wanted cross join lateral (select * from tickets
        where organization_id = $1 and event_id = wanted.event_id
          and seat_id = wanted.seat_id and status = 'active' limit 1) found)
   ) t ${FROM}
   where $6::uuid is null or t.event_id = $6
   order by t.ticket_id desc limit $7`,
);
