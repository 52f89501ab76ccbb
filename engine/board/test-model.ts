/**
 * The rules of a board once more, as plainly as they can be said: lists, loops and no index. It
 * shares nothing with the rules it is compared with.
 */
type ModelHold = {
  id: string;
  user: string;
  cart: string;
  /** -1: places. */
  seat: number;
  quantity: number;
  made: number;
  until: number;
  ip: string | null;
};

type ModelSeat = { taken: 'no' | 'sold'; blocked: boolean };

export type ModelWish = {
  user: string;
  /** Numbers are seats, the others are quantities of places. */
  items: readonly ({ seat: number } | { quantity: number })[];
  cart: string | null;
  ip: string | null;
  minutes: number | null;
};

export type ModelRules = {
  capacity: number;
  perBooking: number;
  perUser: number;
  perIp: number;
  minutes: number;
  extension: number;
  most: number;
};

const MINUTE = 60_000;

export class Model {
  holds: ModelHold[] = [];
  readonly seats: ModelSeat[];
  readonly #rules: ModelRules;

  constructor(seats: number, sold: readonly number[], rules: ModelRules) {
    this.seats = Array.from({ length: seats }, (_, seat) => ({
      taken: sold.includes(seat) ? 'sold' : 'no',
      blocked: false,
    }));
    this.#rules = rules;
  }

  expire(now: number): void {
    this.holds = this.holds.filter((hold) => hold.until > now);
  }

  /** The ids that the real board has given are handed in when it has accepted. */
  hold(wish: ModelWish, now: number, ids: readonly string[], newCart: string): string {
    const seats = [...new Set(wish.items.flatMap((item) => ('seat' in item ? [item.seat] : [])))];
    const parts = wish.items.flatMap((item) => ('quantity' in item ? [item.quantity] : []));
    for (const item of wish.items) {
      const no = 'seat' in item ? this.#whyNot(item.seat, wish.user) : null;
      if (no) return no;
    }
    const wanted = parts.reduce((sum, quantity) => sum + quantity, 0);
    const inZone = sumOf(this.holds.filter((hold) => hold.seat === -1));
    if (inZone + wanted > this.#rules.capacity) return 'block_at_capacity';
    const fresh = seats.filter((seat) => !this.ownerOf(seat));
    const own = this.holds.filter((hold) => hold.user === wish.user);
    const cart = wish.cart ?? youngestOf(own)?.cart ?? newCart;
    const added = fresh.length + wanted;
    if (added > 0 && this.#tooMany(wish, own, added)) return 'hold_limit_reached';
    const until = now + (wish.minutes ?? this.#rules.minutes) * MINUTE;
    const common = { user: wish.user, cart, made: now, until, ip: wish.ip };
    const made: ModelHold[] = [];
    for (const seat of fresh) made.push({ id: '', seat, quantity: 1, ...common });
    for (const quantity of parts) made.push({ id: '', seat: -1, quantity, ...common });
    made.forEach((hold, index) => {
      hold.id = ids[index] ?? 'missing';
    });
    this.holds.push(...made);
    return 'held';
  }

  extend(user: string, id: string): string {
    const hold = this.holds.find((one) => one.id === id);
    if (hold?.user !== user) return 'hold_not_found';
    const longer = hold.until + this.#rules.extension * MINUTE;
    const until = Math.min(longer, hold.made + this.#rules.most * MINUTE);
    if (until <= hold.until) return 'extension_limit_reached';
    hold.until = until;
    return 'extended';
  }

  reduce(user: string, id: string, quantity: number): string {
    const hold = this.holds.find((one) => one.id === id);
    if (hold?.user !== user) return 'hold_not_found';
    if (quantity > hold.quantity) return 'hold_cannot_grow';
    hold.quantity = quantity;
    return 'reduced';
  }

  release(which: readonly string[] | { user: string } | 'all', owner: string | null): string {
    this.holds = this.holds.filter((hold) => {
      if (owner !== null && hold.user !== owner) return true;
      if (which === 'all') return false;
      return 'user' in which ? hold.user !== which.user : !which.includes(hold.id);
    });
    return 'released';
  }

  block(seats: readonly number[]): string {
    if (seats.some((seat) => !this.seats[seat])) return 'seat_not_found';
    for (const seat of seats) {
      this.holds = this.holds.filter((hold) => hold.seat !== seat);
      this.#seat(seat).blocked = true;
    }
    return 'blocked';
  }

  unblock(seats: readonly number[]): string {
    if (seats.some((seat) => !this.seats[seat])) return 'seat_not_found';
    for (const seat of seats) this.#seat(seat).blocked = false;
    return 'unblocked';
  }

  ownerOf(seat: number): ModelHold | undefined {
    return this.holds.find((hold) => hold.seat === seat);
  }

  /** What the world sees of a seat. */
  wordOf(seat: number): string {
    if (this.#seat(seat).blocked) return 'blocked';
    if (this.#seat(seat).taken === 'sold') return 'sold';
    return this.ownerOf(seat) ? 'held' : 'available';
  }

  #whyNot(seat: number, user: string): string | null {
    if (!this.seats[seat]) return 'seat_not_found';
    const owner = this.ownerOf(seat);
    if (owner) return owner.user === user ? null : 'seat_held_by_another_user';
    return this.wordOf(seat) === 'available' ? null : 'seat_not_available';
  }

  #tooMany(wish: ModelWish, own: readonly ModelHold[], added: number): boolean {
    const sameIp = this.holds.filter((hold) => hold.ip === wish.ip);
    return (
      sumOf(own) + added > this.#rules.perBooking ||
      sumOf(own) + added > this.#rules.perUser ||
      (wish.ip !== null && sumOf(sameIp) + added > this.#rules.perIp)
    );
  }

  #seat(seat: number): ModelSeat {
    const found = this.seats[seat];
    if (!found) throw new Error(`the model has no seat ${seat}`);
    return found;
  }
}

function sumOf(holds: readonly ModelHold[]): number {
  return holds.reduce((sum, hold) => sum + hold.quantity, 0);
}

/** Of holds that were made in the same moment, the one with the greater id. */
function youngestOf(holds: readonly ModelHold[]): ModelHold | undefined {
  const sorted = [...holds].sort(
    (one, other) => one.made - other.made || (one.id < other.id ? -1 : 1),
  );
  return sorted.at(-1);
}
