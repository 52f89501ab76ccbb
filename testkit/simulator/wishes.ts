import type { Command, Hold } from '@voelgoed/engine/board';
import type { Answer } from '@voelgoed/engine/registry';
import { blockOf, extendOf, holdOf, releaseOf } from '#sales';
import type { Dice, MemoryEvent } from '#stores';
import { FLOOR, SEAT_IDS, SEATS, USERS } from './hall.ts';

/** One try of one wish at one node. */
export type Attempt = {
  readonly node: string;
  readonly invoked_ms: number;
  /** When the machine got it, which may have been stopped before. */
  heard_ms: number | null;
  answered_ms: number;
  /** An answer, or the code of an error; null: nobody has answered. */
  answer: Answer | string | null;
};

/** One wish of one client, with everything that was answered to it, however often it was sent. */
export type Op = Readonly<{
  index: number;
  id: string;
  user: string;
  command: Command | 'read';
  keyed: boolean;
  attempts: Attempt[];
}>;

/** The engine chooses; wherever, and alone if need be. */
const BEST = {
  quantity: 1,
  zone_ids: [],
  price_cents: null,
  categories: [],
  accessible: 0,
  together: false,
  general_admission: true,
  people: [],
} as const;

/** What a client knows from the answers it has had. */
export class Memory {
  readonly #holds = new Map<string, Hold[]>();
  readonly #checkouts = new Map<string, string[]>();

  hear(user: string, answer: Answer | string): void {
    if (typeof answer === 'string' || answer.kind !== 'done') return;
    const { outcome } = answer;
    if (outcome.kind === 'held') put(this.#holds, user, outcome.holds);
    if (outcome.kind === 'checkout') put(this.#checkouts, user, [outcome.checkout.checkout_id]);
  }

  holdsOf(user: string): readonly Hold[] {
    return this.#holds.get(user) ?? [];
  }

  checkoutOf(user: string): string | undefined {
    return this.#checkouts.get(user)?.at(-1);
  }
}

function put<Item>(lists: Map<string, Item[]>, user: string, items: readonly Item[]): void {
  const known = lists.get(user);
  if (known) known.push(...items);
  else lists.set(user, [...items]);
}

/** The name of the wish is the name of its cart, so that the log shows whose each hold is. */
export function wishOf(
  dice: Dice,
  id: string,
  rush: number,
  memory: Memory,
  event: MemoryEvent,
): { user: string; command: Op['command'] } {
  const user = dice.pick(USERS);
  const luck = dice.upTo(99);
  if (luck < 6) return { user, command: 'read' };
  if (luck < 28) {
    const command = saleCommand(dice, user, memory, event);
    if (command) return { user, command };
  }
  return { user, command: seatCommand(dice, user, id, rush, memory) };
}

function seatCommand(dice: Dice, user: string, id: string, rush: number, memory: Memory): Command {
  const own = dice.pick([...memory.holdsOf(user).slice(-4), undefined]);
  const seat = () => SEAT_IDS[dice.chance(rush) ? dice.upTo(2) : dice.upTo(SEATS - 1)] ?? '';
  const luck = dice.upTo(99);
  if (luck < 5) {
    const best = { ...BEST, quantity: 1 + dice.upTo(2) };
    return holdOf(user, [], { cart_token: id, best });
  }
  if (luck < 58) {
    const seats = Array.from({ length: 1 + dice.upTo(2) }, seat);
    return holdOf(user, [...new Set(seats)], { cart_token: id });
  }
  if (luck < 66) return holdOf(user, [[FLOOR, 1 + dice.upTo(2)]], { cart_token: id });
  if (luck < 70 && own) {
    return { kind: 'reduce', user_id: user, hold_id: own.hold_id, quantity: 1 + dice.upTo(1) };
  }
  if (luck < 78 && own) return extendOf(user, own.hold_id);
  if (luck < 90 && own) return releaseOf({ hold_ids: [own.hold_id] }, { owner: user });
  if (luck < 93) return releaseOf({ user_id: user }, { owner: user });
  if (luck < 96) return blockOf([seat(), seat()], dice.pick(['block', 'unblock']));
  if (luck < 97) return releaseOf('all', { reason: 'admin_override' });
  return holdOf(user, [seat(), [FLOOR, 1]], { cart_token: id });
}

/** What a buyer wishes who has these holds, or what staff do to tickets; null: nothing. */
function saleCommand(
  dice: Dice,
  user_id: string,
  memory: Memory,
  event: MemoryEvent,
): Command | null {
  const held = memory.holdsOf(user_id);
  const checkout_id = memory.checkoutOf(user_id);
  const luck = dice.upTo(99);
  if (luck < 35 || checkout_id === undefined) {
    const some = dice.chance(0.5) ? held.slice(-2).map(({ hold_id }) => hold_id) : null;
    const hold_ids = some && some.length > 0 ? some : null;
    const who = { user_id, role: 'customer', guest: false } as const;
    const cart = { hold_ids, cart_token: null, allow_orphan: false };
    return { kind: 'start_checkout', ...who, ...cart };
  }
  if (luck < 72) return { kind: 'begin_payment', user_id, checkout_id, provider: 'bank' };
  if (luck < 76) return { kind: 'cancel_checkout', user_id, checkout_id, note: null };
  if (luck < 82) {
    const last = held.at(-1);
    if (!last) return null;
    const sale = { method: 'cash', sold_by: null, for_holder: true } as const;
    return { kind: 'sell', hold_ids: [last.hold_id], ...sale };
  }
  return ticketCommand(dice, event);
}

function ticketCommand(dice: Dice, { sales }: MemoryEvent): Command | null {
  const tickets = [...sales.tickets.keys()];
  if (tickets.length === 0) return null;
  const ticket_id = dice.pick(tickets);
  if (dice.chance(0.5)) {
    const seat_id = SEAT_IDS[dice.upTo(SEATS - 1)] ?? '';
    return { kind: 'reseat', ticket_id, seat_id, reason: 'a pillar' };
  }
  const status = dice.pick(['voided', 'refunded'] as const);
  const block = dice.chance(0.2);
  return { kind: 'end_ticket', ticket_id, status, block, reason: 'asked for' };
}
