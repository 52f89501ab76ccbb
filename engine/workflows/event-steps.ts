import { afterStep, type EventRow, type EventStep, setEventStatus } from '#events';
import { assert } from '#kit';
import type { Transaction } from '#postgres';
import type { Problem } from '#reading';
import { openInventory } from '#registry';
import { type Caller, change, changed, type Done, type Engine, type KeyReused } from './change.ts';
import {
  chosenBase,
  effectiveZones,
  inventoryOf,
  judgeOverrides,
  withoutPrice,
} from './event-layout.ts';
import { type EventRefusal, lockedEvent } from './events.ts';

/** Past tense, as the trail has it. */
const ACTIONS: Readonly<Record<EventStep, string>> = {
  publish: 'event_published',
  open: 'event_opened',
  end: 'event_ended',
  cancel: 'event_cancelled',
  postpone: 'event_postponed',
  archive: 'event_archived',
};

/**
 * One step of an event. Publishing a draft makes its inventory in the same transaction: the event
 * becomes visible with everything that can be bought, or not at all.
 */
export function stepEvent(
  engine: Engine,
  caller: Caller,
  eventId: string,
  step: EventStep,
  reason: string | null = null,
): Promise<Done<EventRow> | EventRefusal | KeyReused> {
  const { organizationId } = caller.scope;
  return change(engine, caller, `event.${step}`, async (transaction) => {
    const event = await lockedEvent(transaction, organizationId, eventId);
    if (!event) return { kind: 'not_found' as const };
    const status = afterStep(event.status, step);
    if (status === null) return { kind: 'wrong_state' as const, status: event.status };
    const problems = isOver(engine, event, step)
      ? [{ path: 'ends_at', code: 'over', message: 'The event is over.' }]
      : await prepare(transaction, caller, event, step);
    if (problems.length > 0) return { kind: 'invalid' as const, problems };
    const [row] = await transaction.query(
      setEventStatus(organizationId, eventId, status, step === 'postpone' ? reason : null),
    );
    assert(row, 'the event was locked, so it is there');
    const entry = {
      action: ACTIONS[step],
      entityType: 'event',
      entityId: eventId,
      changes: { from: event.status, to: status, ...(reason ? { reason } : {}) },
    };
    return changed(row, [entry]);
  });
}

function isOver(engine: Engine, { ends_at }: EventRow, step: EventStep): boolean {
  return step === 'publish' && Date.parse(ends_at) <= engine.clock.now();
}

async function prepare(
  transaction: Transaction,
  caller: Caller,
  event: EventRow,
  step: EventStep,
): Promise<readonly Problem[]> {
  if (step !== 'publish') return [];
  if (event.status === 'draft') return publish(transaction, caller, event);
  if (event.rescheduled_at !== null) return [];
  const message = 'A postponed event needs a new date before it is published again.';
  return [{ path: 'starts_at', code: 'not_rescheduled', message }];
}

async function publish(
  transaction: Transaction,
  caller: Caller,
  event: EventRow,
): Promise<readonly Problem[]> {
  const { scope } = caller;
  const chosen = await chosenBase(transaction, scope, event.event_id);
  if (!chosen) {
    return [{ path: 'layout', code: 'missing', message: 'Choose a layout or zones first.' }];
  }
  const judged = await judgeOverrides(transaction, scope, chosen.base, chosen.overrides);
  if (judged.kind === 'refused') return judged.problems;
  const zones = effectiveZones(chosen.base, judged.overrides);
  const { organizationId } = scope;
  const unpriced = await withoutPrice(transaction, organizationId, event.event_id, zones);
  if (unpriced.length > 0) return unpriced;
  const inventory = inventoryOf(event.event_id, chosen.base, judged.overrides);
  await openInventory(transaction, scope, inventory);
  return [];
}
