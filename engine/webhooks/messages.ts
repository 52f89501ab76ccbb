import type { Change } from '#board';
import type { CheckoutFact, HoldFact, TicketFact } from './facts.sql.ts';
import { kindsOf, type WebhookKind } from './kinds.ts';

type Seat = Readonly<{ seat_id: string; label: string; zone_id: string; zone_name: string }>;

/** What a message says beyond the log: looked up by ids, for those changes that are told. */
export type Facts = Readonly<{
  holds: ReadonlyMap<string, HoldFact>;
  tickets: ReadonlyMap<string, TicketFact>;
  checkouts: ReadonlyMap<string, CheckoutFact>;
  /** Seats of the plan that was in force, by ordinal. */
  seatAt(ordinal: number): Seat | null;
}>;

/** One thing to be told. `part` names it within its revision, the same whenever it is asked. */
export type Message = Readonly<{
  kind: WebhookKind;
  part: string;
  data: Readonly<Record<string, unknown>>;
}>;

type Data = Readonly<Record<string, unknown>>;

/** As many holds, seats or tickets as one message lists: some 60 kB at most. */
const MOST_LISTED = 200;

/** What the rows of changes are to be looked up by. */
export function idsIn(changes: readonly Change[]) {
  const holds: string[] = [];
  const tickets: string[] = [];
  const checkouts: string[] = [];
  for (const change of changes) {
    if ('checkout_id' in change) checkouts.push(change.checkout_id);
    if ('ticket_id' in change && change.ticket_id) tickets.push(change.ticket_id);
    switch (change.kind) {
      case 'held':
        holds.push(...heldIds(change));
        break;
      case 'ended':
        holds.push(...change.holds);
        break;
      case 'extended':
      case 'reduced':
        holds.push(...change.holds.map(([id]) => id));
        break;
      case 'checkout_started':
        holds.push(...change.items.map(([id]) => id));
        break;
      case 'sold':
        tickets.push(...change.tickets.map(({ ticket_id }) => ticket_id));
        break;
    }
  }
  return { holds, tickets, checkouts };
}

/** How many holds, tickets, checkouts and seats are to be told of. */
export function thingsIn(changes: readonly Change[]): number {
  const { holds, tickets, checkouts } = idsIn(changes);
  const seats = changes.flatMap((change) => ('ordinals' in change ? change.ordinals : []));
  return holds.length + tickets.length + checkouts.length + seats.length;
}

/** Changes that say where by ordinal alone. */
export function namesOrdinals({ kind }: Change): boolean {
  return kind === 'blocked' || kind === 'unblocked' || kind === 'reseated';
}

/** What a commit is told as, in the order of what happened. */
export function messagesOf(
  row: { at_ms: number; changes: readonly Change[] },
  wants: (kind: WebhookKind) => boolean,
  facts: Facts,
): Message[] {
  return row.changes.flatMap((change, place) =>
    kindsOf(change)
      .filter(wants)
      .flatMap((kind) =>
        tell(kind, change, row.at_ms, facts).map((data, chunk) => {
          return { kind, part: `${place}.${kind}.${chunk}`, data };
        }),
      ),
  );
}

function tell(kind: WebhookKind, change: Change, at_ms: number, facts: Facts): Data[] {
  switch (change.kind) {
    case 'held':
      return tellHeld(change, facts);
    case 'ended':
      return tellEnded(change, at_ms, facts);
    case 'extended':
      return chunked(change.holds, (holds) => ({
        holds: holds.flatMap(([id, until_ms]) => {
          const hold = facts.holds.get(id);
          return hold ? [{ ...shown(hold), held_until: instant(until_ms) }] : [];
        }),
      }));
    case 'reduced':
      return chunked(change.holds, (holds) => ({
        holds: holds.flatMap(([id, quantity, released]) => {
          const hold = facts.holds.get(id);
          return hold ? [{ ...shown(hold), quantity, released }] : [];
        }),
      }));
    case 'blocked':
    case 'unblocked':
      return chunked(change.ordinals, (ordinals) => ({
        reason: change.reason,
        seats: ordinals.flatMap((ordinal) => facts.seatAt(ordinal) ?? []),
      }));
    case 'sold':
      return tellSold(kind, change, facts);
    case 'reseated': {
      const [from, to] = [facts.seatAt(change.from), facts.seatAt(change.to)];
      const { ticket_id, reason } = change;
      return [{ ...ticketOf(ticket_id, facts), from, to, reason }];
    }
    case 'ticket_ended':
      return [{ ...ticketOf(change.ticket_id, facts), reason: change.reason }];
    case 'event':
      return [{ status: change.event.status, reason: change.reason }];
    case 'config':
      return change.event ? [{ status: change.event.status, reason: null }] : [];
    default:
      return tellMoney(change, facts);
  }
}

function heldIds({ seats = [], places = [] }: Extract<Change, { kind: 'held' }>): string[] {
  return [...seats.map(([id]) => id), ...places.map(([id]) => id)];
}

