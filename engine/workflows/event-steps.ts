import type { AuditAction } from '#audit';
import { afterStep, type EventRow, type EventStep, setEventStatus } from '#events';
import { assert } from '#kit';
import type { Transaction } from '#postgres';
import type { Problem } from '#reading';
import { logPlan, openInventory } from '#registry';
import {
  type Caller,
  change,
  changed,
  type Done,
  type Engine,
  type KeyReused,
  replayOf,
} from './change.ts';
import { eventRow } from './event-config.ts';
import {
  chosenBase,
  effectiveZones,
  inventoryOf,
  judgePlan,
  withoutPrice,
} from './event-layout.ts';
import { type EventRefusal, lockedEvent } from './events.ts';
import { readAfterwards, wishFor } from './wish.ts';

/** What a draft becomes, as the organization's trail has it. */
const ACTIONS: Readonly<Partial<Record<EventStep, AuditAction>>> = {
  publish: 'event_published',
  archive: 'event_archived',
};

type Outcome = Done<EventRow> | EventRefusal | KeyReused;

/**
 * One step of an event. Publishing a draft makes its inventory in the same transaction: the event
 * becomes visible with everything that can be bought, or not at all. From then on its state is part
 * of its board.
 */
export async function stepEvent(
  engine: Engine,
  caller: Caller,
  eventId: string,
  step: EventStep,
  reason: string | null = null,
): Promise<Outcome> {
  const event = await eventRow(engine, caller.scope, eventId);
  if (!event) return { kind: 'not_found' };
  if (event.status === 'draft') return stepDraft(engine, caller, eventId, step);
  // What was done to the draft is not done again to the event on sale.
  const earlier = await replayOf<EventRow>(engine, caller);
  return earlier ?? stepBoard(engine, caller, event, step, reason);
}

function stepDraft(
  engine: Engine,
  caller: Caller,
  eventId: string,
  step: EventStep,
): Promise<Outcome> {
  const { scope } = caller;
  const { organizationId } = scope;
  return change(engine, caller, `event.${step}`, async (transaction) => {
    const event = await lockedEvent(transaction, organizationId, eventId);
    if (!event) return { kind: 'not_found' as const };
    const status = afterStep(event.status, step);
    const action = ACTIONS[step];
    if (status === null || !action || event.status !== 'draft') {
      return { kind: 'wrong_state' as const, status: event.status };
    }
    const over = step === 'publish' && Date.parse(event.ends_at) <= engine.clock.now();
    const problems = over
      ? [OVER]
      : step === 'publish'
        ? await publish(transaction, caller, event)
        : [];
    if (problems.length > 0) return { kind: 'invalid' as const, problems };
    const [row] = await transaction.query(setEventStatus(organizationId, eventId, status, null));
    assert(row, 'the event was locked, so it is there');
    if (step === 'publish') await logPlan(transaction, { scope, eventId }, engine);
    const changes = { from: event.status, to: status };
    return changed(row, [{ action, entityType: 'event', entityId: eventId, changes }]);
  });
}

const OVER: Problem = { path: 'ends_at', code: 'over', message: 'The event is over.' };
const NOT_RESCHEDULED: Problem = {
  path: 'starts_at',
  code: 'not_rescheduled',
  message: 'A postponed event needs a new date before it is published again.',
};

/** An event on sale changes its state in the order of everything else that happens to it. */
async function stepBoard(
  engine: Engine,
  caller: Caller,
  event: EventRow,
  step: EventStep,
  reason: string | null,
): Promise<Outcome> {
  const { event_id: eventId } = event;
  const { organizationId } = caller.scope;
  const command = { kind: 'change_event_state', step, reason } as const;
  const answer = await wishFor(engine, caller, eventId, command, (outcome) => {
    assert(outcome.kind === 'event_changed', 'a step that is taken changes the event');
    const why = step === 'postpone' ? reason : null;
    return [setEventStatus(organizationId, eventId, outcome.to, why)];
  });
  if (answer.kind === 'key_reused') return answer;
  if (answer.kind === 'not_on_sale') return { kind: 'wrong_state', status: event.status };
  const { outcome } = answer;
  if (outcome.kind === 'refused') {
    const { status = event.status, missing } = outcome.details ?? {};
    if (missing === 'ends_at') return { kind: 'invalid', problems: [OVER] };
    if (missing === 'starts_at') return { kind: 'invalid', problems: [NOT_RESCHEDULED] };
    return { kind: 'wrong_state', status: String(status) };
  }
  const row = await readAfterwards(() => eventRow(engine, caller.scope, eventId));
  assert(row, 'an event that was changed is there');
  return { kind: 'done', answer: row, replayed: answer.replayed };
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
  const judged = await judgePlan(transaction, scope, event, chosen.base, chosen.overrides);
  if (judged.kind === 'refused') return judged.problems;
  const zones = effectiveZones(chosen.base, judged.overrides);
  const { organizationId } = scope;
  const unpriced = await withoutPrice(transaction, organizationId, event.event_id, zones);
  if (unpriced.length > 0) return unpriced;
  const inventory = inventoryOf(event.event_id, chosen.base, judged);
  await openInventory(transaction, scope, inventory);
  return [];
}
