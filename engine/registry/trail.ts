import {
  type AuditAction,
  type AuditActor,
  type AuditEntry,
  type ChainHead,
  chainRows,
  type Deed,
} from '#audit';
import {
  type Board,
  type Change,
  type Draft,
  type EndReason,
  type Hold,
  type ReducedChange,
  wheelchairBookings,
} from '#board';
import type { EventState } from '#events';
import { assert } from '#kit';
import type { EventRef } from './ports.ts';
import { saleEntries } from './sales-trail.ts';

/** What an event has become, as the trail says it. */
const ACTIONS: Readonly<Record<EventState, AuditAction>> = {
  draft: 'event_created',
  published: 'event_published',
  live: 'event_opened',
  ended: 'event_ended',
  cancelled: 'event_cancelled',
  postponed: 'event_postponed',
  archived: 'event_archived',
};

export const SYSTEM: AuditActor = { kind: 'system', id: null, role: null };

/** What changes leave in the event's trail: one entry for each beginning and end of a hold. */
export function entriesOf(
  eventId: string,
  board: Board,
  draft: Draft,
  changes: readonly Change[],
  at_ms: number,
): AuditEntry[] {
  return changes.flatMap((change) => {
    switch (change.kind) {
      case 'held': {
        const ids = [...(change.seats ?? []), ...(change.places ?? [])].map(([id]) => id);
        const entries = ids.map((id) => reserved(board, holdOf(draft, id)));
        return [...entries, ...accessibleSeats(draft, change)];
      }
      case 'extended':
        return change.holds.map(([id, until_ms]) =>
          entry('seat_hold_extended', 'seat_hold', id, { held_until: iso(until_ms) }),
        );
      case 'reduced':
        return change.holds.map((one) => reduced(board, draft, one));
      case 'ended':
        return change.holds.map((id) => ended(board, draft, holdOf(draft, id), change, at_ms));
      case 'blocked':
      case 'unblocked': {
        const seats = change.ordinals.map((ordinal) => board.plan.seatIdOf(ordinal));
        const { reason } = change;
        return [entry(`seats_${change.kind}`, 'event', eventId, { seats, reason })];
      }
      case 'event': {
        const { status } = change.event;
        const { reason } = change;
        const from = board.config.event.status;
        const changes = { from, to: status, ...(reason ? { reason } : {}) };
        return [entry(ACTIONS[status], 'event', eventId, changes)];
      }
      case 'companions': {
        const zone_id = board.config.zones[change.zone]?.zone_id ?? null;
        const action = change.released ? 'companion_seats_released' : 'companion_seats_kept';
        return [entry(action, 'event', eventId, { zone_id })];
      }
      case 'config':
      case 'task':
      case 'task_worked':
      case 'planned':
        return [];
      default:
        return saleEntries(board, draft, change);
    }
  });
}

function reserved(board: Board, hold: Hold): AuditEntry {
  const { hold_id, source, until_ms } = hold;
  return entry('seat_reserved', 'seat_hold', hold_id, {
    ...placeOf(board, hold),
    status: 'active',
    held_until: iso(until_ms),
    source,
    user_id: hold.user_id,
    ...(hold.people ? { people: hold.people } : {}),
  });
}

/** Wheelchair spaces that were booked, with what becomes of the seats beside them. */
function accessibleSeats(draft: Draft, { seats = [] }: Change & { kind: 'held' }): AuditEntry[] {
  const { plan, config } = draft;
  if (seats.length === 0 || !config.policy.accessibility_audit_enabled) return [];
  const ordinals = seats.map(([, ordinal]) => ordinal);
  return wheelchairBookings(draft, ordinals).map(({ seat, companions, companion_soft_reserved }) =>
    entry('accessible_seat_reserved', 'seat', plan.seatIdOf(seat), {
      seat_id: plan.seatIdOf(seat),
      companion_seat_ids: companions.map((ordinal) => plan.seatIdOf(ordinal)),
      companion_soft_reserved,
    }),
  );
}

function reduced(board: Board, draft: Draft, [id, , released]: ReducedChange['holds'][number]) {
  const hold = holdOf(draft, id);
  const { user_id, checkout_id, quantity } = hold;
  return entry('seat_hold_reduced', 'seat_hold', id, {
    ...placeOf(board, hold),
    previous_quantity: quantity + released,
    user_id,
    ...(checkout_id === null ? {} : { checkout_id }),
  });
}

/** The four ways a hold ends before it becomes a ticket, and the end of the event. */
const SCENARIOS: Readonly<Record<EndReason, string>> = {
  ttl_expired: 'ttl_expiration',
  user_cancelled: 'user_cancellation',
  payment_failed: 'payment_failure',
  admin_override: 'admin_override',
  event_cancelled: 'event_cancellation',
};

function ended(
  board: Board,
  draft: Draft,
  hold: Hold,
  { reason, note }: Change & { kind: 'ended' },
  at_ms: number,
): AuditEntry {
  const expired = reason === 'ttl_expired';
  return entry(expired ? 'seat_hold_expired' : 'seat_released', 'seat_hold', hold.hold_id, {
    ...placeOf(board, hold),
    previous_status: 'active',
    new_status: expired ? 'expired' : 'cancelled',
    scenario: SCENARIOS[reason],
    reason,
    ...(note ? { note } : {}),
    user_id: hold.user_id,
    ...checkoutLeft(draft, hold, reason),
    held_duration_seconds: Math.max(0, Math.round((at_ms - hold.created_ms) / 1_000)),
  });
}

/**
 * The checkout that the hold was in, which it left before it ended; and whether staff took it from
 * somebody who was paying.
 */
function checkoutLeft({ below }: Draft, { hold_id }: Hold, reason: EndReason) {
  const checkout_id = below.holdOf(hold_id)?.checkout_id ?? null;
  const paying = checkout_id !== null && below.checkoutOf(checkout_id)?.status === 'paying';
  return {
    ...(checkout_id === null ? {} : { checkout_id }),
    ...(reason === 'admin_override' ? { forced: paying } : {}),
  };
}

function placeOf(board: Board, hold: Hold) {
  if (hold.ordinal >= 0) return { seat_id: board.plan.seatIdOf(hold.ordinal) };
  return { zone_id: board.config.zones[hold.zone]?.zone_id ?? null, quantity: hold.quantity };
}

function holdOf(draft: Draft, holdId: string): Hold {
  const hold = draft.endedOf(holdId) ?? draft.holdOf(holdId);
  assert(hold, 'a hold in a change is known');
  return hold;
}

export function entry(
  action: AuditAction,
  entityType: string,
  entityId: string,
  changes: Record<string, unknown>,
): AuditEntry {
  return { action, entityType, entityId, changes };
}

function iso(time_ms: number): string {
  return new Date(time_ms).toISOString();
}

/** Chains deeds to the event's trail, in order. */
export function chainDeeds(
  { scope, eventId }: EventRef,
  head: ChainHead,
  at_ms: number,
  deeds: readonly Deed[],
): ReturnType<typeof chainRows> {
  // Texts as Postgres gives them back, with microseconds.
  const at = `${iso(at_ms).slice(0, -1)}000Z`;
  return chainRows(scope.organizationId, eventId, head, at, deeds);
}
