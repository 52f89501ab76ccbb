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
