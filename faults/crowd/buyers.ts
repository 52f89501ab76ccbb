import { userIdOf } from '@voelgoed/engine/accounts';
import { type Random, systemClock } from '@voelgoed/engine/kit';
import type { Asked } from '#history';
import { Payments } from './payments.ts';
import type { Sender } from './sender.ts';
import {
  CART,
  type CrowdEvent,
  type CrowdStage,
  type CrowdWish,
  PERSON,
  type Returned,
} from './stage.ts';

/** Parts of the traffic; the rest are holds. */
const EXTEND = 0.1;
const RELEASE = 0.1;
const CONVERT = 0.1;
const READ = 0.1;
/** Holds of places instead of seats. */
const PLACES = 0.08;
/** 60 % of the traffic goes to 5 % of the seats. */
const HOT_TRAFFIC = 0.6;
const HOT_SEATS = 0.05;
const MOST_SEATS = 6;
/** Of all requests: sent twice at once, sent after the time is over, given up in the middle. */
const TWICE = 0.05;
const LATE = 0.02;
const DISCONNECTED = 0.02;
const PATIENCE_MS = 8;
const WITH_KEY = 0.7;
/** Sold at the door; the others pay. */
const AT_THE_DOOR = 0.5;
/** So many seats of an event are sold at a time; then tickets are voided, so that it goes on. */
const MOST_TICKETS = 60;
/** Holds that are remembered, to do something with them. */
const REMEMBERED = 200;
const USERS = 400;

type Own = Readonly<{ hold_id: string; user: string; event: string; until_ms: number }>;
type Person = Readonly<{ user: string; organization: number }>;

export type LoadOrder = Readonly<{ workers: number; pause_ms: number }>;

/** Many buyers of several organizations, all from one seed. */
export class Buyers {
  readonly #stage: CrowdStage;
  readonly #sender: Sender;
  readonly #random: Random;
  readonly #people: Person[] = [];
  readonly #own: Own[] = [];
  readonly #tickets = new Map<string, string[]>();
  readonly #payments: Payments;
  /** What goes on beside the workers: late wishes and payments. */
  readonly #beside = new Set<Promise<unknown>>();
  #working: Promise<unknown> = Promise.resolve();
  #resting = true;
  #wishes = 0;

  constructor(stage: CrowdStage, sender: Sender, random: Random) {
    this.#stage = stage;
    this.#sender = sender;
    this.#random = random;
    this.#payments = new Payments(sender, random, () => this.#resting);
    for (const [organization, { organizationId }] of stage.organizations.entries()) {
      for (let index = 0; index < USERS; index++) {
        const subject = `${PERSON}-${organization}-${index}`;
        const user = userIdOf(organizationId, subject);
        sender.admit(user, organizationId, subject);
        this.#people.push({ user, organization });
      }
    }
  }

