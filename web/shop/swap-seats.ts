import { t } from '#words';
import type { EventShop } from './event.svelte.ts';
import { notices } from './notices.svelte.ts';
import { type Hands, swap } from './swap.ts';

/** The visitor's seats become these ones, or stay what they were. */
export async function swapSeats(shop: EventShop, seatIds: readonly string[]): Promise<boolean> {
  const { cart } = shop;
  const held = cart.lines.flatMap(({ seat_id }) => seat_id ?? []);
  const wanted = seatIds.filter((seatId) => !held.includes(seatId));
  const surplus = held.filter((seatId) => !seatIds.includes(seatId));
  const again = await swap(wanted, surplus, handsOf(shop));
  const back = cart.lines.filter(({ seat_id }) => again?.includes(`${seat_id}`));
  if (back.length > 0) {
    notices.say({ kind: 'warning', text: t().swapUndone(cart.describe(back)) });
  }
  return again === null;
}

/** The hands of a shop's cart. */
function handsOf(shop: EventShop): Hands {
  const { cart } = shop;
  return {
    zoneForPeople: (seat_id) =>
      shop.isForPeople({ seat_id }) ? (shop.plan?.seatOf(seat_id)?.zone_id ?? null) : null,
    take: async (seat_id, instead) => {
      const seat = shop.plan?.seatOf(seat_id);
      const person = instead === null ? null : cart.friends.personOf(instead);
      if (!seat) return false;
      return person === null ? cart.take(seat) : cart.takeAll([{ seat_id }], [person]);
    },
    giveBack: async (seatId) => {
      const line = cart.lines.find(({ seat_id }) => seat_id === seatId);
      if (line) await cart.giveBack(line);
      return !cart.has(seatId);
    },
  };
}
