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
  taken: Taken;
}>;

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
  const blocked = new Set(chosen.overrides.blocked_seat_ids);
  return { chosen, taken: { ...taken, blocked } };
}

/**
 * What another plan under an event on sale would mean, or why it cannot be: all of it, for a dry
 * run as for the change itself. Nothing is written.
 */
export async function judgeReplan(
  transaction: Transaction,
  scope: Scope,
  event: EventRow,
  { chosen, taken }: Before,
  { base, overrides, moves, prices }: WantedPlan,
): Promise<Replan | { kind: 'refused'; problems: readonly Problem[] }> {
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
  const plan = {
    zones: zonesAfter(effectiveZones(chosen.base, chosen.overrides), zones),
    seats: await seatsAfter(transaction, scope, base, judged.overrides, wantedSeats(taken, own)),
  };
  const report = planMigration(taken, plan, own);
  return { kind: 'replan', base, judged, moves: own, prices, report };
}

/** To be called once the report says that it is possible. */
export async function writeReplan(
  engine: Engine,
  transaction: Transaction,
  scope: Scope,
  eventId: string,
  { base, judged, moves, prices }: Replan,
): Promise<void> {
  const { organizationId } = scope;
  if (prices) await writePrices(transaction, organizationId, eventId, prices);
  await replaceInventory(transaction, scope, inventoryOf(eventId, base, judged), moves);
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

function wantedSeats({ seats }: Taken, moves: Moves): string[] {
  return seats.map(({ seat_id }) => moves.seats[seat_id] ?? seat_id);
}

async function seatsAfter(
  transaction: Transaction,
  { organizationId }: Scope,
  { version }: EventBase,
  overrides: EventOverrides,
  wanted: readonly string[],
): Promise<NewPlan['seats']> {
  const blocked = new Set(overrides.blocked_seat_ids);
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
