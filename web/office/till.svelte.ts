import { type DoorSale, isFailure, type SellWish, type ToldRow } from '@voelgoed/client/client';
import { desk, Work } from '#desk';
import { d } from '#desk-words';
import { notices } from '#shop';
import { SALE_MINUTES, wishOf } from './deeds.ts';
import { ENDED } from './hold-book.svelte.ts';
import { namesOf } from './items.ts';
import { newUuid } from './new-uuid.ts';
import type { SellQuestion } from './office.svelte.ts';
import { saleOfHold } from './sale-lookup.ts';

type Method = SellWish['method'];
/** Whether these were done is not known. */
export const IN_DOUBT = ['network', 'timeout', 'outcome_unknown', 'unreadable', 'aborted'] as const;
/** The server looked at the sale and made none. */
const REFUSED = [
  'event_not_found',
  'event_not_available',
  'hold_not_found',
  'hold_limit_reached',
  'seat_held_by_another_user',
  'payment_in_progress',
  'invalid_request',
  'body_too_large',
] as const;
/** The server did not look at it: this says nothing about an earlier try. */
const TURNED_AWAY = ['unauthorized', 'forbidden', 'rate_limited', 'event_busy', 'overloaded'];
/** Buyers without a name, in each language: the seats of a sale at some counter are held so. */
export const WALK_INS: readonly string[] = ['Walk-in', 'Instapkliënt'];
/** As many as one sale makes. */
export const MOST_SOLD = 1_000;

/**
 * One sale at the counter: its seats are held from the moment its dialog opens until it is paid or
 * given up, so that no money is taken for seats that another person gets.
 */
export class Till {
  readonly question: SellQuestion;
  /** Holding, selling. */
  readonly opening = new Work<readonly string[]>();
  readonly sale = new Work<DoorSale>();
  /** Until when the seats are ours; null: they are not. */
  until = $state.raw<string | null>(null);
  /** They were ours and are not any more, whatever the time is. */
  isLost = $state(false);
  /** The sale may have been made, and its answer was lost: it is not begun anew. */
  isUnknown = $state(false);
  /** What was asked last, which stays the same while that is so. */
  asked = $state.raw<SellWish | null>(null);
  /** The sale that was looked up after its answer had been lost. */
  found = $state.raw<DoorSale | null>(null);
  readonly #eventId: string;
  /** The same person at every try of this sale, and of no other. */
  readonly #caller = newUuid();
  #holdIds: readonly string[] = [];
  /** Held by this till, which lets them go again. */
  #isOwn = false;
  #isLeft = false;
  /** The log says that these were sold. */
  #isHeardSold = false;
  #tries = 0;

  readonly #onlet: (holdIds: readonly string[]) => void;

  constructor(
    eventId: string,
    question: SellQuestion,
    /** These are let go: not to be sold before the log says what they are. */
    onlet: (holdIds: readonly string[]) => void,
  ) {
    this.#eventId = eventId;
    this.#onlet = onlet;
    this.question = question;
    const { whose } = question;
    if (whose) this.#holdIds = whose.holdIds;
  }

  /** A sale is under way, or may have been made. */
  get isSaleOpen(): boolean {
    return this.sale.status === 'running' || this.isUnknown;
  }

  get sold(): DoorSale | null {
    return this.sale.status === 'done' ? this.sale.result : this.found;
  }

  /** What became of its holds or its sale is not known: another try has to be the same one. */
  get isInDoubt(): boolean {
    const { status, failure } = this.opening;
    const isOpening = status === 'running' || (status === 'failed' && isDoubtful(failure));
    return isOpening || this.isSaleOpen;
  }

  has(holdId: string): boolean {
    return this.#holdIds.includes(holdId);
  }

  /** Held by this till, or perhaps by it: the answer was lost. */
  covers({ hold_id, seat_id }: Readonly<{ hold_id: string; seat_id: string | null }>): boolean {
    if (this.has(hold_id) || !this.isInDoubt || this.isSaleOpen) return this.has(hold_id);
    return this.question.items.some((item) => 'seat' in item && item.seat.seat_id === seat_id);
  }

