import { type Random, systemClock } from '@voelgoed/engine/kit';
import type { Asked } from '#history';
import type { Sender } from './sender.ts';
import type { CrowdWish } from './stage.ts';

const DECLINED = 0.15;
const DUPLICATED = 0.15;
/** Told after the time to pay may be over, and while a failure of the same card is on its way. */
const LATE = 0.1;
const LATE_MS = 4_000;
const OUT_OF_ORDER = 0.1;
/** A provider tries again until it is heard; not for ever in a test. */
const TRIES = 400;
const AGAIN_MS = 150;
/** A request to pay that got no answer is asked again with its key. */
const PAY_TRIES = 5;

type Payment = Readonly<{
  checkoutId: string;
  holdIds: readonly string[];
  name(asked: Asked): CrowdWish;
}>;

type Message = Asked & { op: 'message' };

/** Buyers who pay, and a provider who tells of it: twice, late, in any order, until it is heard. */
export class Payments {
  readonly #sender: Sender;
  readonly #random: Random;
  readonly #isResting: () => boolean;
  #messages = 0;

  constructor(sender: Sender, random: Random, isResting: () => boolean) {
    this.#sender = sender;
    this.#random = random;
    this.#isResting = isResting;
  }

  /** The tickets that came of it. */
  async pay({ checkoutId, holdIds, name }: Payment): Promise<string[]> {
    const begun = await this.#begin(name({ op: 'pay', checkout_id: checkoutId }));
    if (!begun) return [];
    const about = { attempt_id: begun.attempt_id, amount_cents: begun.amount_cents };
    const message = (type: Message['type']): Message => {
      const message_id = `message-${begun.attempt_id}-${++this.#messages}`;
      return { op: 'message', message_id, type, ...about, hold_ids: holdIds };
    };
    const isDeclined = this.#random.next() < DECLINED;
    const last = message(isDeclined ? 'payment.failed' : 'payment.succeeded');
    const isMixed = !isDeclined && this.#random.next() < OUT_OF_ORDER;
    const messages = isMixed ? [last, message('payment.failed')] : [last];
    if (this.#random.next() < DUPLICATED) messages.push(last);
    if (this.#random.next() < LATE) await this.#wait(this.#random.next() * LATE_MS);
    await Promise.all(messages.map((one) => this.#tell(name(one))));
    if (isDeclined) return [];
    const { told } = await this.#sender.send(name({ op: 'tickets', checkout_id: checkoutId }));
    return (told?.tickets ?? []).flatMap(({ ticket_id, status }) =>
      status === 'active' ? [ticket_id] : [],
    );
  }

  async #begin(wish: CrowdWish): Promise<{ attempt_id: string; amount_cents: number } | null> {
    const keyed = { ...wish, key: wish.key ?? `key-${wish.wish}` };
    for (let tries = 0; tries < PAY_TRIES; tries++) {
      const { told, outcome } = await this.#sender.send(keyed);
      const { attempt_id, amount_cents } = told ?? {};
      if (attempt_id && amount_cents !== undefined) return { attempt_id, amount_cents };
      if (outcome === 'refused' || outcome === 'done') return null;
      await this.#wait(AGAIN_MS);
    }
    return null;
  }

  async #tell(wish: CrowdWish): Promise<void> {
    const keyed = { ...wish, key: null };
    for (let tries = 0; tries < TRIES; tries++) {
      const { outcome } = await this.#sender.send(keyed);
      if (outcome === 'done') return;
      // After a 4xx a provider does not send it again.
      if (outcome === 'refused') return;
      await systemClock.sleep(AGAIN_MS);
    }
  }

  /** Nobody dawdles when the run is over. */
  async #wait(milliseconds: number): Promise<void> {
    const until = systemClock.monotonic() + milliseconds;
    while (systemClock.monotonic() < until && !this.#isResting()) await systemClock.sleep(20);
  }
}
