import { statement } from '#postgres';

type Place = [organizationId: string, eventId: string];

/** How many rows contradict another, and one of them. */
export type Contradictions = { found: number; example: string | null };

export const eventsAfter = statement<
  { organization_id: string; event_id: string },
  [after: string, most: number]
>('invariants.events', `select organization_id, event_id from lookup_events_after($1, $2)`);

export const oldestSnapshot = statement<{ seconds: number }, []>(
  'invariants.oldest_snapshot',
  `select lookup_oldest_snapshot() as seconds`,
);

/** A seat is held exactly when it names a live hold, which names it, until the same moment. */
export const contradictingSeats = statement<Contradictions, Place>(
  'invariants.seats',
  `select count(*) as found, min(coalesce(s.seat_id, h.seat_id)::text) as example
   from (select seat_id, status, seat_hold_id, held_until from event_seats
         where organization_id = $1 and event_id = $2) s
   full join (select hold_id, seat_id, held_until from seat_holds
         where organization_id = $1 and event_id = $2 and status = 'active'
           and seat_id is not null) h on h.seat_id = s.seat_id
   where s.seat_hold_id is distinct from h.hold_id
     or coalesce(s.status = 'held', false) <> (h.hold_id is not null)
     or s.held_until is distinct from h.held_until`,
);

/** A seat is sold exactly when it names a good ticket, which names it. */
export const contradictingTickets = statement<Contradictions, Place>(
  'invariants.tickets',
  `select count(*) as found, min(coalesce(s.seat_id, t.seat_id)::text) as example
   from (select seat_id, status, ticket_id from event_seats
         where organization_id = $1 and event_id = $2
           and (status = 'sold' or ticket_id is not null)) s
   full join (select ticket_id, seat_id from tickets
         where organization_id = $1 and event_id = $2 and status = 'active'
           and seat_id is not null) t on t.seat_id = s.seat_id
   where s.ticket_id is distinct from t.ticket_id
     or coalesce(s.status not in ('sold', 'blocked'), true)`,
);

/** Counters equal a recount. What is sold in a zone without seats, only the counter knows. */
export const wrongCounters = statement<Contradictions, Place>(
  'invariants.counters',
  `with seats as (
     select zone_id, count(*) filter (where status = 'held') as held,
       count(*) filter (where status = 'sold') as sold,
       count(*) filter (where status = 'blocked') as blocked
     from event_seats where organization_id = $1 and event_id = $2 group by zone_id),
   places as (
     select zone_id, sum(quantity) as held from seat_holds
     where organization_id = $1 and event_id = $2 and status = 'active' and zone_id is not null
     group by zone_id)
   select count(*) as found, min(z.zone_id::text) as example
   from event_zones z left join seats s on s.zone_id = z.zone_id
   left join places p on p.zone_id = z.zone_id
   where z.organization_id = $1 and z.event_id = $2
     and (z.held <> coalesce(s.held, 0) + coalesce(p.held, 0)
       or z.blocked <> case when z.has_seats then coalesce(s.blocked, 0) else 0 end
       or (z.has_seats and z.sold <> coalesce(s.sold, 0)))`,
);

/** Nobody is paying for it and its time has been over for minutes: the sweep does not work. */
export const overdueHolds = statement<Contradictions, [...Place, minutes: number]>(
  'invariants.overdue_holds',
  `select count(*) as found, min(h.hold_id::text) as example from seat_holds h
   where h.organization_id = $1 and h.event_id = $2 and h.status = 'active'
     and h.held_until < (select event_now()) - make_interval(mins => $3)
     and not exists (select from checkouts c where c.organization_id = h.organization_id
       and c.checkout_id = h.checkout_id and c.status = 'paying')`,
);

/** The log ends where the board says it does. */
export const wrongLogEnd = statement<Contradictions, Place>(
  'invariants.log',
  `select count(*) as found, min(b.revision::text) as example from event_boards b
   left join lateral (select revision, hash from seat_changes c
     where c.organization_id = $1 and c.event_id = $2 order by revision desc limit 1) c on true
   where b.organization_id = $1 and b.event_id = $2
     and (coalesce(c.revision, 0) <> b.revision or (b.revision > 0 and c.hash <> b.lineage_head))`,
);

/** The hash that a tail of the chain is verified from. */
export const auditHashAt = statement<{ hash: Buffer }, [...Place, sequence: number]>(
  'invariants.audit_hash',
  `select hash from audit_log where organization_id = $1 and chain_id = $2 and sequence = $3`,
);

const TABLES = [
  ['seats', 'event_seats', 'event_id', 'true'],
  ['holds', 'seat_holds', 'event_id', `status = 'active'`],
  ['tickets', 'tickets', 'event_id', `status = 'active' and seat_id is not null`],
  ['changes', 'seat_changes', 'event_id', 'true'],
  ['trails', 'audit_log', 'chain_id', 'true'],
  ['keys', 'idempotency_keys', 'event_id', 'true'],
] as const;

/** From key to key: each event costs one look at an index, however many rows it has. */
const eachEvent = ([name, table, column, condition]: (typeof TABLES)[number]) => `
  in_${name} as (
    (select ${column} as event_id from ${table} where organization_id = $1 and ${condition}
     order by ${column} limit 1)
    union all
    select (select t.${column} from ${table} t where t.organization_id = $1 and ${condition}
      and t.${column} > p.event_id order by t.${column} limit 1)
    from in_${name} p where p.event_id is not null)`;

/**
 * Rows of an organization about events that are not its own: row level security hides from it
 * whose they are, so an event that it does not have is all that there is to see.
 */
export const strayRows = statement<Contradictions, [organizationId: string, nobody: string]>(
  'invariants.strays',
  `with recursive ${TABLES.map(eachEvent).join(',')}
   select count(*) as found, min(stray.name || ' ' || stray.event_id::text) as example
   from (${TABLES.map(([name]) => `select '${name}' as name, event_id from in_${name}`).join(`
     union all `)}) stray
   where stray.event_id is not null and stray.event_id <> $2
     and not exists (select from events e
       where e.organization_id = $1 and e.event_id = stray.event_id)`,
);
