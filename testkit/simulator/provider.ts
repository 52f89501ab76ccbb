import type { PaymentMessage } from '@voelgoed/engine/checkouts';
import { Dice, type Simulation } from '#stores';

/** What a provider has done about one attempt, whatever we believe. */
export type LedgerEntry = {
  readonly attempt_id: string;
  readonly checkout_id: string;
  readonly amount_cents: number;
  /** What was taken, in cents; the wrong amount now and then. */
  captured: number | null;
  isDeclined: boolean;
};

export type Told = PaymentMessage & Readonly<{ checkout_id: string }>;

/**
 * A payment provider on a bad network: it takes money or does not, and says so late, twice, in the
 * wrong order, and again until it is heard.
 */
export class Provider {
  readonly ledger = new Map<string, LedgerEntry>();
  /** Messages that were answered: the provider does not send them again. */
  readonly heard: Told[] = [];
  /** Messages that nobody has heard yet. */
  unheard = 0;
  readonly #simulation: Simulation;
  readonly #seed: number;
  readonly #deliver: (message: Told) => Promise<boolean>;
  #messages = 0;

  /** `deliver` is true when the message was heard. */
  constructor(simulation: Simulation, seed: number, deliver: (message: Told) => Promise<boolean>) {
    this.#simulation = simulation;
    this.#seed = seed;
    this.#deliver = deliver;
  }

  begin(attempt: Pick<LedgerEntry, 'attempt_id' | 'checkout_id' | 'amount_cents'>): void {
    if (this.ledger.has(attempt.attempt_id)) return;
    const entry: LedgerEntry = { ...attempt, captured: null, isDeclined: false };
    this.ledger.set(attempt.attempt_id, entry);
    const dice = new Dice(this.#seed, `attempt ${this.ledger.size}`);
    const luck = dice.upTo(99);
    if (luck < 55) this.#capture(entry, 0, dice);
    else if (luck < 75) this.#decline(entry, dice);
    else if (luck < 88) {
      // The bank changed its mind; which of the two is heard first, nobody knows.
      this.#decline(entry, dice);
      this.#capture(entry, 0, dice);
    } else if (luck < 93) this.#capture(entry, 1, dice);
  }

  #capture(entry: LedgerEntry, tooMuch: number, dice: Dice): void {
    entry.captured = entry.amount_cents + tooMuch;
    this.#say(entry, 'payment.succeeded', entry.captured, dice);
  }

  #decline(entry: LedgerEntry, dice: Dice): void {
    entry.isDeclined = true;
    this.#say(entry, 'payment.failed', entry.amount_cents, dice);
  }

  #say(entry: LedgerEntry, type: PaymentMessage['type'], amount_cents: number, dice: Dice): void {
    const { attempt_id, checkout_id } = entry;
    const message_id = `message ${this.#messages++}`;
    const money = { amount_cents, currency: 'ZAR' };
    const message = { provider: 'bank', message_id, type, attempt_id, checkout_id, ...money };
    const copies = 1 + (dice.chance(0.3) ? dice.upTo(2) : 0);
    for (let copy = 0; copy < copies; copy++) {
      this.unheard++;
      this.#insist(message, dice.upTo(dice.chance(0.2) ? 4_000 : 800));
    }
  }

  #insist(message: Told, after_ms: number): void {
    this.#simulation.after(after_ms, () => {
      void this.#deliver(message).then((isHeard) => {
        if (!isHeard) return this.#insist(message, 500);
        this.unheard--;
        this.heard.push(message);
      });
    });
  }
}
