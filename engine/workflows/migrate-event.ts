import { type EventOverrides, findLayoutSeats, knownOverrides, NO_OVERRIDES } from '#events';
import { NIL_ID } from '#kit';
import type { Transaction } from '#postgres';
import { lockInventory, type MigrationReport } from '#registry';
import type { Scope } from '#scope';
import { type Caller, change, changed, type Done, type Engine, type KeyReused } from './change.ts';
import { baseOf, type EventBase } from './event-layout.ts';
import { type EventRefusal, lockedEvent } from './events.ts';
import { judgeReplan, takenOf, writeReplan } from './replan-event.ts';
import { showNewPlan } from './show-plan.ts';

export type MigrationWish = Readonly<{
  layoutId: string;
  version?: number | undefined;
  /** Old seat to new seat; a seat that is not named keeps its id. */
  mapping: Readonly<Record<string, string>>;
  /** Old zone to new zone, for places without seats. */
  zoneMapping: Readonly<Record<string, string>>;
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
 * everybody who has a place; it is only done when nobody loses one. Both judge the same way.
 */
export async function migrateEvent(
  engine: Engine,
  caller: Caller,
  eventId: string,
  wish: MigrationWish,
): Promise<Outcome> {
  const { scope } = caller;
  const outcome = await change(
    engine,
    caller,
    'event.migrate',
    async (transaction) => {
      await lockInventory(transaction, scope, eventId);
      const event = await lockedEvent(transaction, scope.organizationId, eventId);
      if (!event) return { kind: 'not_found' as const };
      const isOnSale = ['published', 'live', 'postponed'].includes(event.status);
      const before = isOnSale ? await takenOf(transaction, scope, eventId) : null;
      if (!before) return { kind: 'wrong_state' as const, status: event.status };
      const { layoutId, version, prices } = wish;
      const choice = { kind: 'layout', layoutId, version, overrides: wish.overrides } as const;
      const base = await baseOf(transaction, scope, eventId, choice);
      if (!base?.version) return { kind: 'layout_not_found' as const };
      const overrides =
        wish.overrides ?? (await carried(transaction, scope, base, before.chosen.overrides));
      const moves = { seats: wish.mapping, zones: wish.zoneMapping };
      const wanted = { base, overrides, moves, prices };
      const replan = await judgeReplan(transaction, scope, event, before, wanted);
      if (replan.kind === 'refused') return { kind: 'invalid' as const, problems: replan.problems };
      const { report } = replan;
      // Nothing was changed, so nothing is written down.
      if (wish.dryRun) return changed({ ...report, done: false }, []);
      if (!report.possible) return { kind: 'in_use' as const, report };
      await writeReplan(engine, transaction, scope, eventId, replan);
      const entry = {
        action: 'event_layout_migrated',
        entityType: 'event',
        entityId: eventId,
        changes: {
          layout_id: base.version.layout_id,
          layout_version: base.version.version,
          kept: report.kept,
          moved: before.taken.seats.length - report.kept,
        },
      } as const;
      return changed({ ...report, done: true }, [entry]);
    },
    'jobs',
  );
  if (outcome.kind === 'done' && !wish.dryRun) await showNewPlan(engine, scope, eventId);
  return outcome;
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
