import { assert, type Clock, NIL_ID, OperatingError, type Random, uuidv7 } from '#kit';
import type { SeatingPolicy } from '#policies';
import type { Transaction } from '#postgres';
import type { Scope } from '#scope';
import { countBlocked, insertBoard, insertSeats, insertZones } from './inventory.sql.ts';
import { insertSnapshot } from './load.sql.ts';
import { loadContent } from './load-board.ts';
import { NO_SEATS, readPlan } from './load-plan.ts';
import { sealRow } from './log.ts';
import {
  appendRow,
  blockAgain,
  bumpConfig,
  clearInventory,
  hasTasks,
  liftHolds,
  liftTickets,
  lockBoard,
  moveHeldPlaces,
  moveHolds,
  moveSoldPlaces,
  moveTickets,
  readHead,
  recountZones,
  restoreSeats,
  restoreZones,
  setSeatCount,
  staffBlocks,
  type TakenSeat,
  type TakenZone,
  takenSeats,
  takenZones,
} from './migration.sql.ts';
import type { Moves } from './migration-rules.ts';
import type { EventRef } from './ports.ts';
import { packContent } from './snapshot.ts';

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
  /** What the board decides by from now on. */
  policy: SeatingPolicy;
  /** Null: general admission alone. */
  seats: {
    layoutId: string;
    version: number;
    count: number;
    blocked: readonly string[];
    /** Seats of reserved blocks that are in the sale all the same: staff have unblocked them. */
    open: readonly string[];
  } | null;
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

/**
 * Takes the event's lock before anything else of the event is locked, as a flush does. Nobody holds
 * or sells until the transaction ends; false when the event is not on sale. A plan is not taken
 * away from under work that counts in its seats.
 */
export async function lockInventory(
  transaction: Transaction,
  scope: Scope,
  eventId: string,
): Promise<boolean> {
  const [board] = await transaction.query(lockBoard(scope.organizationId, eventId));
  const tasks = await transaction.query(hasTasks(scope.organizationId, eventId));
  if (tasks.length > 0) {
    const message = 'work on many seats of this event is not finished';
    throw new OperatingError('event_busy', message, { retryable: true });
  }
  return board !== undefined;
}

/**
 * Writes a new plan into the log, with the board as it now is for whoever replays it. To be called
 * last, when everything else about the event is written.
 */
export async function logPlan(
  transaction: Transaction,
  event: EventRef,
  source: { clock: Clock; random: Random },
): Promise<void> {
  const { scope, eventId } = event;
  const { organizationId } = scope;
  const [head] = await transaction.query(readHead(organizationId, eventId));
  assert(head, 'a plan belongs to a board');
  const load = () =>
    loadContent(transaction, event, async (layout, seats) =>
      layout ? readPlan(transaction, scope, layout, seats) : NO_SEATS,
    );
  const before = await load();
  assert(before, 'a board that was made can be read');
  const { layout } = before.content.config;
  const { row, text } = sealRow(eventId, head.hash, {
    revision: head.revision + 1,
    flush_id: uuidv7(source),
    at_ms: Math.max(head.now_ms, head.at_ms),
    changes: [
      { kind: 'planned', layout_id: layout?.layout_id ?? null, version: layout?.version ?? 0 },
    ],
    keyed: [],
  });
  const { revision, flush_id, at_ms, format, hash } = row;
  await transaction.query(
    appendRow(organizationId, eventId, revision, flush_id, at_ms, format, text, hash),
  );
  const packed = await packContent({ ...before.content, revision, at_ms, hash });
  await transaction.query(insertSnapshot(organizationId, eventId, revision, at_ms, hash, packed));
}

async function fillInventory(
  transaction: Transaction,
  scope: Scope,
  { eventId, zones, seats, policy }: Inventory,
): Promise<void> {
  const { organizationId } = scope;
  await transaction.query(bumpConfig(organizationId, eventId, JSON.stringify(policy)));
  const rows = JSON.stringify(zones.map((zone, place) => ({ ...zone, place })));
  await transaction.query(insertZones(organizationId, eventId, rows));
  if (!seats) return;
  const { layoutId, version, count, blocked, open } = seats;
  const [made] = await transaction.query(
    insertSeats(organizationId, eventId, layoutId, version, blocked, open),
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
): Promise<{ seats: TakenSeat[]; zones: TakenZone[]; broken: string[] } | null> {
  const { organizationId } = scope;
  const [board] = await transaction.query(lockBoard(organizationId, eventId));
  if (!board) return null;
  const { layoutId = NIL_ID, version = 0 } = layout ?? {};
  const broken = await transaction.query(staffBlocks(organizationId, eventId));
  return {
    seats: await transaction.query(takenSeats(organizationId, eventId, layoutId, version)),
    zones: await transaction.query(takenZones(organizationId, eventId)),
    broken: broken.map(({ seat_id }) => seat_id),
  };
}

/** Another plan under the same event: everybody keeps what they have, by the mapping. */
export async function replaceInventory(
  transaction: Transaction,
  scope: Scope,
  inventory: Inventory,
  moves: Moves,
): Promise<void> {
  const { organizationId } = scope;
  const { eventId, seats } = inventory;
  const mapping = JSON.stringify(moves.seats);
  const zones = JSON.stringify(moves.zones);
  const [taken] = await transaction.query(clearInventory(organizationId, eventId));
  assert(taken, 'clearing always answers');
  await fillInventory(transaction, scope, inventory);
  const [done] = await transaction.query(
    restoreSeats(organizationId, eventId, taken.seats, mapping),
  );
  await transaction.query(liftHolds(organizationId, eventId, mapping));
  await transaction.query(moveHolds(organizationId, eventId, mapping));
  await transaction.query(liftTickets(organizationId, eventId, mapping));
  await transaction.query(moveTickets(organizationId, eventId));
  const wanted = (JSON.parse(taken.seats) as unknown[]).length;
  assert(done?.restored === wanted, 'everybody who had a seat has one');
  await transaction.query(moveHeldPlaces(organizationId, eventId, zones));
  await transaction.query(moveSoldPlaces(organizationId, eventId, zones));
  await transaction.query(blockAgain(organizationId, eventId, taken.blocked, mapping));
  await transaction.query(restoreZones(organizationId, eventId, taken.zones, zones));
  await transaction.query(recountZones(organizationId, eventId));
  await transaction.query(setSeatCount(organizationId, eventId, seats?.count ?? 0));
}
