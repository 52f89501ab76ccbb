import type { PaymentMessage } from '@voelgoed/engine/checkouts';
import type { Simulation } from './simulation.ts';

/** What a provider has done about one attempt, whatever we believe. */
export type LedgerEntry = {
  readonly attempt_id: string;
  readonly checkout_id: string;
  readonly amount_cents: number;
  /** What was taken, in cents; the wrong amount now and then. */
  captured: number | null;
};

export type Told = PaymentMessage & Readonly<{ checkout_id: string }>;

/**
 * A payment provider on a bad network: it takes money or does not, and says so late, twice, in the
 * wrong order, and again until it is heard.
 */
export class SimulatedProvider {
  readonly ledger = new Map<string, LedgerEntry>();
  readonly #simulation: Simulation;
  readonly #deliver: (message: Told) => Promise<boolean>;
  readonly #pending: Promise<void>[] = [];
  #messages = 0;

  /** `deliver` is true when the message was heard. */
  constructor(simulation: Simulation, deliver: (message: Told) => Promise<boolean>) {
    this.#simulation = simulation;
    this.#deliver = deliver;
  }

  begin(attempt: Omit<LedgerEntry, 'captured'>): void {
    if (this.ledger.has(attempt.attempt_id)) return;
    const entry = { ...attempt, captured: null };
    this.ledger.set(attempt.attempt_id, entry);
    const dice = this.#simulation.upTo(99);
    if (dice < 55) this.#capture(entry, 0);
    else if (dice < 75) this.#say(entry, 'payment.failed', entry.amount_cents);
    else if (dice < 88) {
      // The bank changed its mind; which of the two is heard first, nobody knows.
      this.#say(entry, 'payment.failed', entry.amount_cents);
      this.#capture(entry, 0);
    } else if (dice < 93) this.#capture(entry, 1);
  }

  /** Everything that is to be said has been heard. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending);
  }

  #capture(entry: LedgerEntry, tooMuch: number): void {
    entry.captured = entry.amount_cents + tooMuch;
    this.#say(entry, 'payment.succeeded', entry.captured);
  }

  #say(entry: LedgerEntry, type: PaymentMessage['type'], amount_cents: number): void {
    const { attempt_id, checkout_id } = entry;
    const message_id = `message ${this.#messages++}`;
    const money = { amount_cents, currency: 'ZAR' };
    const message = { provider: 'bank', message_id, type, attempt_id, checkout_id, ...money };
    const copies = 1 + (this.#simulation.chance(0.3) ? this.#simulation.upTo(2) : 0);
    for (let copy = 0; copy < copies; copy++) this.#pending.push(this.#insist(message));
  }

  async #insist(message: Told): Promise<void> {
    const { chance, upTo } = this.#simulation;
    const late = chance.call(this.#simulation, 0.2);
    await this.#simulation.sleep(upTo.call(this.#simulation, late ? 9_000 : 1_500));
    while (!(await this.#deliver(message))) await this.#simulation.sleep(500);
  }
}
