import type { Board, Change, Draft, SaleChange } from '#board';
import type { AttemptState, CheckoutItem, CheckoutState } from '#checkouts';
import { totalOf } from '#checkouts';

/** Rows of checkouts, payments, refunds and tickets, each with what it must find. */
export type SalesWrite = Readonly<{
  checkouts: readonly CheckoutWrite[];
  attempts: readonly AttemptWrite[];
  messages: readonly (SaleChange & { kind: 'payment_message' })[];
  refunds: readonly (SaleChange & { kind: 'refund_due' })[];
  refunded: readonly (SaleChange & { kind: 'refunded' })[];
  tickets: readonly TicketWrite[];
  ended: readonly (SaleChange & { kind: 'ticket_ended' })[];
  reseated: readonly Readonly<{ ticket_id: string; from: string; to: string; zone_id: string }>[];
}>;

export type CheckoutWrite = Readonly<{
  checkout_id: string;
  /** Null: it is new. */
  expected: CheckoutState | null;
  user_id: string;
  status: CheckoutState;
  currency: string;
  /** Null: as they are. */
  items: readonly Omit<CheckoutItem, 'seat_id'>[] | null;
  total_cents: number | null;
  declined: boolean;
  given_back: boolean;
  method: string | null;
  attempt_id: string | null;
  sold_by: string | null;
  close_reason: string | null;
}>;

export type AttemptWrite = Readonly<{
  attempt_id: string;
  checkout_id: string;
  status: AttemptState;
  /** Null: it is there already. */
  made: Readonly<{
    place: number;
    provider: string;
    amount_cents: number;
    deadline_ms: number;
  }> | null;
}>;

export type TicketWrite = Readonly<{
  ticket_id: string;
  checkout_id: string;
  hold_id: string;
  user_id: string;
  seat_id: string | null;
  zone_id: string;
  price_cents: number;
  currency: string;
  code: string;
  /** Whose membership opens a restricted zone. */
  member_id: string | null;
}>;

/** What the flush knows about closed checkouts that it changes. */
type Known = ReadonlyMap<string, Readonly<{ status: CheckoutState }>>;

/** Null when no change is about a sale, which is nearly always. */
export function salesOf(
  board: Board,
  draft: Draft,
  known: Known,
  newCode: () => string,
): SalesWrite | null {
  const changes = draft.changes.filter(isSale);
  if (changes.length === 0) return null;
  return {
    checkouts: checkoutWrites(board, draft, changes, known),
    attempts: attemptWrites(board, changes),
    messages: changes.filter((one) => one.kind === 'payment_message'),
    refunds: changes.filter((one) => one.kind === 'refund_due'),
    refunded: changes.filter((one) => one.kind === 'refunded'),
    tickets: changes.flatMap((one) =>
      one.kind === 'sold' ? ticketWrites(board, draft, one, newCode) : [],
    ),
    ended: changes.filter((one) => one.kind === 'ticket_ended'),
    reseated: changes.flatMap((one) => {
      if (one.kind !== 'reseated') return [];
      const { ticket_id, from, to } = one;
      const zone_id = zoneIdOf(board, board.plan.zoneOf(to));
      const seats = { from: board.plan.seatIdOf(from), to: board.plan.seatIdOf(to) };
      return [{ ticket_id, ...seats, zone_id }];
    }),
  };
}

const SALES: readonly Change['kind'][] = [
  'checkout_started',
  'payment_begun',
  'payment_declined',
  'attempt',
  'checkout_closed',
  'sold',
  'refund_due',
  'refunded',
  'payment_message',
  'ticket_ended',
  'reseated',
] satisfies readonly SaleChange['kind'][];

function isSale(change: Change): change is SaleChange {
  return SALES.includes(change.kind);
}

function zoneIdOf({ config }: Board, zone: number): string {
  return config.zones[zone]?.zone_id ?? '';
}

type Draught = { -readonly [name in keyof CheckoutWrite]: CheckoutWrite[name] };

