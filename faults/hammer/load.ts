import { type Random, seededRandom, type Timers } from '@voelgoed/engine/kit';
import type { Asked, Operation } from '#history';
import type { Again, LoadOrder } from './messages.ts';

/** 60 % of the traffic goes to 5 % of the seats. */
const HOT_TRAFFIC = 0.6;
const HOT_SEATS = 0.05;
const MOST_SEATS = 4;
/** How many of its own holds and wishes a node remembers, to extend, release and repeat them. */
const REMEMBERED = 100;

/** Parts of the traffic; the rest are holds of seats. */
const ZONE = 0.12;
const EXTEND = 0.15;
const RELEASE = 0.15;
const REPEAT = 0.06;
const WITH_KEY = 0.6;
const TWICE_AT_ONCE = 0.1;

/** Whoever can send a wish and say what came of it. */
type Wisher = Readonly<{
  send(wish: Again): Promise<Pick<Operation, 'outcome' | 'holds'>>;
}>;

type Own = Readonly<{ hold_id: string; user: string }>;

/** Buyers of one node, all from one seed. */
export class Load {
  readonly #order: LoadOrder;
  readonly #wisher: Wisher;
  readonly #timers: Timers;
  readonly #random: Random;
  readonly #name: string;
  readonly #own: Own[] = [];
  readonly #keyed: Again[] = [];
  #wishes = 0;
  #resting = false;
  readonly #done: Promise<unknown>;

  constructor(name: string, order: LoadOrder, wisher: Wisher, timers: Timers) {
    this.#name = name;
    this.#order = order;
    this.#wisher = wisher;
    this.#timers = timers;
    this.#random = seededRandom(order.seed);
    this.#done = Promise.all(Array.from({ length: order.workers }, () => this.#work()));
  }

  async rest(): Promise<void> {
    this.#resting = true;
    await this.#done;
  }

  async #work(): Promise<void> {
    while (!this.#resting) {
      const wish = this.#choose();
      const copies = wish.key !== null && this.#random.next() < TWICE_AT_ONCE ? 2 : 1;
      const sent = Array.from({ length: copies }, () => this.#wisher.send(wish));
      for (const returned of await Promise.all(sent)) this.#learn(wish, returned);
      await this.#timers.sleep(this.#random.next() * this.#order.pause_ms);
    }
  }

  #choose(): Again {
    const draw = this.#random.next();
    const old = draw < REPEAT ? this.#pick(this.#keyed) : undefined;
    if (old) return old;
    const own = draw < REPEAT + EXTEND + RELEASE ? this.#pick(this.#own) : undefined;
    if (own && draw < REPEAT + EXTEND) {
      return this.#wish(own.user, { op: 'extend', hold_id: own.hold_id });
    }
    if (own) return this.#wish(own.user, { op: 'release', hold_ids: [own.hold_id] });
    const user = this.#pick(this.#order.users) ?? '';
    const zone_id = this.#random.next() < ZONE ? this.#pick(this.#order.zones) : undefined;
    const items = zone_id ? [{ zone_id, quantity: 1 + this.#below(MOST_SEATS) }] : this.#seats();
    return this.#wish(user, { op: 'hold', items });
  }

  #wish(user: string, asked: Asked): Again {
    const wish = `${this.#name}-${this.#order.seed}-${++this.#wishes}`;
    const key = this.#random.next() < WITH_KEY ? `key-${wish}` : null;
    const made = { wish, asked, user, key };
    if (key !== null) remember(this.#keyed, made);
    return made;
  }

  #seats(): { seat_id: string }[] {
    const { seats } = this.#order;
    const hot = Math.max(1, Math.floor(seats.length * HOT_SEATS));
    const chosen = new Set<string>();
    for (let left = 1 + this.#below(MOST_SEATS); left > 0; left--) {
      const among = this.#random.next() < HOT_TRAFFIC ? hot : seats.length;
      chosen.add(seats[this.#below(among)] ?? '');
    }
    return [...chosen].map((seat_id) => ({ seat_id }));
  }

  #learn({ asked, user }: Again, { outcome, holds }: Pick<Operation, 'outcome' | 'holds'>): void {
    if (outcome !== 'done' || asked.op !== 'hold') return;
    for (const { hold_id } of holds) remember(this.#own, { hold_id, user });
  }

  #pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.#below(items.length)];
  }

  #below(count: number): number {
    return Math.floor(this.#random.next() * count);
  }
}

function remember<Item>(items: Item[], item: Item): void {
  items.push(item);
  if (items.length > REMEMBERED) items.shift();
}
