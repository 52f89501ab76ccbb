import {
  type EventOverrides,
  type EventRow,
  findLayoutSeats,
  listPrices,
  putEventLayout,
} from '#events';
import { isUuid, NIL_ID } from '#kit';
import type { Transaction } from '#postgres';
import type { Problem } from '#reading';
import {
  lockTaken,
  logPlan,
  type MigrationReport,
  type Moves,
  type NewPlan,
  planMigration,
  replaceInventory,
  reservedSeats,
  type Taken,
} from '#registry';
import type { Scope } from '#scope';
import type { Engine } from './change.ts';
import {
  chosenBase,
  type EventBase,
  effectiveZones,
  inventoryOf,
  type JudgedPlan,
  judgePlan,
  noPrice,
  pinOf,
  writePrices,
} from './event-layout.ts';
import { type Prices, pricedTwice } from './price-rules.ts';

/** Everybody keeps what they have. */
export const NO_MOVES: Moves = Object.freeze({ seats: {}, zones: {} });

/** What an event on sale is held on, and who has a place of it. */
export type Before = Readonly<{
  chosen: Readonly<{ base: EventBase; overrides: EventOverrides }>;
  /** Seats of reserved blocks, and whether the event has them in the sale. */
  reserved: Reserved;
  taken: Omit<Taken, 'blocked'>;
}>;

type Reserved = ReadonlyMap<string, boolean>;

export type WantedPlan = Readonly<{
  base: EventBase;
  overrides: unknown;
  moves: Moves;
  /** Undefined: the prices that the event has. */
  prices: Prices | undefined;
}>;

export type Replan = Readonly<{
  kind: 'replan';
  base: EventBase;
  judged: JudgedPlan;
  moves: Moves;
  /** Seats of reserved blocks that stay in the sale. */
  open: readonly string[];
  prices: Prices | undefined;
  report: MigrationReport;
}>;

/** Under the event's lock, which nobody sells without; null: it is not on sale. */
export async function takenOf(
  transaction: Transaction,
  scope: Scope,
  eventId: string,
): Promise<Before | null> {
  const chosen = await chosenBase(transaction, scope, eventId);
  const taken = await lockTaken(transaction, scope, eventId, pinOf(chosen?.base));
  if (!chosen || !taken) return null;
  const reserved = await reservedOf(transaction, scope, eventId, chosen.base);
  return { chosen, reserved, taken };
}

/**
 * What another plan under an event on sale would mean, or why it cannot be: all of it, for a dry
 * run as for the change itself. Nothing is written.
 */
export async function judgeReplan(
  transaction: Transaction,
  scope: Scope,
  event: EventRow,
  before: Before,
  { base, overrides, moves, prices }: WantedPlan,
): Promise<Replan | { kind: 'refused'; problems: readonly Problem[] }> {
  const { chosen, taken } = before;
  const judged = await judgePlan(transaction, scope, event, base, overrides);
  const wrong = [
    ...(judged.kind === 'refused' ? judged.problems : []),
    ...judgeMoves(moves),
    ...pricedTwice(prices ?? []),
  ];
  if (judged.kind === 'refused' || wrong.length > 0) return { kind: 'refused', problems: wrong };
  const { organizationId } = scope;
  const zones = effectiveZones(base, judged.overrides);
  const known = prices ?? (await transaction.query(listPrices(organizationId, event.event_id)));
  const priced = new Set(known.map(({ zone_id }) => zone_id.toLowerCase()));
  const unpriced = zones.filter((zone) => !zone.disabled && !priced.has(zone.zone_id));
  if (unpriced.length > 0) return { kind: 'refused', problems: unpriced.map(noPrice) };
  const own = inOneSpelling(moves);
  const isSame = samePlan(chosen.base, base);
  const reserved = isSame
    ? before.reserved
    : await reservedOf(transaction, scope, event.event_id, base);
  // Another version says anew what is out of the sale.
  const open = isSame ? [...reserved.keys()].filter((seat_id) => reserved.get(seat_id)) : [];
  const { blocked, asBefore } = blockedAfter(before, judged.overrides, reserved, open);
  const plan = {
    zones: zonesAfter(effectiveZones(chosen.base, chosen.overrides), zones),
    seats: await seatsAfter(transaction, scope, base, blocked, wantedSeats(taken, own)),
  };
  const report = planMigration({ ...taken, blocked: asBefore }, plan, own);
  return { kind: 'replan', base, judged, moves: own, open, prices, report };
}

