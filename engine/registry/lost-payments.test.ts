import { aWish, holdOf, type Sale, useSales } from '@voelgoed/testkit/sales';
import { describe, expect, it } from 'vitest';
import type { Command } from '#board';
import { OperatingError } from '#kit';
import type { SeatRegistry, Store } from './registry.ts';

const sales = useSales();
const { database } = sales;

/** Where a node is when it dies with the provider's word in its hand. */
type Death = 'before the write' | 'after the commit';

/** A store that does the work so far and is never heard of again. */
function dying(store: Store, death: Death): Store {
  const gone = new OperatingError('unavailable', 'the node is gone', { retryable: true });
  return {
    load: (event) => store.load(event),
    rowsFrom: (event, revision, most) => store.rowsFrom(event, revision, most),
    heads: (events) => store.heads(events),
    saveSnapshot: (event, board) => store.saveSnapshot(event, board),
    clock: () => store.clock(),
    setDrift: (wanted) => store.setDrift(wanted),
    transact: async (event, ask, decide) => {
      if (death === 'after the commit') await store.transact(event, ask, decide);
      throw gone;
    },
  };
}

async function done(registry: SeatRegistry, sale: Sale, command: Command) {
  const answer = await registry.submit(sale, aWish(command));
  if (answer.kind !== 'done') throw new Error(answer.kind);
  return answer.outcome;
}

/** Somebody is paying for two seats. */
async function paying() {
  const sale = await sales.open();
  const { registry } = sales.node();
  const [user_id = ''] = sale.buyers;
  await done(registry, sale, holdOf(user_id, sale.seats.slice(0, 2)));
  const cart = { hold_ids: null, cart_token: null, allow_orphan: false };
  const who = { user_id, role: 'customer', guest: false } as const;
  const started = await done(registry, sale, { kind: 'start_checkout', ...who, ...cart });
  if (started.kind !== 'checkout') throw new Error(started.kind);
  const { checkout_id } = started.checkout;
  const begin = { kind: 'begin_payment', user_id, checkout_id, provider: 'bank' } as const;
  const begun = await done(registry, sale, begin);
  if (begun.kind !== 'payment_begun') throw new Error(begun.kind);
  const { attempt_id, amount_cents, currency } = begun;
  const message: Command = {
    ...{ kind: 'payment_message', checkout_id, provider: 'bank', message_id: checkout_id },
    ...{ type: 'payment.succeeded', attempt_id, amount_cents, currency },
  };
  return { sale, checkout_id, message };
}

describe('a node that dies with a payment in its hand', () => {
  it.each<[Death, boolean]>([
    ['before the write', false],
    ['after the commit', true],
  ])('%s: the repeated message finds or makes the tickets, once', async (death, repeated) => {
    const { sale, checkout_id, message } = await paying();
    const { registry } = sales.node({ wrap: (store) => dying(store, death) });
    await expect(registry.submit(sale, aWish(message))).rejects.toBeInstanceOf(OperatingError);
    const other = sales.node();
    const heard = { kind: 'payment_message', outcome: 'completed' };
    expect(await done(other.registry, sale, message)).toMatchObject({ ...heard, repeated });
    expect(await done(other.registry, sale, message)).toMatchObject({ ...heard, repeated: true });
    const tickets = await database.asSuperuser(
      'select ticket_id from tickets where checkout_id = $1',
      [checkout_id],
    );
    expect(tickets).toHaveLength(2);
    const owed = await database.asSuperuser('select 1 from refunds_due where checkout_id = $1', [
      checkout_id,
    ]);
    expect(owed).toEqual([]);
  });
});
