import { statement } from '#postgres';

export type HoldRow = {
  hold_id: string;
  event_id: string;
  user_id: string;
  status: 'active' | 'converted' | 'expired' | 'cancelled';
};

export const findHold = statement<HoldRow, [organizationId: string, holdId: string]>(
  'holds.find',
  `select hold_id, event_id, user_id, status from seat_holds
   where organization_id = $1 and hold_id = $2`,
);

export const findHolds = statement<HoldRow, [organizationId: string, holdIds: readonly string[]]>(
  'holds.find_many',
  `select hold_id, event_id, user_id, status from seat_holds
   where organization_id = $1 and hold_id = any ($2::uuid[])`,
);

export const holdsByEvent = statement<
  { event_id: string; hold_ids: string[] },
  [organizationId: string, userId: string]
>(
  'holds.by_event',
  `select event_id, array_agg(hold_id::text) as hold_ids from seat_holds
   where organization_id = $1 and user_id = $2 and status = 'active' group by event_id`,
);

/**
 * Everything that is alive in an event, also what is due and not yet swept away. Milliseconds are
 * cut off as where boards are loaded: rounded, a hold would differ from its board for ever.
 */
export const liveHolds = statement<
  { hold_id: string; until_ms: number },
  [organizationId: string, eventId: string]
>(
  'holds.live',
  `select hold_id, floor(extract(epoch from held_until) * 1000)::bigint as until_ms
   from seat_holds where organization_id = $1 and event_id = $2 and status = 'active'`,
);

/** Events on sale, the youngest first. */
export const boardsOf = statement<
  { event_id: string },
  [organizationId: string, before: string, most: number]
>(
  'boards.of_organization',
  `select event_id from event_boards where organization_id = $1 and event_id < $2
   order by event_id desc limit $3`,
);
