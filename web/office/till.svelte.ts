import { type DoorSale, isFailure, type SellWish } from '@voelgoed/client/client';
import { desk, Work } from '#desk';
import { d } from '#desk-words';
import { notices } from '#shop';
import { SALE_MINUTES, wishOf } from './deeds.ts';
import { newUuid } from './new-uuid.ts';
import type { SellQuestion } from './office.svelte.ts';

type Method = SellWish['method'];
/** Whether these were done is not known. */
const IN_DOUBT = ['network', 'timeout', 'outcome_unknown', 'unreadable', 'aborted'] as const;
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
  readonly #eventId: string;
  /** The same person at every try of this sale, and of no other. */
  readonly #caller = newUuid();
  #holdIds: readonly string[] = [];
  /** Held by this till, which lets them go again. */
  #isOwn = false;
  #isLeft = false;
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

  /** Whether the seats were held is not known: another try has to be the same one. */
  get isInDoubt(): boolean {
    const { status, failure } = this.opening;
    return status === 'running' || (status === 'failed' && isFailure(failure, ...IN_DOUBT));
  }

  /** Takes the seats, or sees to it that they stay held long enough. */
  async open(): Promise<void> {
    this.#isLeft = false;
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
    this.isLost = true;
    this.sale.reset();
    await this.open();
  }

  async sell(how: Readonly<{ name: string; method: Method; part: number }>) {
    const { whose } = this.question;
    const name = how.name.trim();
    const wish = {
      hold_ids: [...this.#holdIds],
      method: how.method,
      ...(whose?.isCart ? { for_holder: true } : {}),
      ...(name !== '' && !whose ? { buyer_name: name } : {}),
    };
    // How it is paid is not part of it: another try in another way is about the same seats.
    const sold = await this.sale.run(JSON.stringify([wish.hold_ids, name]), ({ key, progress }) => {
      progress(0, 1);
      return desk.client.boxOffice.sell(this.#eventId, wish, { key: key(1 + how.part) });
    });
    if (!sold && isFailure(this.sale.failure, 'hold_not_found')) this.isLost = true;
    if (this.#isLeft) this.#leftWith(sold);
    return sold;
  }

  /** The dialog is gone. What is under way ends first. */
  leave({ isForGood = false } = {}): void {
    this.#isLeft = true;
    const isSold = this.sale.status === 'done' || this.sale.status === 'running';
    if (isSold || !this.#isOwn || this.#holdIds.length === 0) return;
    const hold_ids = [...this.#holdIds];
    this.#isOwn = false;
    this.until = null;
    this.isLost = true;
    const wish = { event_id: this.#eventId, hold_ids, reason: d().office.saleLeft };
    // What is not released now runs out by itself.
    this.#onlet(hold_ids);
    desk.client.boxOffice.release(wish, { keepalive: isForGood }).catch(() => undefined);
  }

  #leftWith(sold: DoorSale | null): void {
    if (!sold) this.leave();
    else notices.say({ kind: 'good', text: d().office.soldTitle(sold.tickets.length) });
  }
}
