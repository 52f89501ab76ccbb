import { statement } from '#postgres';

export type VenueRow = {
  venue_id: string;
  slug: string;
  name: string;
  timezone: string;
  address: string | null;
  max_capacity: number | null;
  created_at: string;
};

const COLUMNS = `venue_id, slug, name, timezone, address, max_capacity, created_at`;

export const listVenues = statement<
  VenueRow,
  [organizationId: string, after: string, most: number]
>(
  'venues.list',
  `select ${COLUMNS} from venues
   where organization_id = $1 and venue_id > $2 order by venue_id limit $3`,
);

export const findVenue = statement<VenueRow, [organizationId: string, venueId: string]>(
  'venues.find',
  `select ${COLUMNS} from venues where organization_id = $1 and venue_id = $2`,
);

export const findVenues = statement<
  VenueRow,
  [organizationId: string, venueIds: readonly string[]]
>(
  'venues.find_all',
  `select ${COLUMNS} from venues where organization_id = $1 and venue_id = any ($2::uuid[])`,
);

/** Held until the commit: what is read after it stays true. */
export const lockVenue = statement<object, [organizationId: string, venueId: string]>(
  'venues.lock',
  `select from venues where organization_id = $1 and venue_id = $2 for no key update`,
);

export const insertVenue = statement<
  VenueRow,
  [
    organizationId: string,
    venueId: string,
    slug: string,
    name: string,
    timezone: string,
    address: string | null,
    maxCapacity: number | null,
  ]
>(
  'venues.insert',
  `insert into venues (organization_id, venue_id, slug, name, timezone, address, max_capacity)
   values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning ${COLUMNS}`,
);

export const updateVenue = statement<
  VenueRow,
  [
    organizationId: string,
    venueId: string,
    name: string,
    timezone: string,
    address: string | null,
    maxCapacity: number | null,
  ]
>(
  'venues.update',
  `update venues set name = $3, timezone = $4, address = $5, max_capacity = $6
   where organization_id = $1 and venue_id = $2 returning ${COLUMNS}`,
);
