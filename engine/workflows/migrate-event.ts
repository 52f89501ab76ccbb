import {
  type EventOverrides,
  findLayoutSeats,
  knownOverrides,
  listPrices,
  NO_OVERRIDES,
  putEventLayout,
} from '#events';
import { isUuid, NIL_ID } from '#kit';
import type { Transaction } from '#postgres';
import type { Problem } from '#reading';
import {
  lockInventory,
  lockTaken,
  logPlan,
  type MigrationReport,
  planMigration,
  replaceInventory,
} from '#registry';
import type { Scope } from '#scope';
import { type Caller, change, changed, type Done, type Engine, type KeyReused } from './change.ts';
import {
  baseOf,
  chosenBase,
  type EventBase,
  effectiveZones,
  inventoryOf,
  judgeOverrides,
  noPrice,
  pinOf,
  writePrices,
} from './event-layout.ts';
import { type EventRefusal, lockedEvent } from './events.ts';
import { pricedTwice } from './price-rules.ts';

export type MigrationWish = Readonly<{
  layoutId: string;
  version?: number | undefined;
  /** Old seat to new seat; a seat that is not named keeps its id. */
  mapping: Readonly<Record<string, string>>;
  /** New overrides; undefined: those the event has, as far as the new plan knows their ids. */
  overrides?: unknown;
  /** Prices of the new plan's zones; undefined: those the event has. */
  prices?: readonly { zone_id: string; price_cents: number }[] | undefined;
  dryRun: boolean;
}>;

type Outcome =
  | Done<MigrationReport & { done: boolean }>
  | EventRefusal
  | { kind: 'layout_not_found' }
  /** Somebody would lose a place. */
  | { kind: 'in_use'; report: MigrationReport }
  | KeyReused;

/**
 * Another layout version under an event that is on sale. A dry run tells what it means for
 * everybody who has a place; it is only done when nobody loses one.
 */
export function migrateEvent(
  engine: Engine,
  caller: Caller,
  eventId: string,
  wish: MigrationWish,
): Promise<Outcome> {
  const { scope } = caller;
  const { organizationId } = scope;
  return change(engine, caller, 'event.migrate', async (transaction) => {
    await lockInventory(transaction, scope, eventId);
    const event = await lockedEvent(transaction, organizationId, eventId);
    if (!event) return { kind: 'not_found' as const };
    if (!['published', 'live', 'postponed'].includes(event.status)) {
      return { kind: 'wrong_state' as const, status: event.status };
    }
    const chosen = await chosenBase(transaction, scope, eventId);
    const taken = await lockTaken(transaction, scope, eventId, pinOf(chosen?.base));
    if (!taken) return { kind: 'wrong_state' as const, status: event.status };
    const { layoutId, version } = wish;
    const choice = { kind: 'layout', layoutId, version, overrides: wish.overrides } as const;
    const base = await baseOf(transaction, scope, eventId, choice);
    if (!base?.version) return { kind: 'layout_not_found' as const };
    const overridden =
      wish.overrides ?? (await carried(transaction, scope, base, chosen?.overrides));
    const judged = await judgeOverrides(transaction, scope, base, overridden);
    if (judged.kind === 'refused') return { kind: 'invalid' as const, problems: judged.problems };
    const strange = judgeMapping(wish.mapping);
    if (strange.length > 0) return { kind: 'invalid' as const, problems: strange };
    const mapping = inOneSpelling(wish.mapping);
    const targets = taken.seats.map(({ seat_id }) => mapping[seat_id] ?? seat_id);
    const there = await transaction.query(
      findLayoutSeats(organizationId, base.version.layout_id, base.version.version, targets),
    );
    const report = planMigration(taken, planOf(base, judged.overrides, there), mapping);
    // Nothing was changed, so nothing is written down.
    if (wish.dryRun) return changed({ ...report, done: false }, []);
    if (!report.possible) return { kind: 'in_use' as const, report };
    const zones = effectiveZones(base, judged.overrides);
    const prices = wish.prices ?? (await transaction.query(listPrices(organizationId, eventId)));
    const mispriced = pricedTwice(wish.prices ?? []);
    const unpriced = zones.filter(
      (zone) => !zone.disabled && !prices.some(({ zone_id }) => zone_id === zone.zone_id),
    );
    const problems = [...mispriced, ...unpriced.map(noPrice)];
    if (problems.length > 0) return { kind: 'invalid' as const, problems };
    await writePrices(transaction, organizationId, eventId, prices);
    const inventory = inventoryOf(eventId, base, judged);
    await replaceInventory(transaction, scope, inventory, mapping);
    const pin = base.version;
    const overrides = JSON.stringify(judged.overrides);
    await transaction.query(
      putEventLayout(organizationId, eventId, pin.layout_id, pin.version, null, overrides),
    );
    await logPlan(transaction, { scope, eventId }, engine);
    const entry = {
      action: 'event_layout_migrated',
      entityType: 'event',
      entityId: eventId,
      changes: {
        layout_id: pin.layout_id,
        layout_version: pin.version,
        kept: report.kept,
        moved: taken.seats.length - report.kept,
      },
    };
    return changed({ ...report, done: true }, [entry]);
  });
}

function judgeMapping(mapping: MigrationWish['mapping']): Problem[] {
  if (Object.entries(mapping).flat().every(isUuid)) return [];
  const message = 'Both sides of the mapping are ids of seats.';
  return [{ path: 'mapping', code: 'unknown_id', message }];
}

function inOneSpelling(mapping: MigrationWish['mapping']): MigrationWish['mapping'] {
  const spelled = Object.entries(mapping).map(([from, to]) => [
    from.toLowerCase(),
    to.toLowerCase(),
  ]);
  return Object.fromEntries(spelled);
}

function planOf(
  base: Parameters<typeof effectiveZones>[0],
  overrides: Parameters<typeof effectiveZones>[1],
  seats: readonly { seat_id: string; zone_id: string }[],
) {
  const zones = new Map(effectiveZones(base, overrides).map((zone) => [zone.zone_id, zone]));
  const zoneOf = new Map(seats.map(({ seat_id, zone_id }) => [seat_id, zone_id]));
  const blocked = new Set(overrides.blocked_seat_ids);
  const offers = (id: string) => {
    const zone = zones.get(zoneOf.get(id) ?? '');
    return zone !== undefined && !zone.disabled && !blocked.has(id);
  };
  return { offers, zones };
}

/** What the event did differently, as far as the new plan knows what is meant. */
async function carried(
  transaction: Transaction,
  scope: Scope,
  base: EventBase,
  overrides: EventOverrides = NO_OVERRIDES,
): Promise<EventOverrides> {
  const { layout_id = NIL_ID, version = 0 } = base.version ?? {};
  const blocked = overrides.blocked_seat_ids;
  const rows = await transaction.query(
    findLayoutSeats(scope.organizationId, layout_id, version, blocked),
  );
  const there = new Set(rows.map(({ seat_id }) => seat_id));
  return knownOverrides(overrides, { zones: base.zones, hasSeat: (id) => there.has(id) });
}