  /** Takes the seats, or sees to it that they stay held long enough. */
  async open(): Promise<void> {
    this.#isLeft = false;
    if (this.isSaleOpen || this.sold) return;
    const { whose } = this.question;
    if (whose?.isCart) return;
    if (whose && !this.isLost) {
      await this.#lengthen();
      return;
    }
    const { boxOffice } = desk.client;
    await this.opening.run(`hold ${this.#tries}`, async ({ key }) => {
      const items = this.question.items.map(wishOf);
      const who = { for: whose?.name ?? d().office.walkIn, caller_id: this.#caller };
      const wish = { items, ...who, hold_minutes: SALE_MINUTES };
      const held = await boxOffice.hold(this.#eventId, wish, { key: key() });
      this.#tries += 1;
      this.#holdIds = held.holds.map(({ hold_id }) => hold_id);
      this.#isOwn = true;
      this.#isHeardSold = false;
      this.until = held.held_until;
      this.isLost = false;
      return this.#holdIds;
    });
    if (this.#isLeft) this.leave();
  }

  /** What a caller has held already lasts as long as a sale may take. */
  async #lengthen(): Promise<void> {
    const holdIds = this.#holdIds;
    await this.opening.run('lengthen', async ({ key }) => {
      if (!desk.may('holds:write')) return holdIds;
      const wish = { hold_ids: [...holdIds], minutes: SALE_MINUTES };
      const { holds, not_extended } = await desk.client.boxOffice.lengthen(wish, { key: key() });
      if (not_extended.length > 0) this.isLost = true;
      const untils = holds.flatMap(({ held_until }) => held_until ?? []);
      this.until = untils.toSorted()[0] ?? null;
      return holdIds;
    });
  }

  /** The seats are gone, as far as is known: they are taken anew before they are sold. */
  async again(): Promise<void> {
    if (this.isSaleOpen || this.sold) return;
    this.isLost = true;
    this.sale.reset();
    await this.open();
  }

  /** While the last one is not known it is that one again, with its key. */
  async sell(how: Readonly<{ name: string; method: Method }>): Promise<void> {
    const wish = this.isUnknown && this.asked ? this.asked : this.#wishFor(how);
    this.asked = wish;
    const sold = await this.sale.run(JSON.stringify(wish), ({ key, progress }) => {
      progress(0, 1);
      return desk.client.boxOffice.sell(this.#eventId, wish, { key: key() });
    });
    if (sold) this.isUnknown = false;
    else await this.#judge();
    if (this.#isLeft) this.#leftBehind();
  }

  #wishFor({ name, method }: Readonly<{ name: string; method: Method }>): SellWish {
    const { whose } = this.question;
    const buyer_name = name.trim();
    return {
      hold_ids: [...this.#holdIds],
      method,
      ...(whose?.isCart ? { for_holder: true } : {}),
      ...(buyer_name !== '' && !whose ? { buyer_name } : {}),
    };
  }

  /** What a failure says: that no sale was made, or that it is not known. */
  async #judge(): Promise<void> {
    const { failure } = this.sale;
    const isFirst = !this.isUnknown && isFailure(failure) && failure.attempts === 1;
    const isRefused = isFailure(failure, ...REFUSED);
    const isTurnedAway = isFailure(failure) && TURNED_AWAY.includes(failure.code);
    if (!isFirst || !(isRefused || isTurnedAway)) {
      this.isUnknown = true;
      if (isRefused || this.#isHeardSold) await this.#lookUp();
      if (isRefused && this.#isLookedUp) this.isUnknown = false;
    }
    if (isFailure(failure, 'hold_not_found') && !this.isUnknown && !this.found) this.isLost = true;
  }

  #isLookedUp = false;

  async #lookUp(): Promise<void> {
    this.#isLookedUp = false;
    try {
      this.found = await saleOfHold(this.#eventId, this.#holdIds[0] ?? '');
      this.#isLookedUp = true;
      if (this.found) this.isUnknown = false;
    } catch {
      // Then it stays unknown, which the dialog says.
    }
  }

  /** What the log says of these holds: another hand may have ended them. */
  hear(rows: readonly ToldRow[]): void {
    const changes = rows.flatMap((row) => row.changes);
    const kinds = changes
      .filter(({ places = [] }) => places.some(({ hold_id = '' }) => this.has(hold_id)))
      .flatMap(({ kind }) => (ENDED.includes(kind) ? [kind] : []));
    if (kinds.length === 0 || this.sold) return;
    this.#isHeardSold ||= kinds.includes('seat_sold');
    if (this.sale.status === 'running') return;
    if (this.isUnknown && this.#isHeardSold) void this.#lookUp();
    else {
      this.isUnknown = false;
      this.isLost = true;
    }
  }

  /** The dialog is gone. What is under way ends first. */
  leave({ isForGood = false } = {}): void {
    this.#isLeft = true;
    if (this.isSaleOpen || this.sold || !this.#isOwn || this.#holdIds.length === 0) return;
    const hold_ids = [...this.#holdIds];
    this.#isOwn = false;
    this.until = null;
    this.isLost = true;
    const wish = { event_id: this.#eventId, hold_ids, reason: d().office.saleLeft };
    // What is not released now runs out by itself.
    this.#onlet(hold_ids);
    desk.client.boxOffice.release(wish, { keepalive: isForGood }).catch(() => undefined);
  }

  /** Its dialog is gone: what became of the sale is said, whatever it is. */
  #leftBehind(): void {
    const names = namesOf(this.question.items);
    const { sold } = this;
    if (sold) notices.say({ kind: 'good', text: d().office.soldTitle(sold.tickets.length) });
    else if (this.isUnknown) notices.say({ kind: 'bad', text: d().counter.unknown(names) });
    else {
      this.leave();
      notices.say({ kind: 'bad', text: d().counter.notSold(names) });
    }
  }
}

function isDoubtful(failure: unknown): boolean {
  return isFailure(failure, ...IN_DOUBT);
}