  load({ workers, pause_ms }: LoadOrder): void {
    this.#resting = false;
    const work = async () => {
      while (!this.#resting) {
        await this.#wish();
        if (pause_ms > 0) await systemClock.sleep(this.#random.next() * pause_ms);
      }
    };
    const before = this.#working;
    this.#working = Promise.all([before, ...Array.from({ length: workers }, work)]);
  }

  /** Everybody ends what they are doing; payments that were made are told. */
  async rest(): Promise<void> {
    this.#resting = true;
    await this.#working;
    while (this.#beside.size > 0) await Promise.all(this.#beside);
  }

  /** Users of an organization, by their place. */
  usersOf(organization: number): string[] {
    return this.#people.filter((one) => one.organization === organization).map(({ user }) => user);
  }

  async #wish(): Promise<void> {
    const draw = this.#random.next();
    const later = EXTEND + RELEASE + CONVERT;
    if (draw < later) {
      const own = this.#takeOwn();
      if (own) return this.#goOn(own, draw);
    }
    if (draw > 1 - READ) return this.#read();
    return this.#hold();
  }

  async #hold(): Promise<void> {
    const person = this.#pick(this.#people);
    if (!person) return;
    const event = this.#pick(this.#stage.organizations[person.organization]?.events ?? []);
    if (!event) return;
    const zone = this.#random.next() < PLACES ? this.#pick(event.zones) : undefined;
    const items = zone
      ? [{ zone_id: zone, quantity: 1 + this.#below(MOST_SEATS) }]
      : this.#seats(event);
    const made = this.#made(event.eventId, person.user, { op: 'hold', items });
    const returned = await this.#send(made);
    if (returned.outcome !== 'done') return;
    for (const { hold_id, until_ms } of returned.holds) {
      this.#own.push({ hold_id, user: person.user, event: event.eventId, until_ms });
    }
    if (this.#own.length > REMEMBERED) this.#own.splice(0, this.#own.length - REMEMBERED);
  }

  async #goOn(own: Own, draw: number): Promise<void> {
    const { hold_id, user, event } = own;
    if (this.#random.next() < LATE / (EXTEND + RELEASE + CONVERT)) return this.#beLate(own);
    if (draw < EXTEND) {
      const returned = await this.#send(this.#made(event, user, { op: 'extend', hold_id }));
      const [hold] = returned.holds;
      if (hold) this.#own.push({ ...own, until_ms: hold.until_ms });
      return;
    }
    if (draw < EXTEND + RELEASE) {
      await this.#send(this.#made(event, user, { op: 'release', hold_ids: [hold_id] }));
      return;
    }
    await this.#convert(own);
  }

  /** Comes back when the time of the hold is over. */
  #beLate({ hold_id, user, event, until_ms }: Own): void {
    const late = async () => {
      await systemClock.sleep(Math.max(0, until_ms - systemClock.now()) + this.#below(100));
      const asked: Asked =
        this.#random.next() < 0.5
          ? { op: 'extend', hold_id }
          : { op: 'checkout', hold_ids: [hold_id] };
      await this.#send(this.#made(event, user, asked));
    };
    this.#goesOnBeside(late());
  }

  async #convert({ hold_id, user, event }: Own): Promise<void> {
    const tickets = this.#tickets.get(event) ?? [];
    this.#tickets.set(event, tickets);
    if (tickets.length > MOST_TICKETS) {
      const ticket_id = tickets.shift() ?? '';
      await this.#send(this.#made(event, user, { op: 'void', ticket_id }));
      return;
    }
    if (this.#random.next() < AT_THE_DOOR) {
      const wish = this.#made(event, user, { op: 'sell', hold_ids: [hold_id] });
      const { told } = await this.#send(wish);
      for (const { ticket_id } of told?.tickets ?? []) tickets.push(ticket_id);
      return;
    }
    const name = (asked: Asked) => this.#made(event, user, asked);
    const wish = name({ op: 'checkout', hold_ids: [hold_id] });
    const { told } = await this.#send(wish);
    const checkoutId = told?.checkout_id;
    if (!checkoutId) return;
    const paying = this.#payments.pay({ checkoutId, holdIds: [hold_id], name });
    this.#goesOnBeside(paying.then((made) => tickets.push(...made)));
  }

  async #read(): Promise<void> {
    const person = this.#pick(this.#people);
    const organization = this.#stage.organizations[person?.organization ?? 0];
    const event = this.#pick(organization?.events ?? []);
    if (!person || !event) return;
    const [seat] = this.#seats(event);
    const asked = { op: 'read', seat_id: seat?.seat_id ?? '' } as const;
    await this.#sender.send({ ...this.#made(event.eventId, person.user, asked), key: null });
  }

  /** As networks do: sometimes twice at once, sometimes without anybody who hears the answer. */
  async #send(wish: CrowdWish): Promise<Returned> {
    const draw = this.#random.next();
    if (draw < TWICE && wish.key !== null) {
      const [first] = await Promise.all([this.#sender.send(wish), this.#sender.send(wish)]);
      return first;
    }
    const hangsUp = draw > 1 - DISCONNECTED;
    return this.#sender.send(wish, hangsUp ? this.#random.next() * PATIENCE_MS : null);
  }

  #made(event: string, user: string, asked: Asked): CrowdWish {
    const wish = `${CART}${this.#stage.seed}-${++this.#wishes}`;
    const key = this.#random.next() < WITH_KEY ? `key-${wish}` : null;
    return { wish, event, asked, user, key };
  }

  #seats({ seats }: CrowdEvent): { seat_id: string }[] {
    const hot = Math.max(1, Math.floor(seats.length * HOT_SEATS));
    const chosen = new Set<string>();
    // Most want one or two; a few bring everybody.
    const wanted = 1 + Math.floor(this.#random.next() ** 2 * MOST_SEATS);
    for (let left = wanted; left > 0; left--) {
      const among = this.#random.next() < HOT_TRAFFIC ? hot : seats.length;
      chosen.add(seats[this.#below(among)] ?? '');
    }
    return [...chosen].map((seat_id) => ({ seat_id }));
  }

  #takeOwn(): Own | undefined {
    const [own] = this.#own.splice(this.#below(this.#own.length), 1);
    return own;
  }

  #goesOnBeside(work: Promise<unknown>): void {
    this.#beside.add(work);
    void work.finally(() => this.#beside.delete(work));
  }

  #pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.#below(items.length)];
  }

  #below(count: number): number {
    return Math.floor(this.#random.next() * count);
  }
}
