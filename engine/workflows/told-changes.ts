import type { Board, Change, ChangeRow, Hold } from '#board';

/** A seat or places in a zone. */
export type ToldPlace = Readonly<{
  hold_id?: string;
  ticket_id?: string;
  seat_id?: string;
  label?: string;
  zone_id: string;
  quantity: number;
  /** Who had it. */
  user_id?: string;
}>;

/** One thing that happened, in the words of the trade; for staff, who may know who and why. */
export type ToldChange = Readonly<{
  kind: string;
  user_id?: string;
  reason?: string;
  /** What staff or the buyer said about it. */
  note?: string;
  made_by?: string;
  source?: string;
  held_until?: string;
  checkout_id?: string;
  amount_cents?: number;
  places?: readonly ToldPlace[];
}>;

export type ToldRow = Readonly<{ revision: number; at: string; changes: readonly ToldChange[] }>;

/** What is known about a hold that may have ended. */
export type HoldKnown = Pick<Hold, 'user_id' | 'ordinal' | 'zone' | 'quantity'>;
type Known = (holdId: string) => HoldKnown | undefined;

/** Reads a row of the log to staff. `known` says what the board has forgotten by now. */
export function tellRow(board: Board, row: ChangeRow, known: Known): ToldRow {
  const changes = row.changes.flatMap((change) => tellChange(board, change, known) ?? []);
  return { revision: row.revision, at: instant(row.at_ms), changes };
}

function tellChange(board: Board, change: Change, known: Known): ToldChange | null {
  switch (change.kind) {
    case 'held':
      return tellHeld(board, change);
    case 'ended': {
      const kind = change.reason === 'ttl_expired' ? 'hold_expired' : 'seat_released';
      const places = change.holds.flatMap((id) => placeOfHold(board, id, known) ?? []);
      const { reason, note } = change;
      return { kind, reason, ...(note ? { note } : {}), places };
    }
    case 'extended': {
      const places = change.holds.flatMap(([id]) => placeOfHold(board, id, known) ?? []);
      const [, until_ms = 0] = change.holds[0] ?? [];
      return { kind: 'hold_extended', held_until: instant(until_ms), places };
    }
    case 'reduced': {
      // What became free, as a release of so many places would say it.
      const places = change.holds.flatMap(([id, , quantity]) => {
        const place = placeOfHold(board, id, known);
        return place ? [{ ...place, quantity }] : [];
      });
      return { kind: 'hold_reduced', places };
    }
    case 'blocked':
    case 'unblocked': {
      const places = change.ordinals.map((ordinal) => placeAt(board, ordinal, -1));
      return { kind: `seat_${change.kind}`, ...reasonOf(change.reason), places };
    }
    case 'event':
      return { kind: 'event_changed', ...reasonOf(change.reason) };
    case 'config':
      return { kind: 'config_changed' };
    case 'companions':
      return { kind: change.released ? 'companions_released' : 'companions_kept' };
    case 'planned':
      return { kind: 'layout_changed' };
    case 'task':
    case 'task_worked':
      return null;
    default:
      return tellSale(board, change, known);
  }
}

function tellHeld(board: Board, change: Extract<Change, { kind: 'held' }>): ToldChange {
  const { user_id, source, made_by } = change;
  const seats = (change.seats ?? []).map(([hold_id, ordinal]) => {
    return { hold_id, ...placeAt(board, ordinal, -1) };
  });
  const places = (change.places ?? []).map(([hold_id, zone, quantity]) => {
    return { hold_id, ...placeAt(board, -1, zone, quantity) };
  });
  return {
    kind: 'seat_held',
    user_id,
    source,
    held_until: instant(change.until_ms),
    ...(made_by ? { made_by } : {}),
    places: [...seats, ...places],
  };
}

type Sale = Exclude<
  Change,
  {
    kind:
      | 'held'
      | 'ended'
      | 'extended'
      | 'reduced'
      | 'blocked'
      | 'unblocked'
      | 'event'
      | 'config'
      | 'companions'
      | 'planned'
      | 'task'
      | 'task_worked';
  }
>;

function tellSale(board: Board, change: Sale, known: Known): ToldChange | null {
  switch (change.kind) {
    case 'checkout_started': {
      const { checkout_id, user_id, items } = change;
      const amount_cents = items.reduce(
        (sum, [id, price]) => sum + price * (known(id)?.quantity ?? 1),
        0,
      );
      return { kind: 'checkout_started', checkout_id, user_id, amount_cents };
    }
    case 'checkout_closed': {
      const { checkout_id, status, reason } = change;
      return { kind: `checkout_${status}`, checkout_id, ...reasonOf(reason) };
    }
    case 'payment_begun':
    case 'refunded': {
      const { checkout_id, amount_cents } = change;
      const kind = change.kind === 'refunded' ? 'refunded' : 'payment_initiated';
      return { kind, checkout_id, amount_cents };
    }
    case 'payment_declined':
      return { kind: 'payment_declined', checkout_id: change.checkout_id };
    case 'refund_due': {
      const { checkout_id, amount_cents, reason } = change;
      return { kind: 'refund_due', checkout_id, amount_cents, reason };
    }
    case 'sold': {
      const { checkout_id, user_id, tickets } = change;
      const places = tickets.map(({ ticket_id, hold_id, ordinal, zone }) => {
        return { ticket_id, hold_id, ...placeAt(board, ordinal, zone) };
      });
      return { kind: 'seat_sold', checkout_id, user_id, source: change.method, places };
    }
    case 'ticket_ended': {
      const { ticket_id, ordinal, zone, status, reason } = change;
      const places = [{ ticket_id, ...placeAt(board, ordinal, zone) }];
      return { kind: `ticket_${status}`, reason, places };
    }
    case 'reseated': {
      const { ticket_id, from, to, reason } = change;
      const places = [from, to].map((one) => ({ ticket_id, ...placeAt(board, one, -1) }));
      return { kind: 'ticket_reseated', reason, places };
    }
    case 'attempt':
    case 'payment_message':
      return null;
  }
}

function placeOfHold(board: Board, hold_id: string, known: Known): ToldPlace | null {
  const hold = known(hold_id);
  if (!hold) return null;
  const { user_id, ordinal, zone, quantity } = hold;
  return { hold_id, user_id, ...placeAt(board, ordinal, zone, quantity) };
}

function placeAt(board: Board, ordinal: number, zone: number, quantity = 1): ToldPlace {
  const { plan, config } = board;
  const where = ordinal >= 0 ? plan.zoneOf(ordinal) : zone;
  const zone_id = config.zones[where]?.zone_id ?? '';
  if (ordinal < 0) return { zone_id, quantity };
  return { seat_id: plan.seatIdOf(ordinal), label: plan.labelOf(ordinal), zone_id, quantity };
}

function reasonOf(reason: string | null) {
  return reason === null ? {} : { reason };
}

function instant(at_ms: number): string {
  return new Date(at_ms).toISOString();
}
