import { statement } from '#postgres';

/** In one order everywhere: several nodes add to the same minute. */
export const addPageViews = statement<object, [organizationId: string, rows: string]>(
  'page_views.add',
  `insert into page_views (organization_id, event_id, at, views)
   select $1, r.event_id, date_trunc('minute', (select event_now())), r.views
   from jsonb_to_recordset($2::jsonb) as r (event_id uuid, views int)
   order by r.event_id
   on conflict (organization_id, event_id, at)
   do update set views = page_views.views + excluded.views`,
);

export const countPageViews = statement<
  { bucket: string; views: number },
  [organizationId: string, eventId: string, seconds: number, from: string, to: string]
>(
  'page_views.count',
  `select date_bin(make_interval(secs => $3::int), at, 'epoch'::timestamptz) as bucket,
     sum(views)::int as views
   from page_views
   where organization_id = $1 and event_id = $2 and at >= $4 and at < $5
   group by 1 order by 1`,
);
