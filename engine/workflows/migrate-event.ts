import { findLayoutSeats, putEventLayout } from '#events';
import { lockTaken, type MigrationReport, planMigration, replaceInventory } from '#registry';
import { type Caller, change, changed, type Done, type Engine, type KeyReused } from './change.ts';
import {
  baseOf,
  chosenBase,
  effectiveZones,
  inventoryOf,
  judgeOverrides,
  pinOf,
} from './event-layout.ts';
import { type EventRefusal, lockedEvent } from './events.ts';

export type MigrationWish = Readonly<{
  layoutId: string;
  version?: number | undefined;
  /** Old seat to new seat; a seat that is not named keeps its id. */
  mapping: Readonly<Record<string, string>>;
  /** New overrides; undefined: those the event has, as far as the new plan knows their ids. */
  overrides?: unknown;
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
    const event = await lockedEvent(transaction, organizationId, eventId);
    if (!event) return { kind: 'not_found' as const };
    const chosen = await chosenBase(transaction, scope, eventId);
    const taken = await lockTaken(transaction, scope, eventId, pinOf(chosen?.base));
    if (!taken) return { kind: 'wrong_state' as const, status: event.status };
    const { layoutId, version } = wish;
    const choice = { kind: 'layout', layoutId, version, overrides: wish.overrides } as const;
    const base = await baseOf(transaction, scope, eventId, choice);
    if (!base?.version) return { kind: 'layout_not_found' as const };
    const judged = await judgeOverrides(transaction, scope, base, wish.overrides ?? null);
    if (judged.kind === 'refused') return { kind: 'invalid' as const, problems: judged.problems };
    const targets = taken.seats.map(({ seat_id }) => wish.mapping[seat_id] ?? seat_id);
    const there = await transaction.query(
      findLayoutSeats(organizationId, base.version.layout_id, base.version.version, targets),
    );
    const report = planMigration(taken, planOf(base, judged.overrides, there), wish.mapping);
    // Nothing was changed, so nothing is written down.
    if (wish.dryRun) return changed({ ...report, done: false }, []);
    if (!report.possible) return { kind: 'in_use' as const, report };
    const inventory = inventoryOf(eventId, base, judged.overrides);
    await replaceInventory(transaction, scope, inventory, wish.mapping);
    const pin = base.version;
    const overrides = JSON.stringify(judged.overrides);
    await transaction.query(
      putEventLayout(organizationId, eventId, pin.layout_id, pin.version, null, overrides),
    );
    const entry = {
      action: 'event_layout_migrated',
      entityType: 'event',
      entityId: eventId,
      changes: {
        layout_id: pin.layout_id,
        layout_version: pin.version,
        kept: report.kept,
        moved: report.moved.length,
      },
    };
    return changed({ ...report, done: true }, [entry]);
  });
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
