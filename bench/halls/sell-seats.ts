import { systemClock } from '@voelgoed/engine/kit';
import type { EventRef } from '@voelgoed/engine/registry';
import type { Engine } from '@voelgoed/engine/workflows';
import { aHold } from '@voelgoed/testkit/builders';
import type { Hall } from './open-halls.ts';

/** What one booking may have, and what one sale. */
const BOOKING = 20;
const SALE = 1_000;
const PATIENCE_MS = 60_000;

/**
 * Sells so many of a hundred seats, evenly over the hall, through the event's own writer. Gives
 * back the seats that are left.
 */
export async function sellSeats(
  engine: Engine,
  event: EventRef,
  { seatIds, buyers }: Hall,
  percent: number,
): Promise<string[]> {
  const isSold = (index: number) => (index * 37) % 100 < percent;
  const sold = seatIds.filter((_, index) => isSold(index));
  for (let from = 0; from < sold.length; from += SALE) {
    const buyer = buyers[(from / SALE) % buyers.length] ?? '';
    await sellTo(engine, event, buyer, sold.slice(from, from + SALE));
  }
  return seatIds.filter((_, index) => !isSold(index));
}

/** Holds these seats for one buyer, in bookings of the box office; the ids of the holds. */
export async function holdSeats(
  engine: Engine,
  event: EventRef,
  buyer: string,
  seats: readonly string[],
): Promise<string[]> {
  const wish = patientWish();
  const bookings = Array.from({ length: Math.ceil(seats.length / BOOKING) }, (_, index) =>
    seats.slice(index * BOOKING, (index + 1) * BOOKING).map((seat_id) => ({ seat_id })),
  );
  const answers = await Promise.all(
    bookings.map((items) =>
      engine.registry.submit(event, { ...wish, command: forCaller(buyer, items) }),
    ),
  );
  return answers.flatMap((answer) => {
    if (answer.kind !== 'done' || answer.outcome.kind !== 'held') {
      throw new Error(`a free seat was not held: ${JSON.stringify(answer)}`);
    }
    return answer.outcome.holds.map(({ hold_id }) => hold_id);
  });
}

async function sellTo(engine: Engine, event: EventRef, buyer: string, seats: readonly string[]) {
  const hold_ids = await holdSeats(engine, event, buyer, seats);
  const wish = patientWish();
  const command = { kind: 'sell', hold_ids, method: 'cash', sold_by: null } as const;
  const sale = await engine.registry.submit(event, { ...wish, command });
  if (sale.kind !== 'done' || sale.outcome.kind !== 'sold') {
    throw new Error(`what was held was not sold: ${JSON.stringify(sale)}`);
  }
}

function patientWish() {
  return {
    actor: { kind: 'system', id: null, role: null },
    context: null,
    key: null,
    deadline_ms: systemClock.monotonic() + PATIENCE_MS,
  } as const;
}

/** By the box office, whose bookings have no limits of a buyer's. */
function forCaller(buyer: string, items: Parameters<typeof aHold>[1]) {
  return aHold(buyer, items, { made_by: buyer, source: 'box_office', guest: false });
}
