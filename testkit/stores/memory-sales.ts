import { messageName } from '@voelgoed/engine/board';
import type { Checkout } from '@voelgoed/engine/checkouts';
import type { Flush, Store } from '@voelgoed/engine/registry';

type Opened = Parameters<Parameters<Store['transact']>[2]>[0];
type Asked = ReturnType<Parameters<Store['transact']>[1]>['sales'];
type Found = Opened['sales'];
type Sales = Flush['sales'] & object;
type Ticket = Found['tickets'] extends ReadonlyMap<string, infer One> ? One : never;
type Refund = Sales['refunds'][number] & Readonly<{ settled: boolean }>;
type FindHold = (holdId: string) => { seat_id: string | null; zone_id: string | null } | undefined;

const NOTHING_FOUND: Found = { checkouts: new Map(), messages: new Map(), tickets: new Map() };

/** Rows of checkouts, payments and tickets, as the statement writes them. */
export class MemorySales {
  checkouts = new Map<string, Checkout>();
  tickets = new Map<string, Ticket>();
  refunds: Refund[] = [];
  messages = new Map<string, Sales['messages'][number]>();
  readonly #holdOf: FindHold;

  constructor(holdOf: FindHold) {
    this.#holdOf = holdOf;
  }

  /** Brings back what is now. */
  remember(): () => void {
    const kept = {
      checkouts: new Map(this.checkouts),
      tickets: new Map(this.tickets),
      refunds: [...this.refunds],
      messages: new Map(this.messages),
    };
    return () => {
      Object.assign(this, kept);
    };
  }

  open(): Checkout[] {
    return [...this.checkouts.values()]
      .filter(({ status }) => status === 'started' || status === 'paying')
      .map((one) => this.#placed(one));
  }

  answer(asked: Asked): Found {
    if (!asked) return NOTHING_FOUND;
    const { checkouts = [], messages = [], tickets = [] } = asked;
    return {
      checkouts: new Map(
        checkouts.flatMap((id) => {
          const checkout = this.checkouts.get(id);
          return checkout ? [[id, this.#placed(checkout)]] : [];
        }),
      ),
      messages: new Map(
        messages.flatMap((one) => {
          const known = this.messages.get(messageName(one));
          return known ? [[messageName(one), known]] : [];
        }),
      ),
      tickets: new Map(
        tickets.flatMap((id) => {
          const ticket = this.tickets.get(id);
          return ticket ? [[id, ticket]] : [];
        }),
      ),
    };
  }

  ownedBy(users: readonly string[]): Opened['owned'] {
    const good = [...this.tickets.values()].filter(({ status }) => status === 'active');
    return new Map(
      users.map((user) => {
        const own = good.filter(({ user_id }) => user_id === user);
        return [user, own.map(({ zone_id }) => ({ zone_id, person: null, places: 1 }))];
      }),
    );
  }

  agreesWith({ checkouts, messages, tickets, ended, reseated, refunds }: Sales): boolean {
    return (
      checkouts.every((row) => this.checkouts.get(row.checkout_id)?.status === was(row.expected)) &&
      messages.every((row) => !this.messages.has(messageName(row))) &&
      tickets.every((row) => !this.tickets.has(row.ticket_id)) &&
      ended.every((row) => this.tickets.get(row.ticket_id)?.status !== 'refunded') &&
      reseated.every((row) => this.tickets.get(row.ticket_id)?.seat_id === row.from) &&
      refunds.every((row) => !this.refunds.some((one) => isSame(one, row)))
    );
  }

  write(sales: Sales, at_ms: number): void {
    for (const row of sales.checkouts) this.#putCheckout(row, at_ms);
    for (const row of sales.attempts) this.#putAttempt(row, at_ms);
    for (const row of sales.messages) this.messages.set(messageName(row), row);
    this.refunds.push(...sales.refunds.map((row) => ({ ...row, settled: false })));
    for (const { attempt_id } of sales.refunded) {
      this.refunds = this.refunds.map((one) =>
        one.attempt_id === attempt_id ? { ...one, settled: true } : one,
      );
    }
    for (const row of sales.tickets) {
      const attempt_id =
        sales.checkouts.find((one) => one.checkout_id === row.checkout_id)?.attempt_id ?? null;
      this.tickets.set(row.ticket_id, {
        ...row,
        attempt_id,
        status: 'active',
        owed: false,
        paid_back: false,
      });
    }
    for (const { ticket_id, status } of sales.ended) this.#changeTicket(ticket_id, { status });
    for (const { ticket_id, to, zone_id } of sales.reseated) {
      this.#changeTicket(ticket_id, { seat_id: to, zone_id });
    }
    for (const { ticket_id } of sales.refunds) {
      if (ticket_id !== null) this.#changeTicket(ticket_id, { owed: true });
    }
  }

  #putCheckout(row: Sales['checkouts'][number], at_ms: number): void {
    const before = this.checkouts.get(row.checkout_id);
    const { checkout_id, user_id, currency, status, declined, given_back } = row;
    this.checkouts.set(checkout_id, {
      ...(before ?? { checkout_id, user_id, currency, attempts: [], created_ms: at_ms }),
      status,
      declined,
      given_back,
      items: row.items?.map((item) => ({ ...item, seat_id: null })) ?? before?.items ?? [],
    });
  }

  #putAttempt(row: Sales['attempts'][number], at_ms: number): void {
    const checkout = this.checkouts.get(row.checkout_id);
    if (!checkout) throw new Error('an attempt belongs to a checkout');
    const { attempt_id, status, made } = row;
    const attempts = made
      ? [...checkout.attempts, { attempt_id, status, created_ms: at_ms, ...made }]
      : checkout.attempts.map((one) => (one.attempt_id === attempt_id ? { ...one, status } : one));
    this.checkouts.set(row.checkout_id, { ...checkout, attempts });
  }

  #changeTicket(ticketId: string, changes: Partial<Ticket>): void {
    const before = this.tickets.get(ticketId);
    if (before) this.tickets.set(ticketId, { ...before, ...changes });
  }

  /** Where an item is, its hold says. */
  #placed(checkout: Checkout): Checkout {
    return {
      ...checkout,
      items: checkout.items.map((item) => {
        const hold = this.#holdOf(item.hold_id);
        return { ...item, seat_id: hold?.seat_id ?? null };
      }),
    };
  }
}

function was<State>(expected: State | null): State | undefined {
  return expected ?? undefined;
}

function isSame(one: Sales['refunds'][number], other: Sales['refunds'][number]): boolean {
  if (one.ticket_id !== null || other.ticket_id !== null) return one.ticket_id === other.ticket_id;
  return one.attempt_id === other.attempt_id;
}
