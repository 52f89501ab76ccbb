import { statement } from '#postgres';

type Place = [organizationId: string, eventId: string];

/** The first node that keeps a minute keeps it for all. */
export const insertOccupancy = statement<
  object,
  [
    ...Place,
    revision: number,
    available: number,
    held: number,
    sold: number,
    blocked: number,
    attendees: number,
    percent: number,
  ]
>(
  'occupancy.insert',
  `insert into occupancy_snapshots (organization_id, event_id, snapshot_at, revision,
     available_count, held_count, sold_count, blocked_count, live_attendees, occupancy_percent)
   values ($1, $2, date_trunc('minute', now()), $3, $4, $5, $6, $7, $8, $9)
   on conflict do nothing`,
);

export type OccupancyRow = {
  snapshot_at: string;
  revision: number;
  available_count: number;
  held_count: number;
  sold_count: number;
  blocked_count: number;
  live_attendees: number;
  occupancy_percent: number;
};

export const listOccupancy = statement<
  OccupancyRow,
  [...Place, from: string, to: string, most: number]
>(
  'occupancy.list',
  `select snapshot_at, revision, available_count, held_count, sold_count, blocked_count,
     live_attendees, occupancy_percent::float8 as occupancy_percent
   from occupancy_snapshots
   where organization_id = $1 and event_id = $2 and snapshot_at >= $3 and snapshot_at < $4
   order by snapshot_at limit $5`,
);

/** Months of a sale in few rows: of every stretch of so many minutes the last one. */
export const listOccupancyEvery = statement<
  OccupancyRow,
  [...Place, from: string, to: string, most: number, minutes: number]
>(
  'occupancy.every',
  `select distinct on (stretch) snapshot_at, revision, available_count, held_count, sold_count,
     blocked_count, live_attendees, occupancy_percent::float8 as occupancy_percent
   from occupancy_snapshots,
     floor(extract(epoch from snapshot_at) / 60 / $6::integer) stretch
   where organization_id = $1 and event_id = $2 and snapshot_at >= $3 and snapshot_at < $4
   order by stretch, snapshot_at desc limit $5`,
);