/** One row per checkout that is new or not what it was, however often it changed in between. */
function checkoutWrites(
  board: Board,
  draft: Draft,
  changes: readonly SaleChange[],
  known: Known,
): CheckoutWrite[] {
  const rows = new Map<string, Draught>();
  const rowOf = (checkout_id: string, user_id: string, currency: string): Draught => {
    const expected = (board.checkoutOf(checkout_id) ?? known.get(checkout_id))?.status ?? null;
    const row = rows.get(checkout_id) ?? {
      ...{ checkout_id, expected, user_id, currency, status: 'started' as const },
      ...{ items: null, total_cents: null, declined: false, given_back: false },
      ...{ method: null, attempt_id: null, sold_by: null, close_reason: null },
    };
    rows.set(checkout_id, row);
    return row;
  };
  for (const change of changes) {
    if (!('checkout_id' in change)) continue;
    const { checkout_id } = change;
    const before = board.checkoutOf(checkout_id);
    if (change.kind === 'checkout_started') {
      const row = rowOf(checkout_id, change.user_id, change.currency);
      row.items = change.items.map(([hold_id, price]) => itemOf(draft, board, hold_id, price));
      row.total_cents = totalOf(row.items);
    } else if (change.kind === 'sold') {
      const row = rowOf(checkout_id, change.user_id, change.currency);
      const { method, attempt_id, sold_by } = change;
      Object.assign(row, { status: 'completed', method, attempt_id, sold_by });
      row.close_reason = 'checkout_completed';
      if (row.expected === null && row.items === null) {
        row.items = soldItems(draft, board, change);
        row.total_cents = totalOf(row.items);
      }
    } else if (change.kind === 'checkout_closed') {
      const row = rowOf(checkout_id, before?.user_id ?? '', before?.currency ?? '');
      Object.assign(row, { status: change.status, close_reason: change.reason });
    } else if (change.kind === 'payment_begun' || change.kind === 'payment_declined') {
      rowOf(checkout_id, before?.user_id ?? '', before?.currency ?? '');
    }
  }
  for (const row of rows.values()) {
    const open = draft.checkoutOf(row.checkout_id);
    if (!open) continue;
    const items = open.items.map(({ seat_id: _, ...item }) => item);
    const { status, declined, given_back } = open;
    Object.assign(row, { status, declined, given_back, items });
    row.total_cents = totalOf(items);
  }
  return [...rows.values()];
}

function itemOf(draft: Draft, board: Board, hold_id: string, price_cents: number) {
  const { zone = 0, quantity = 1 } = draft.holdOf(hold_id) ?? draft.endedOf(hold_id) ?? {};
  return { hold_id, zone_id: zoneIdOf(board, zone), quantity, price_cents, until_ms: null };
}

/** A sale at the door has no checkout before it: its items are what was sold. */
function soldItems(draft: Draft, board: Board, { tickets }: SaleChange & { kind: 'sold' }) {
  const prices = new Map(tickets.map(({ hold_id, price_cents }) => [hold_id, price_cents]));
  return [...prices].map(([hold_id, price]) => itemOf(draft, board, hold_id, price));
}

function attemptWrites(board: Board, changes: readonly SaleChange[]): AttemptWrite[] {
  const rows = new Map<string, AttemptWrite>();
  const begun = new Map<string, number>();
  for (const change of changes) {
    if (change.kind === 'payment_begun') {
      const { attempt_id, checkout_id, provider, amount_cents, deadline_ms } = change;
      const place = begun.get(checkout_id) ?? board.checkoutOf(checkout_id)?.attempts.length ?? 0;
      begun.set(checkout_id, place + 1);
      const made = { place, provider, amount_cents, deadline_ms };
      rows.set(attempt_id, { attempt_id, checkout_id, status: 'pending', made });
    } else if (change.kind === 'attempt' || change.kind === 'payment_declined') {
      const { attempt_id, checkout_id } = change;
      const before = rows.get(attempt_id);
      const status = change.kind === 'attempt' ? change.status : 'failed';
      // A payment of the wrong amount has its own word already.
      if (change.kind === 'payment_declined' && before && before.status !== 'pending') continue;
      rows.set(attempt_id, { attempt_id, checkout_id, status, made: before?.made ?? null });
    }
  }
  return [...rows.values()];
}

function ticketWrites(
  board: Board,
  draft: Draft,
  { checkout_id, user_id, currency, tickets }: SaleChange & { kind: 'sold' },
  newCode: () => string,
): TicketWrite[] {
  const visitors = new Map<string, string[]>();
  return tickets.map(({ ticket_id, hold_id, ordinal, zone, price_cents }) => {
    const open = board.config.zones[zone]?.access_mode === 'public';
    const left = visitors.get(hold_id) ?? visitorsOf(draft, hold_id, user_id);
    visitors.set(hold_id, left);
    // Staff who held it for somebody have judged who may come in.
    const judged = (draft.endedOf(hold_id)?.made_by ?? null) !== null;
    return {
      ...{ ticket_id, checkout_id, hold_id, user_id, price_cents, currency },
      seat_id: ordinal < 0 ? null : board.plan.seatIdOf(ordinal),
      zone_id: zoneIdOf(board, zone),
      code: newCode(),
      member_id: open || judged ? null : (left.shift() ?? user_id),
    };
  });
}

/** Whom the tickets of a hold are for: those who were named, and the buyer for the place more. */
function visitorsOf(draft: Draft, holdId: string, buyer: string): string[] {
  const { people = [], quantity = 1 } = draft.endedOf(holdId) ?? {};
  return people.length < quantity ? [buyer, ...people] : [...people];
}
