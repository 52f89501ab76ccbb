/**
 * The registry: who has a seat. It is the only room that writes the state of seats and places on
 * sale. Publishing an event makes its inventory here; workflows call it inside their transaction,
 * so that nothing of it is seen before their commit.
 */
import { assert, NIL_ID } from '#kit';
import type { Transaction } from '#postgres';
import type { Scope } from '#scope';
import { countBlocked, insertBoard, insertSeats, insertZones } from './inventory.sql.ts';
import {
  bumpBoard,
  clearInventory,
  lockBoard,
  recountZones,
  restoreSeats,
  restoreZones,
  type TakenSeat,
  type TakenZone,
  takenSeats,
  takenZones,
} from './migration.sql.ts';

export { type MigrationReport, planMigration } from './migration-rules.ts';

export type InventoryZone = Readonly<{
  zone_id: string;
  name: string;
  zone_type: string;
  has_seats: boolean;
  capacity: number;
  access_mode: string;
  membership_tier: string | null;
  allowed_roles: readonly string[];
  disabled: boolean;
}>;

export type Inventory = Readonly<{
  eventId: string;
  zones: readonly InventoryZone[];
  /** Null: general admission alone. */
  seats: { layoutId: string; version: number; count: number; blocked: readonly string[] } | null;
}>;

/** Makes everything that can be held and sold of an event: its board, zones and seats. */
export async function openInventory(
  transaction: Transaction,
  scope: Scope,
  inventory: Inventory,
): Promise<void> {
  const { eventId } = inventory;
  await transaction.query(insertBoard(scope.organizationId, eventId, inventory.seats?.count ?? 0));
  await fillInventory(transaction, scope, inventory);
}

async function fillInventory(
  transaction: Transaction,
  scope: Scope,
  { eventId, zones, seats }: Inventory,
): Promise<void> {
  const { organizationId } = scope;
  const rows = JSON.stringify(zones.map((zone, place) => ({ ...zone, place })));
  await transaction.query(insertZones(organizationId, eventId, rows));
  if (!seats) return;
  const { layoutId, version, count, blocked } = seats;
  const [made] = await transaction.query(
    insertSeats(organizationId, eventId, layoutId, version, blocked),
  );
  assert(made?.seats === count, 'every seat of the layout is in the inventory');
  await transaction.query(countBlocked(organizationId, eventId));
}

/** Who has what in an event on sale; null when it is not on sale. Nobody sells until the commit. */
export async function lockTaken(
  transaction: Transaction,
  scope: Scope,
  eventId: string,
  layout: { layoutId: string; version: number } | null,
): Promise<{ seats: TakenSeat[]; zones: TakenZone[] } | null> {
  const { organizationId } = scope;
  const [board] = await transaction.query(lockBoard(organizationId, eventId));
  if (!board) return null;
  const { layoutId = NIL_ID, version = 0 } = layout ?? {};
  return {
    seats: await transaction.query(takenSeats(organizationId, eventId, layoutId, version)),
    zones: await transaction.query(takenZones(organizationId, eventId)),
  };
}

/** Another plan under the same event: everybody keeps what they have, by the mapping. */
export async function replaceInventory(
  transaction: Transaction,
  scope: Scope,
  inventory: Inventory,
  mapping: Readonly<Record<string, string>>,
): Promise<void> {
  const { organizationId } = scope;
  const { eventId, seats } = inventory;
  const [taken] = await transaction.query(clearInventory(organizationId, eventId));
  assert(taken, 'clearing always answers');
  await fillInventory(transaction, scope, inventory);
  const [done] = await transaction.query(
    restoreSeats(organizationId, eventId, taken.seats, JSON.stringify(mapping)),
  );
  const wanted = (JSON.parse(taken.seats) as unknown[]).length;
  assert(done?.restored === wanted, 'everybody who had a seat has one');
  await transaction.query(restoreZones(organizationId, eventId, taken.zones));
  await transaction.query(recountZones(organizationId, eventId));
  await transaction.query(bumpBoard(organizationId, eventId, seats?.count ?? 0));
}
