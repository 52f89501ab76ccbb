import { statement } from '#postgres';

type Found = { organization_id: string; event_id: string };

/** Events with something to do: due holds, holds of a cancelled event, unfinished tasks. */
export const dueEvents = statement<Found, [most: number]>(
  'jobs.due_events',
  `select organization_id, event_id from lookup_due_events($1)`,
);

export const stalePolicies = statement<Found, [most: number]>(
  'jobs.stale_policies',
  `select organization_id, event_id from lookup_stale_policies($1)`,
);

/** Tickets of cancelled events that nobody has written down as owed, a page per event. */
export const unrefundedTickets = statement<Found & { ticket_ids: string[] }, [most: number]>(
  'jobs.unrefunded_tickets',
  `select organization_id, event_id, ticket_ids::text[] from lookup_unrefunded($1)`,
);

type Pruned = [organizationId: string, most: number];

export const pruneKeys = statement<{ pruned: number }, Pruned>(
  'jobs.prune_keys',
  `with gone as (
     delete from idempotency_keys where ctid = any (array(
       select ctid from idempotency_keys
       where organization_id = $1
         and created_at < (select event_now()) - interval '24 hours' limit $2))
     returning 1
   )
   select count(*) as pruned from gone`,
);

export const pruneRefusals = statement<{ pruned: number }, Pruned>(
  'jobs.prune_refusals',
  `with gone as (
     delete from refusal_log where ctid = any (array(
       select ctid from refusal_log
       where organization_id = $1 and at < now() - interval '30 days' limit $2))
     returning 1
   )
   select count(*) as pruned from gone`,
);
