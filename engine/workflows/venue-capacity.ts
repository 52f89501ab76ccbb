import { findVenue, lockVenue, type VenueRow } from '#layouts';
import type { Transaction } from '#postgres';
import type { Problem } from '#reading';
import type { Scope } from '#scope';

/** The venue, held until the commit: its capacity is what is judged by. */
export async function lockedVenue(
  transaction: Transaction,
  scope: Scope,
  venueId: string,
): Promise<VenueRow | null> {
  await transaction.query(lockVenue(scope.organizationId, venueId));
  const [venue] = await transaction.query(findVenue(scope.organizationId, venueId));
  return venue ?? null;
}

export function tooLargeFor(venue: VenueRow, total_capacity: number): Problem[] {
  return tooManyPlaces(venue, total_capacity, 'layout');
}

/** People who may be in the venue at once, by its own number. */
export function tooManyPlaces(
  venue: VenueRow,
  places: number,
  what: 'layout' | 'event',
): Problem[] {
  if (venue.max_capacity === null || places <= venue.max_capacity) return [];
  const message = `The ${what} has ${places} places, but the venue ${venue.max_capacity}.`;
  return [{ path: 'zones', code: 'over_venue_capacity', message }];
}
