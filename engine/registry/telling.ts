import type { Board, Change, Draft, Hold } from '#board';
import type { EventIds, Happening } from '#telemetry';
import { eventIds } from './event-ids.ts';
import type { EventRef } from './ports.ts';

type About = Readonly<{ event: EventRef; board: Board; draft: Draft; at_ms: number }>;

/**
 * What a flush will have done once it is committed. Every change is in one commit of one node, so
 * it is told once, also when the answer to the commit was lost and found again.
 */
export function tellingOf(about: About): Happening[] {
  return about.draft.changes.flatMap((change) => [
    ...seatsOf(about, change),
    ...holdsOf(about, change),
    ...salesOf(about, change),
  ]);
}

function seatsOf(about: About, change: Change): Happening[] {
  const between = betweenOf(change);
  if (!between) return [];
  const [before, after, reason] = between;
  return [{ kind: 'seats.changed', before, after, reason, ids: () => idsOf(about, change) }];
}

type Between = readonly [before: string, after: string, reason: string];

function betweenOf(change: Change): Between | null {
  switch (change.kind) {
    case 'held':
      return ['available', 'held', change.source];
    case 'reduced':
      return ['held', 'available', 'user_cancelled'];
    case 'ended':
      return ['held', 'available', change.reason];
    case 'sold':
      return ['held', 'sold', change.method];
    case 'blocked':
      return ['available', 'blocked', 'staff'];
    case 'unblocked':
      return ['blocked', 'available', 'staff'];
    case 'ticket_ended':
      return change.vacates
        ? ['sold', change.blocked ? 'blocked' : 'available', change.status]
        : null;
    default:
      return null;
  }
}

/** Whom and what a change is about; seats by their ids, as everybody else names them. */
function idsOf({ event, board, draft, at_ms }: About, change: Change): EventIds {
  return {
    ...eventIds(event),
    revision: board.revision,
    seat_ids: seatIds(board, ordinalsOf(draft, change)),
    at: new Date(at_ms).toISOString(),
    ...('user_id' in change ? { user_id: change.user_id } : {}),
    ...('until_ms' in change ? { held_until: new Date(change.until_ms).toISOString() } : {}),
  };
}

function seatIds({ plan }: Board, ordinals: readonly number[]): string[] {
  return ordinals.filter((ordinal) => ordinal >= 0).map((ordinal) => plan.seatIdOf(ordinal));
}

/** Whose holds they are, and of which seats. */
function holdIds(
  { event, board, at_ms }: About,
  holds: readonly Hold[],
  more: Readonly<Record<string, string | readonly string[]>> = {},
): EventIds {
  return {
    ...eventIds(event),
    user_ids: [...new Set(holds.map(({ user_id }) => user_id))],
    hold_ids: holds.map(({ hold_id }) => hold_id),
    seat_ids: seatIds(
      board,
      holds.map(({ ordinal }) => ordinal),
    ),
    at: new Date(at_ms).toISOString(),
    ...more,
  };
}

function ordinalsOf(draft: Draft, change: Change): readonly number[] {
  switch (change.kind) {
    case 'held':
      return (change.seats ?? []).map(([, ordinal]) => ordinal);
    case 'ended':
      return change.holds.map((id) => draft.endedOf(id)?.ordinal ?? -1);
    case 'sold':
      return change.tickets.map(({ ordinal }) => ordinal);
    case 'blocked':
    case 'unblocked':
      return change.ordinals;
    case 'ticket_ended':
      return [change.ordinal];
    default:
      return [];
  }
}

function holdsOf(about: About, change: Change): Happening[] {
  const { at_ms, draft } = about;
  if (change.kind === 'held') return heldOf(about, change);
  if (change.kind === 'extended') {
    const until_ms = Math.max(...change.holds.map(([, until]) => until));
    const new_expiry_minutes = (until_ms - at_ms) / 60_000;
    const extended = change.holds.flatMap(([id]) => draft.holdOf(id) ?? []);
    const ids = () => holdIds(about, extended, { held_until: new Date(until_ms).toISOString() });
    return [{ kind: 'hold.extended', holds: change.holds.length, new_expiry_minutes, ids }];
  }
  if (change.kind === 'reduced') {
    const places = change.holds.reduce((sum, [, , released]) => sum + released, 0);
    return [{ kind: 'hold.reduced', holds: change.holds.length, places }];
  }
  if (change.kind !== 'ended' && change.kind !== 'sold') return [];
  const ended = change.holds.flatMap((id) => draft.endedOf(id) ?? []);
  if (ended.length === 0) return [];
  const holds = ended.length;
  const held_ms = ended.map(({ created_ms }) => at_ms - created_ms);
  if (change.kind === 'sold') {
    const ticket_ids = change.tickets.map(({ ticket_id }) => ticket_id);
    const ids = () => holdIds(about, ended, { checkout_id: change.checkout_id, ticket_ids });
    return [{ kind: 'hold.converted_to_ticket', holds, held_ms, ids }];
  }
  const { reason } = change;
  if (reason !== 'ttl_expired') return [{ kind: 'hold.released', reason, holds, held_ms }];
  const late_ms = ended.map(({ until_ms }) => at_ms - until_ms);
  const ids = () => holdIds(about, ended);
  return [{ kind: 'hold.expired', reason, holds, held_ms, late_ms, ids }];
}

/** Wheelchair spaces and zones that are not for everybody. */
function heldOf(about: About, change: Change & { kind: 'held' }): Happening[] {
  const { seating } = about.board.plan;
  const { zones } = about.board.config;
  const ids = () => idsOf(about, change);
  const seats = change.seats ?? [];
  let [spaces, companions, restricted] = [0, 0, false];
  for (const [, ordinal] of seats) {
    if (seating.isSpace(ordinal)) spaces++;
    if (seating.spaceOf(ordinal) !== undefined) companions++;
    if (zones[about.board.plan.zoneOf(ordinal)]?.access_mode !== 'public') restricted = true;
  }
  for (const [, zone] of change.places ?? []) {
    if (zones[zone]?.access_mode !== 'public') restricted = true;
  }
  const granted = { kind: 'zone.access', granted: true, reason: 'member', ids } as const;
  return [
    ...(spaces + companions > 0
      ? [{ kind: 'accessible.held', spaces, companions, ids } as const]
      : []),
    ...(restricted ? [granted] : []),
  ];
}

function salesOf({ event }: About, change: Change): Happening[] {
  switch (change.kind) {
    case 'checkout_closed':
      return [{ kind: 'checkout.closed', status: change.status }];
    case 'sold':
      return [
        { kind: 'checkout.closed', status: 'completed' },
        { kind: 'ticket.sold', tickets: change.tickets.length },
      ];
    case 'refund_due':
      return [{ kind: 'refund.due', reason: change.reason, ids: () => refundIds(event, change) }];
    case 'companions':
      return [{ kind: 'companions.changed', released: change.released }];
    default:
      return [];
  }
}

function refundIds(event: EventRef, change: Change & { kind: 'refund_due' }): EventIds {
  const { refund_id, checkout_id, attempt_id, ticket_id } = change;
  return { ...eventIds(event), refund_id, checkout_id, attempt_id, ticket_id };
}
