import { statement } from '#postgres';

/** Every node that hears it compares its board of the event with the tables. */
export const askToCompare = statement<{ asked: string }, [eventId: string]>(
  'feed.ask_to_compare',
  `select pg_notify('voelgoed_changes', $1::text || ':compare')::text as asked`,
);