/** To be called once the report says that it is possible. */
export async function writeReplan(
  engine: Engine,
  transaction: Transaction,
  scope: Scope,
  eventId: string,
  { base, judged, moves, open, prices }: Replan,
): Promise<void> {
  const { organizationId } = scope;
  if (prices) await writePrices(transaction, organizationId, eventId, prices);
  await replaceInventory(transaction, scope, inventoryOf(eventId, base, judged, open), moves);
  await transaction.query(pinning(organizationId, eventId, base, judged));
  await logPlan(transaction, { scope, eventId }, engine);
}

/** What the event is held on from now on. */
export function pinning(
  organizationId: string,
  eventId: string,
  { version, zones }: EventBase,
  { overrides }: JudgedPlan,
) {
  return putEventLayout(
    organizationId,
    eventId,
    version?.layout_id ?? null,
    version?.version ?? null,
    version ? null : JSON.stringify(zones),
    JSON.stringify(overrides),
  );
}

/** The same seats and zones, whatever the event does differently with them. */
export function samePlan({ version: one }: EventBase, { version: other }: EventBase): boolean {
  if (!one || !other) return one === other;
  return one.layout_id === other.layout_id && one.version === other.version;
}

function judgeMoves({ seats, zones }: Moves): Problem[] {
  return [
    ...(Object.entries(seats).flat().every(isUuid) ? [] : [notIds('mapping', 'seats')]),
    ...(Object.entries(zones).flat().every(isUuid) ? [] : [notIds('zone_mapping', 'zones')]),
  ];
}

function notIds(path: string, what: string): Problem {
  return { path, code: 'unknown_id', message: `Both sides of this are ids of ${what}.` };
}

function inOneSpelling({ seats, zones }: Moves): Moves {
  const lower = (moves: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(moves).map(([from, to]) => [from.toLowerCase(), to.toLowerCase()]),
    );
  return { seats: lower(seats), zones: lower(zones) };
}

function wantedSeats({ seats }: Before['taken'], moves: Moves): string[] {
  return seats.map(({ seat_id }) => moves.seats[seat_id] ?? seat_id);
}

/**
 * What the new plan blocks, by its reserved blocks but for open seats and by the event's choices;
 * and what of it was blocked in the same way before: people who have such a seat keep it.
 */
function blockedAfter(
  { chosen, reserved: before }: Before,
  overrides: EventOverrides,
  reserved: Reserved,
  open: readonly string[],
) {
  const was = new Set(chosen.overrides.blocked_seat_ids);
  const chosenNow = new Set(overrides.blocked_seat_ids);
  const shut = new Set(reserved.keys());
  for (const seat_id of open) shut.delete(seat_id);
  const blocked = new Set([...chosenNow, ...shut]);
  const isNew = (seat_id: string) =>
    (chosenNow.has(seat_id) && !was.has(seat_id)) || (shut.has(seat_id) && !before.has(seat_id));
  return { blocked, asBefore: new Set([...blocked].filter((seat_id) => !isNew(seat_id))) };
}

async function reservedOf(
  transaction: Transaction,
  { organizationId }: Scope,
  eventId: string,
  base: EventBase,
): Promise<Reserved> {
  const { layoutId = NIL_ID, version = 0 } = pinOf(base) ?? {};
  const rows = await transaction.query(reservedSeats(organizationId, eventId, layoutId, version));
  return new Map(rows.map(({ seat_id, is_open }) => [seat_id, is_open]));
}

async function seatsAfter(
  transaction: Transaction,
  { organizationId }: Scope,
  { version }: EventBase,
  blocked: ReadonlySet<string>,
  wanted: readonly string[],
): Promise<NewPlan['seats']> {
  const rows = await transaction.query(
    findLayoutSeats(organizationId, version?.layout_id ?? NIL_ID, version?.version ?? 0, wanted),
  );
  return new Map(
    rows.map(({ seat_id, zone_id }) => [seat_id, { zone_id, blocked: blocked.has(seat_id) }]),
  );
}

type Zone = ReturnType<typeof effectiveZones>[number];

function zonesAfter(before: readonly Zone[], after: readonly Zone[]): NewPlan['zones'] {
  const old = new Map(before.map((zone) => [zone.zone_id, zone]));
  return new Map(
    after.map((zone) => [zone.zone_id, { ...zone, closes: closes(old.get(zone.zone_id), zone) }]),
  );
}

/** May there be somebody who could enter before and cannot now? */
function closes(before: Zone | undefined, after: Zone): boolean {
  if (after.access_mode === 'public') return false;
  if (before?.access_mode !== after.access_mode) return true;
  if (after.access_mode === 'membership_tier') {
    return before.membership_tier !== after.membership_tier;
  }
  if (after.access_mode !== 'role_based') return false;
  return !before.allowed_roles.every((role) => after.allowed_roles.includes(role));
}
