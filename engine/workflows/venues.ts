import { NIL_ID, uuidv7 } from '#kit';
import { findVenue, insertVenue, listVenues, updateVenue, type VenueRow } from '#layouts';
import { type Caller, change, changed, type Done, type Engine, type KeyReused } from './change.ts';
import { lockedVenue } from './venue-capacity.ts';

export type NewVenue = Readonly<{
  slug: string;
  name: string;
  timezone: string;
  address: string | null;
  maxCapacity: number | null;
}>;

export type VenueChange = Readonly<{
  name?: string | undefined;
  timezone?: string | undefined;
  address?: string | null | undefined;
  maxCapacity?: number | null | undefined;
}>;

export function listAllVenues(
  engine: Engine,
  caller: Caller,
  page: { after?: string | undefined; limit: number },
): Promise<VenueRow[]> {
  const { scope } = caller;
  return engine.postgres.ask(
    scope,
    listVenues(scope.organizationId, page.after ?? NIL_ID, page.limit),
  );
}

export function readVenue(
  engine: Engine,
  caller: Caller,
  venueId: string,
): Promise<VenueRow | null> {
  const { scope } = caller;
  return engine.postgres.transaction(scope, { name: 'venues.find' }, async (transaction) => {
    const [venue] = await transaction.query(findVenue(scope.organizationId, venueId));
    return venue ?? null;
  });
}

export function createVenue(
  engine: Engine,
  caller: Caller,
  wanted: NewVenue,
): Promise<Done<VenueRow> | { kind: 'slug_taken' } | KeyReused> {
  const id = uuidv7(engine);
  const { slug, name, timezone, address, maxCapacity } = wanted;
  return change(engine, caller, 'venue.create', async (transaction) => {
    const { organizationId } = caller.scope;
    const [row] = await transaction.query(
      insertVenue(organizationId, id, slug, name, timezone, address, maxCapacity),
    );
    if (!row) return { kind: 'slug_taken' as const };
    const entry = {
      action: 'venue_created',
      entityType: 'venue',
      entityId: id,
      changes: { slug, max_capacity: maxCapacity },
    } as const;
    return changed(row, [entry]);
  });
}

export function changeVenue(
  engine: Engine,
  caller: Caller,
  venueId: string,
  wanted: VenueChange,
): Promise<Done<VenueRow> | { kind: 'not_found' } | KeyReused> {
  const { organizationId } = caller.scope;
  return change(engine, caller, 'venue.change', async (transaction) => {
    const before = await lockedVenue(transaction, caller.scope, venueId);
    if (!before) return { kind: 'not_found' as const };
    const [row] = await transaction.query(
      updateVenue(
        organizationId,
        venueId,
        wanted.name ?? before.name,
        wanted.timezone ?? before.timezone,
        wanted.address === undefined ? before.address : wanted.address,
        wanted.maxCapacity === undefined ? before.max_capacity : wanted.maxCapacity,
      ),
    );
    const entry = {
      action: 'venue_changed',
      entityType: 'venue',
      entityId: venueId,
      changes: { ...wanted },
    } as const;
    return changed(row ?? before, [entry]);
  });
}
