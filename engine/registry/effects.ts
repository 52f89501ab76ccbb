import { type Board, type Change, type Draft, type EndReason, type Hold, wordOf } from '#board';
import { assert } from '#kit';
import type { Flush, HoldEnd, HoldWrite, SeatWrite } from './ports.ts';

type Effects = Pick<
  Flush,
  'seats' | 'zones' | 'newHolds' | 'endedHolds' | 'changedHolds' | 'companions' | 'people'
>;

/**
 * What a flush writes: the difference between the board and the draft, one row each, however often
 * something changed in between. Each row says what it must find.
 */
export function effectsOf(board: Board, draft: Draft, at_ms: number): Effects {
  return {
    seats: seatWrites(board, draft),
    zones: zoneWrites(board, draft),
    ...holdWrites(board, draft, at_ms),
    companions: companionWrites(board, draft),
    people: peopleWrites(draft),
  };
}

function companionWrites(board: Board, draft: Draft): Effects['companions'] {
  return [...draft.released].flatMap(([zone, released]) => {
    const zone_id = board.config.zones[zone]?.zone_id;
    assert(zone_id, 'companion seats belong to a zone');
    return released === board.isReleased(zone) ? [] : [{ zone_id, released }];
  });
}

function peopleWrites({ changes }: Draft): Effects['people'] {
  return changes.flatMap((change) => {
    if (change.kind !== 'held') return [];
    return (change.people ?? []).flatMap(([hold_id, users]) =>
      users.map((user_id) => ({ hold_id, user_id })),
    );
  });
}

function seatWrites(board: Board, draft: Draft): SeatWrite[] {
  const ordinals = [...draft.seats.keys()].sort((one, other) => one - other);
  return ordinals.map((ordinal) => ({
    ordinal,
    expected_version: board.versionOf(ordinal),
    expected_hold: board.holdOfSeat(ordinal)?.hold_id ?? null,
    status: wordOf(draft.codeOf(ordinal)),
    hold: draft.holdOfSeat(ordinal),
    ticket: draft.seats.get(ordinal)?.ticket,
  }));
}

function zoneWrites(board: Board, draft: Draft): Effects['zones'] {
  return [...draft.counts].flatMap(([zone, after]) => {
    const before = board.countsOf(zone);
    const zone_id = board.config.zones[zone]?.zone_id;
    assert(zone_id, 'a counter belongs to a zone');
    const held = after.held - before.held;
    const sold = after.sold - before.sold;
    const blocked = after.blocked - before.blocked;
    return held === 0 && sold === 0 && blocked === 0 ? [] : [{ zone_id, held, sold, blocked }];
  });
}

type HoldEffects = Pick<Effects, 'newHolds' | 'endedHolds' | 'changedHolds'>;

function holdWrites(board: Board, draft: Draft, at_ms: number): HoldEffects {
  const made = new Set<string>();
  const ended = new Map<string, HoldEnd>();
  const changed = new Set<string>();
  for (const change of draft.changes) collect(board, change, at_ms, { made, ended, changed });
  const newHolds = [...made].map((id) => newHold(board, draft, id, ended.get(id) ?? null));
  return {
    newHolds,
    endedHolds: [...ended]
      .filter(([hold_id]) => !made.has(hold_id))
      .map(([hold_id, end]) => ({ hold_id, end }))
      .sort(byId),
    changedHolds: [...changed]
      .flatMap((hold_id) => {
        const hold = made.has(hold_id) ? undefined : draft.holdOf(hold_id);
        if (!hold) return [];
        const { until_ms, checkout_id, quantity } = hold;
        return [{ hold_id, until_ms, checkout_id, quantity }];
      })
      .sort(byId),
  };
}

/** The statement finds a hold's values by its place among the ids. */
function byId(one: { hold_id: string }, other: { hold_id: string }): number {
  return one.hold_id < other.hold_id ? -1 : 1;
}

function collect(
  board: Board,
  change: Change,
  at_ms: number,
  into: { made: Set<string>; ended: Map<string, HoldEnd>; changed: Set<string> },
): void {
  for (const id of changedBy(board, change)) into.changed.add(id);
  if (change.kind === 'held') {
    for (const [id] of change.seats ?? []) into.made.add(id);
    for (const [id] of change.places ?? []) into.made.add(id);
  }
  if (change.kind === 'ended') {
    for (const id of change.holds) into.ended.set(id, endOf(change.reason, at_ms));
  }
  if (change.kind === 'sold') {
    const end = { status: 'converted', reason: 'checkout_completed', at_ms } as const;
    for (const id of change.holds) into.ended.set(id, end);
  }
}

/** Holds that live on with another time or fewer places, or in another checkout or none. */
function changedBy(board: Board, change: Change): readonly string[] {
  const itemsBefore = (checkoutId: string) =>
    board.checkoutOf(checkoutId)?.items.map(({ hold_id }) => hold_id) ?? [];
  switch (change.kind) {
    case 'extended':
    case 'reduced':
    case 'payment_declined':
      return change.holds.map(([id]) => id);
    case 'checkout_started':
      return [...itemsBefore(change.checkout_id), ...change.items.map(([id]) => id)];
    case 'payment_begun':
    case 'checkout_closed':
      return itemsBefore(change.checkout_id);
    default:
      return [];
  }
}

/** Time makes a hold expire; everything else cancels it. */
function endOf(reason: EndReason, at_ms: number): HoldEnd {
  return { status: reason === 'ttl_expired' ? 'expired' : 'cancelled', reason, at_ms };
}

function newHold(board: Board, draft: Draft, holdId: string, end: HoldEnd | null): HoldWrite {
  const hold: Hold | undefined = draft.holdOf(holdId) ?? draft.endedOf(holdId);
  assert(hold, 'a hold that was made is known');
  const seat_id = hold.ordinal >= 0 ? board.plan.seatIdOf(hold.ordinal) : null;
  const zone_id = hold.ordinal >= 0 ? null : (board.config.zones[hold.zone]?.zone_id ?? null);
  return { hold, seat_id, zone_id, end };
}
