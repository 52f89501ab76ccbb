import { systemClock } from '@voelgoed/engine/kit';
import type { Wish } from '@voelgoed/engine/registry';
import { newId } from '@voelgoed/testkit/builders';

/** Longer than any queue here takes: what is measured is the writer, not its deadlines. */
const PATIENCE_MS = 60_000;

/** One seat for one buyer, in a cart of its own, as the route for holds would wish it. */
export function wishFor(user_id: string, seat_id: string): Wish {
  return {
    command: {
      kind: 'hold',
      user_id,
      items: [{ seat_id }],
      cart_token: newId(),
      source: 'web',
      ip: null,
      role: 'customer',
      guest: false,
      made_by: null,
      hold_seconds: null,
      notes: null,
    },
    actor: { kind: 'user', id: user_id, role: 'customer' },
    // A row for each visit, not each click: the same id for the same buyer.
    context: { id: user_id, userId: user_id, ip: '192.0.2.1', userAgent: 'bench' },
    key: null,
    deadline_ms: systemClock.monotonic() + PATIENCE_MS,
  };
}
