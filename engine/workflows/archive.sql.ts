import { type Statement, statement } from '#postgres';

type Place = [organizationId: string, eventId: string];
type RecordRow = { id: string; record: Record<string, unknown> };
type RecordPage = (...values: [...Place, after: string, most: number]) => Statement<RecordRow>;

/** What belongs to an event besides its log, each table by its own key. */
const TABLES = {
  hold: ['seat_holds', 'hold_id'],
  checkout: ['checkouts', 'checkout_id'],
  payment_attempt: ['payment_attempts', 'attempt_id'],
  refund_due: ['refunds_due', 'refund_id'],
  ticket: ['tickets', 'ticket_id'],
  entry: ['entries', 'entry_id'],
} as const;

export type RecordKind = keyof typeof TABLES;

export const RECORD_PAGES = Object.entries(TABLES).map(
  ([kind, [table, key]]): [kind: RecordKind, page: RecordPage] => [
    kind as RecordKind,
    statement<RecordRow, [...Place, after: string, most: number]>(
      `archive.${table}`,
      `select ${key}::text as id, to_jsonb(t) - 'organization_id' as record from ${table} t
       where organization_id = $1 and event_id = $2 and ${key} > $3 order by ${key} limit $4`,
      { long: true },
    ),
  ],
);

/** Endpoints that have not been told everything read the log: it stays until they have. */
export const countBehind = statement<{ behind: number }, [...Place, head: number]>(
  'archive.count_behind',
  `select count(*)::int as behind from webhook_cursors
   where organization_id = $1 and event_id = $2 and revision < $3`,
);

/** As the owner: serving roles may not take anything out of the log. */
export const PRUNE_HISTORY = {
  scope: `select set_config('voelgoed.organization_id', $1, true)`,
  log: `delete from seat_changes where organization_id = $1 and event_id = $2 and revision < $3`,
  snapshots: `delete from board_snapshots
     where organization_id = $1 and event_id = $2 and revision < $3`,
} as const;
