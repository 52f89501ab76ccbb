import type { Command } from '@voelgoed/engine/board';
import { uuidOf } from '@voelgoed/engine/kit';
import type { Answer } from '@voelgoed/engine/registry';
import type { MemorySales } from './memory-sales.ts';
import type { Simulation } from './simulation.ts';

const SEATS = 10;

/** What a buyer wishes who knows these answers, or what staff do to tickets; null: nothing. */
export function saleCommand(
  simulation: Simulation,
  user_id: string,
  answers: readonly (Answer | string)[],
  sales: MemorySales,
): Command | null {
  const outcomes = answers.flatMap((answer) =>
    typeof answer !== 'string' && answer.kind === 'done' ? [answer.outcome] : [],
  );
  const held = outcomes.flatMap((one) => (one.kind === 'held' ? one.holds : []));
  const checkouts = outcomes.flatMap((one) => (one.kind === 'checkout' ? [one.checkout] : []));
  const checkout_id = checkouts.at(-1)?.checkout_id;
  const dice = simulation.upTo(99);
  if (dice < 30 || checkout_id === undefined) {
    const some = simulation.chance(0.5) ? held.slice(-2).map(({ hold_id }) => hold_id) : null;
    const hold_ids = some && some.length > 0 ? some : null;
    const who = { user_id, role: 'customer', guest: false } as const;
    const cart = { hold_ids, cart_token: null, allow_orphan: false };
    return { kind: 'start_checkout', ...who, ...cart };
  }
  if (dice < 64) return { kind: 'begin_payment', user_id, checkout_id, provider: 'bank' };
  if (dice < 68) return { kind: 'cancel_checkout', user_id, checkout_id, note: null };
  if (dice < 75) {
    const last = held.at(-1);
    if (!last) return null;
    return { kind: 'sell', hold_ids: [last.hold_id], method: 'cash', sold_by: null };
  }
  return ticketCommand(simulation, sales);
}

function ticketCommand(simulation: Simulation, sales: MemorySales): Command | null {
  const tickets = [...sales.tickets.keys()];
  if (tickets.length === 0) return null;
  const ticket_id = simulation.pick(tickets);
  if (simulation.chance(0.5)) {
    const seat_id = uuidOf('seat', String(simulation.upTo(SEATS - 1)));
    return { kind: 'reseat', ticket_id, seat_id, reason: 'a pillar' };
  }
  const status = simulation.pick(['voided', 'refunded'] as const);
  const block = simulation.chance(0.2);
  return { kind: 'end_ticket', ticket_id, status, block, reason: 'asked for' };
}
