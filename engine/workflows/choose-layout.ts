import type { EventRow } from '#events';
import type { Transaction } from '#postgres';
import type { Problem } from '#reading';
import { lockInventory, type MigrationReport } from '#registry';
import { type Caller, change, changed, type Done, type Engine, type KeyReused } from './change.ts';
import { baseOf, judgePlan, type LayoutChoice, writePrices } from './event-layout.ts';
import { detailOf, type EventDetail, type EventRefusal, lockedEvent } from './events.ts';
import { pricedTwice } from './price-rules.ts';
import { judgeReplan, NO_MOVES, pinning, samePlan, takenOf, writeReplan } from './replan-event.ts';
import { showNewPlan } from './show-plan.ts';

type Refusal =
  | EventRefusal
  | { kind: 'layout_not_found' }
  | { kind: 'not_allowed' }
  /** On sale for nothing: send the prices of the new zones along. */
  | { kind: 'unpriced'; problems: readonly Problem[] }
  /** Places are held or sold. Of the same plan: whose place it is about; another is migrated to. */
  | { kind: 'in_use'; report: MigrationReport | null };

/** Pins a version of a layout to the event, with what the event does differently. */
export async function chooseLayout(
  engine: Engine,
  caller: Caller,
  eventId: string,
  choice: LayoutChoice,
): Promise<Done<EventDetail> | Refusal | KeyReused> {
  const { scope } = caller;
  const { organizationId } = scope;
  const outcome = await change(
    engine,
    caller,
    'event.layout',
    async (transaction) => {
      await lockInventory(transaction, scope, eventId);
      const event = await lockedEvent(transaction, organizationId, eventId);
      if (!event) return { kind: 'not_found' as const };
      if (!['draft', 'published', 'live', 'postponed'].includes(event.status)) {
        return { kind: 'wrong_state' as const, status: event.status };
      }
      const isDraft = event.status === 'draft';
      if (!isDraft && !caller.scopes.has('events:publish')) return { kind: 'not_allowed' as const };
      const pinned = isDraft
        ? await pinToDraft(transaction, caller, event, choice)
        : await pinOnSale(engine, transaction, caller, event, choice);
      if (pinned.kind !== 'pinned') return pinned;
      const { version } = pinned.base;
      const entry = {
        action: 'event_layout_set',
        entityType: 'event',
        entityId: eventId,
        changes: {
          layout_id: version?.layout_id ?? null,
          layout_version: version?.version ?? null,
        },
      } as const;
      return changed(await detailOf(transaction, organizationId, event), [entry]);
    },
    'jobs',
  );
  if (outcome.kind === 'done') await showNewPlan(engine, scope, eventId);
  return outcome;
}

/** Nobody has a place yet: what is chosen is written down and judged again before it is sold. */
async function pinToDraft(
  transaction: Transaction,
  { scope }: Caller,
  event: EventRow,
  choice: LayoutChoice,
) {
  const { organizationId } = scope;
  const base = await baseOf(transaction, scope, event.event_id, choice);
  if (!base) return { kind: 'layout_not_found' as const };
  const judged = await judgePlan(transaction, scope, event, base, choice.overrides);
  const wrong = judged.kind === 'refused' ? judged.problems : [];
  const problems = [...wrong, ...pricedTwice(choice.prices ?? [])];
  if (judged.kind === 'refused' || problems.length > 0) {
    return { kind: 'invalid' as const, problems };
  }
  const { prices } = choice;
  if (prices) await writePrices(transaction, organizationId, event.event_id, prices);
  await transaction.query(pinning(organizationId, event.event_id, base, judged));
  return { kind: 'pinned' as const, base };
}

/**
 * What an event on sale does differently changes where that is about no place that somebody has.
 * Another plan is chosen while nobody has a place.
 */
async function pinOnSale(
  engine: Engine,
  transaction: Transaction,
  { scope }: Caller,
  event: EventRow,
  choice: LayoutChoice,
) {
  const before = await takenOf(transaction, scope, event.event_id);
  if (!before) return { kind: 'wrong_state' as const, status: event.status };
  const base = await baseOf(transaction, scope, event.event_id, choice);
  if (!base) return { kind: 'layout_not_found' as const };
  const { seats, zones } = before.taken;
  const isSame = samePlan(before.chosen.base, base);
  if (!isSame && seats.length + zones.length > 0) return { kind: 'in_use' as const, report: null };
  const { overrides, prices } = choice;
  const wanted = { base, overrides, prices, moves: NO_MOVES };
  const replan = await judgeReplan(transaction, scope, event, before, wanted);
  if (replan.kind === 'refused') {
    const { problems } = replan;
    const unpriced = problems.every(({ code }) => code === 'price_missing');
    return { kind: unpriced ? ('unpriced' as const) : ('invalid' as const), problems };
  }
  const { report } = replan;
  if (!report.possible) return { kind: 'in_use' as const, report };
  await writeReplan(engine, transaction, scope, event.event_id, replan);
  return { kind: 'pinned' as const, base };
}
