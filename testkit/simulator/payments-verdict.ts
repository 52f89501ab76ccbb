import type { World } from './world.ts';

/**
 * The provider's books against ours: whatever was taken has bought its tickets, all of them, or is
 * owed once; nothing else was sold or is owed. Told when all messages were heard.
 */
export function paymentProblems({ database, provider }: World): string[] {
  const { sales, seats, zones } = database.event;
  const problems: string[] = [];
  const tickets = [...sales.tickets.values()];
  for (const { attempt_id, checkout_id, captured } of provider.ledger.values()) {
    const checkout = sales.checkouts.get(checkout_id);
    const attempt = checkout?.attempts.find((one) => one.attempt_id === attempt_id);
    const owed = sales.refunds.filter(
      (one) => one.attempt_id === attempt_id && one.ticket_id === null,
    );
    const bought = attempt?.status === 'succeeded';
    const about = `attempt ${attempt_id} (${attempt?.status}, checkout ${checkout?.status})`;
    if (owed.length + (bought ? 1 : 0) !== (captured === null ? 0 : 1)) {
      problems.push(`${about}: ${captured} was taken, ${owed.length} times owed`);
    }
    if (owed.some(({ amount_cents }) => amount_cents !== captured)) {
      problems.push(`${about}: another amount is owed than was taken`);
    }
    if (bought && checkout?.status !== 'completed') problems.push(`${about}: paid, not completed`);
    const worth = tickets.reduce((sum, one) => {
      return sum + (one.checkout_id === checkout_id ? one.price_cents : 0);
    }, 0);
    if (bought && worth !== captured) problems.push(`${about}: ${captured} for ${worth}`);
  }
  for (const checkout of sales.checkouts.values()) {
    const made = tickets.filter(({ checkout_id }) => checkout_id === checkout.checkout_id).length;
    const wanted = checkout.items.reduce((sum, { quantity }) => sum + quantity, 0);
    const expected = checkout.status === 'completed' ? wanted : 0;
    if (made !== expected) problems.push(`checkout ${checkout.checkout_id} has ${made} tickets`);
    const paid = checkout.attempts.filter(({ status }) => status === 'succeeded').length;
    if (paid > 1) problems.push(`checkout ${checkout.checkout_id} was paid ${paid} times`);
    const open = checkout.status === 'started' || checkout.status === 'paying';
    if (open) problems.push(`checkout ${checkout.checkout_id} is ${checkout.status} for ever`);
  }
  const good = tickets.filter(({ status }) => status === 'active');
  const seated = good.flatMap(({ seat_id }) => seat_id ?? []);
  if (new Set(seated).size !== seated.length) problems.push('two good tickets for one seat');
  const taken = seats.filter(({ ticket_id }) => ticket_id !== null).length;
  if (taken !== seated.length) problems.push(`${seated.length} tickets, ${taken} seats`);
  const places = good.length - seated.length;
  if (zones[1]?.sold !== places) problems.push(`${places} places sold, ${zones[1]?.sold} counted`);
  return problems;
}
