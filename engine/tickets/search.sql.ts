import { statement } from '#postgres';
import type { PersonRow } from './tickets.sql.ts';

/**
 * A name in small letters without accents. They are taken off before letters are made small, which
 * some locales do to ASCII alone; a name without any is 4 times as fast.
 */
const PLAIN_NAME = `case when octet_length(u.name) = char_length(u.name) then lower(u.name)
     else lower(regexp_replace(normalize(u.name, NFD), '[\u0300-\u036f]', '', 'g')) end`;

type Names = [
  organizationId: string,
  /** With their wildcards: each word has to be somewhere. */
  words: readonly string[],
  most: number,
];

const FOUND = `select user_id, name, email from (
     select u.user_id, u.name, u.email, ${PLAIN_NAME} as plain, lower(u.email) as address`;
const MATCHES = `) named where plain like all ($2::text[]) or address like all ($2::text[])
   order by (' ' || plain) like ('% ' || substr($2[1], 2)) desc nulls last, plain, user_id
   limit $3`;

/** People with a ticket or a live hold of an event in whose name or address these words are. */
export const scanPeopleOfEvent = statement<PersonRow, [...Names, eventId: string]>(
  'search.people_of_event',
  `with buyers as materialized (
     select user_id from tickets where organization_id = $1 and event_id = $4
     union
     select user_id from seat_holds
     where organization_id = $1 and event_id = $4 and status = 'active'
   )
   ${FOUND} from buyers join users u on u.organization_id = $1 and u.user_id = buyers.user_id
   ${MATCHES}`,
);

/** The same among all of an organization. */
export const scanPeople = statement<PersonRow, Names>(
  'search.people',
  `${FOUND} from users u
     where u.organization_id = $1 and (u.name is not null or u.email is not null)
   ${MATCHES}`,
);

/**
 * Tickets by how their code begins: between that and the same with the last letters there are,
 * which the index of codes answers in every collation.
 */
export const ticketsByCodeStart = statement<
  { ticket_id: string },
  [organizationId: string, start: string, eventId: string | null, most: number]
>(
  'search.tickets_by_code',
  `select ticket_id from tickets
   where organization_id = $1 and code between $2 and $2 || 'ZZZZZZZZZZ' and code like $2 || '%'
     and ($3::uuid is null or event_id = $3) limit $4`,
);

/**
 * Tickets of an event by a piece of their code that begins where a group begins, or by row and
 * number of their seat, in whatever section that is. Seats come first and each has its ticket
 * looked up, also when Postgres does not know yet how large the tables are: tickets in the order of
 * seats are in one index alone, and it does not go through all of them for each.
 */
export const scanTickets = statement<
  { ticket_id: string },
  [
    organizationId: string,
    eventId: string,
    code: string | null,
    row: string | null,
    number: number | null,
    most: number,
  ]
>(
  'search.tickets',
  `with wanted as materialized (
     select seat.seat_id from event_layouts l cross join lateral (
       select seat_id from seats where organization_id = $1 and layout_id = l.layout_id
         and version = l.layout_version and number = $5 and lower(row_name) = lower($4)
       offset 0
     ) seat
     where l.organization_id = $1 and l.event_id = $2
   )
   (select ticket_id from tickets where organization_id = $1 and event_id = $2
     and $3::text is not null and ('-' || code) like ('%-' || $3 || '%') limit $6)
   union
   (select found.ticket_id from wanted cross join lateral (select ticket_id from tickets
      where organization_id = $1 and event_id = $2
        and seat_id between wanted.seat_id and wanted.seat_id and status = 'active'
      order by seat_id limit 1) found
    limit $6)`,
);
