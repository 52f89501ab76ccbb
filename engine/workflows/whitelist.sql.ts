import { statement } from '#postgres';

type Place = [organizationId: string, eventId: string, zoneId: string];

export const listWhitelist = statement<{ user_id: string }, Place>(
  'whitelist.list',
  `select user_id from zone_whitelist
   where organization_id = $1 and event_id = $2 and zone_id = $3 order by user_id`,
);

export const clearWhitelist = statement<object, Place>(
  'whitelist.clear',
  `delete from zone_whitelist where organization_id = $1 and event_id = $2 and zone_id = $3`,
);

export const fillWhitelist = statement<object, [...Place, userIds: readonly string[]]>(
  'whitelist.fill',
  `insert into zone_whitelist (organization_id, event_id, zone_id, user_id)
   select $1, $2, $3, unnest($4::uuid[])`,
);

export const findUnknownUsers = statement<
  { user_id: string },
  [organizationId: string, userIds: readonly string[]]
>(
  'whitelist.unknown_users',
  `select wanted.user_id::text as user_id from unnest($2::uuid[]) as wanted (user_id)
   where not exists (select from users u
     where u.organization_id = $1 and u.user_id = wanted.user_id) limit 20`,
);