function tellHeld(change: Extract<Change, { kind: 'held' }>, { holds }: Facts): Data[] {
  const { user_id, source, cart_token, made_by = null, until_ms } = change;
  // A hold may have fewer places by now than it was made with.
  const quantities = new Map((change.places ?? []).map(([id, , quantity]) => [id, quantity]));
  return chunked(heldIds(change), (ids) => ({
    user_id,
    held_until: instant(until_ms),
    cart_token,
    source,
    made_by,
    holds: ids.flatMap((id) => {
      const hold = holds.get(id);
      return hold ? [{ ...shown(hold), quantity: quantities.get(id) ?? hold.quantity }] : [];
    }),
  }));
}

function tellEnded(
  change: Extract<Change, { kind: 'ended' }>,
  at_ms: number,
  { holds }: Facts,
): Data[] {
  const { reason, note = null } = change;
  return chunked(change.holds, (ids) => ({
    reason,
    note,
    holds: ids.flatMap((id) => {
      const hold = holds.get(id);
      if (!hold) return [];
      const held_ms = Math.max(0, at_ms - Date.parse(hold.created_at));
      return [{ ...shown(hold), held_duration_seconds: Math.round(held_ms / 1_000) }];
    }),
  }));
}

function shown({ created_at: _, cart_token: __, ...hold }: HoldFact): Data {
  return hold;
}

function tellSold(
  kind: WebhookKind,
  change: Extract<Change, { kind: 'sold' }>,
  facts: Facts,
): Data[] {
  const { checkout_id, user_id, method, attempt_id, sold_by, currency } = change;
  const total_cents = change.tickets.reduce((sum, { price_cents }) => sum + price_cents, 0);
  const sale = { checkout_id, user_id, method, attempt_id, sold_by, currency, total_cents };
  if (kind === 'checkout_completed') return [{ ...sale, tickets_count: change.tickets.length }];
  // As they are in the hall, which is how people read them.
  const inOrder = change.tickets.toSorted((one, other) => one.ordinal - other.ordinal);
  return chunked(inOrder, (tickets) => ({
    ...sale,
    tickets: tickets.map(({ ticket_id, hold_id }) => {
      const known = facts.tickets.get(ticket_id);
      const { user_id: _, checkout_id: __, ...ticket } = known ?? { user_id: '', checkout_id: '' };
      return { ticket_id, hold_id, ...ticket };
    }),
  }));
}

function ticketOf(ticketId: string, { tickets }: Facts): Data {
  const ticket = tickets.get(ticketId);
  if (!ticket) return { ticket_id: ticketId };
  const { user_id, checkout_id, ...rest } = ticket;
  return { ticket_id: ticketId, user_id, checkout_id, ticket: rest };
}

type Told = 'checkout_started' | 'checkout_closed' | 'payment_begun' | 'payment_message';
type MoneyChange = Extract<Change, { kind: Told | 'refund_due' }>;

function tellMoney(change: Change, facts: Facts): Data[] {
  if (!isMoney(change)) return [];
  const { checkout_id } = change;
  const checkout = facts.checkouts.get(checkout_id);
  const base = { checkout_id, user_id: checkout?.user_id ?? null };
  const { total_cents = 0, currency = null } = checkout ?? {};
  switch (change.kind) {
    case 'checkout_started': {
      const items = change.items.map(([id, price_cents]) => {
        const hold = facts.holds.get(id);
        return { ...(hold ? shown(hold) : { hold_id: id, quantity: 1 }), price_cents };
      });
      const total = items.reduce((sum, item) => sum + item.price_cents * quantityOf(item), 0);
      return [{ ...base, currency: change.currency, total_cents: total, items }];
    }
    case 'checkout_closed':
      return [{ ...base, total_cents, currency, reason: change.reason }];
    case 'payment_begun': {
      const { attempt_id, provider, amount_cents, deadline_ms } = change;
      const deadline = instant(deadline_ms);
      return [{ ...base, attempt_id, provider, amount_cents, currency, deadline }];
    }
    case 'payment_message': {
      const { attempt_id, provider, message_id, amount_cents, outcome } = change;
      const paid = { attempt_id, provider, message_id, amount_cents, currency: change.currency };
      return [{ ...base, ...paid, outcome }];
    }
    case 'refund_due': {
      const { refund_id, attempt_id, ticket_id, amount_cents, reason } = change;
      const owed = { refund_id, attempt_id, ticket_id, amount_cents, currency: change.currency };
      return [{ ...base, ...owed, reason }];
    }
  }
}

const MONEY: ReadonlySet<string> = new Set<MoneyChange['kind']>([
  'checkout_started',
  'checkout_closed',
  'payment_begun',
  'payment_message',
  'refund_due',
]);

function isMoney(change: Change): change is MoneyChange {
  return MONEY.has(change.kind);
}

function quantityOf(item: Data): number {
  return Number(item.quantity ?? 1);
}

function chunked<Item>(items: readonly Item[], say: (some: readonly Item[]) => Data): Data[] {
  const pages = Math.ceil(items.length / MOST_LISTED);
  return Array.from({ length: pages }, (_, page) =>
    say(items.slice(page * MOST_LISTED, (page + 1) * MOST_LISTED)),
  );
}

function instant(at_ms: number): string {
  return new Date(at_ms).toISOString();
}

/** Everybody whom a message is about. */
export function userIdsIn({ user_id, holds }: Data): string[] {
  const listed = Array.isArray(holds)
    ? holds.map((hold: { user_id?: unknown }) => hold.user_id)
    : [];
  const ids = [user_id, ...listed].filter((id) => typeof id === 'string');
  return [...new Set(ids)];
}
