import type { History } from './check-history.ts';
import type { FinalState } from './final-state.ts';
import { mayHaveWorked, type Operation } from './operations.ts';
import { type Violation, violation } from './violation.ts';

/** I2 for what is sold: checkouts, payments, tickets and their ends that were acknowledged. */
export function lostSales(done: readonly Operation[], state: FinalState): Violation[] {
  const checkouts = new Map(state.checkouts.map((one) => [one.checkout_id, one]));
  const attempts = new Set(state.attempts.map(({ attempt_id }) => attempt_id));
  const messages = new Set(state.messages.map(({ message_id }) => message_id));
  const tickets = new Map(state.tickets.map((one) => [one.ticket_id, one]));
  return done.flatMap(({ asked, told, user, node, number }) => {
    const found: Violation[] = [];
    const lost = (what: string) =>
      found.push(violation('I2', `${asked.op} ${node}/${number}: ${what} is not there`));
    if (asked.op === 'checkout' && checkouts.get(told?.checkout_id ?? '')?.user_id !== user) {
      lost(`checkout ${told?.checkout_id}`);
    }
    if (told?.attempt_id && !attempts.has(told.attempt_id)) lost(`attempt ${told.attempt_id}`);
    if (asked.op === 'message' && !messages.has(asked.message_id)) {
      lost(`message ${asked.message_id}`);
    }
    for (const { ticket_id, seat_id } of told?.tickets ?? []) {
      const row = tickets.get(ticket_id);
      if (!row || row.seat_id !== seat_id) lost(`ticket ${ticket_id}`);
    }
    if (asked.op === 'void' && tickets.get(asked.ticket_id)?.status === 'active') {
      lost(`the end of ticket ${asked.ticket_id}`);
    }
    return found;
  });
}

/** I3: no ticket, checkout or payment that nobody asked for. */
export function unaskedSales(operations: readonly Operation[], state: FinalState): Violation[] {
  const asked = new Set<string>();
  for (const { asked: wish } of operations.filter(mayHaveWorked)) {
    if (wish.op === 'checkout') for (const id of wish.hold_ids) asked.add(`sell ${id}`);
    if (wish.op === 'pay') asked.add(`pay ${wish.checkout_id}`);
    if (wish.op === 'void') asked.add(`void ${wish.ticket_id}`);
    if (wish.op === 'sell') for (const id of wish.hold_ids) asked.add(`sell ${id}`);
    if (wish.op === 'message') for (const id of wish.hold_ids) asked.add(`sell ${id}`);
    if (wish.op === 'message') asked.add(`message ${wish.message_id}`);
  }
  const nobody = (what: string) => violation('I3', `nobody asked for ${what}`);
  return [
    ...state.tickets
      .filter(({ hold_id }) => !asked.has(`sell ${hold_id}`))
      .map(({ ticket_id }) => nobody(`ticket ${ticket_id}`)),
    ...state.tickets
      .filter(({ ticket_id, status }) => status !== 'active' && !asked.has(`void ${ticket_id}`))
      .map(({ ticket_id }) => nobody(`the end of ticket ${ticket_id}`)),
    ...state.attempts
      .filter(({ checkout_id }) => !asked.has(`pay ${checkout_id}`))
      .map(({ attempt_id }) => nobody(`payment ${attempt_id}`)),
    ...state.messages
      .filter(({ message_id }) => !asked.has(`message ${message_id}`))
      .map(({ message_id }) => nobody(`message ${message_id}`)),
  ];
}

/** I13: every payment that was captured, and heard of, has its seats or a refund. */
export function checkPayments({ operations, state }: History): Violation[] {
  const byCheckout = Map.groupBy(state.tickets, ({ checkout_id }) => checkout_id);
  const attempts = new Map(state.attempts.map((one) => [one.attempt_id, one]));
  const refunded = new Set(state.refunds.map(({ attempt_id }) => attempt_id));
  const heard = operations.filter(
    ({ asked, outcome }) =>
      asked.op === 'message' && asked.type === 'payment.succeeded' && outcome === 'done',
  );
  const captured = new Set(
    heard.flatMap(({ asked }) => ('attempt_id' in asked ? asked.attempt_id : [])),
  );
  const found = [...captured].flatMap((id) => {
    const attempt = attempts.get(id);
    const seated = (byCheckout.get(attempt?.checkout_id ?? '')?.length ?? 0) > 0;
    // What the provider has given back by itself is given back.
    if (refunded.has(id) || attempt?.status === 'refunded') return [];
    if (attempt?.status === 'succeeded' && seated) return [];
    return [violation('I13', `payment ${id} was captured: neither tickets nor a refund`)];
  });
  const paid = Map.groupBy(
    state.attempts.filter(({ status }) => status === 'succeeded'),
    ({ checkout_id }) => checkout_id,
  );
  for (const [checkoutId, all] of paid) {
    if (all.length > 1) found.push(violation('I13', `checkout ${checkoutId} was paid twice`));
  }
  return found;
}
