import type { Answer, QueuedWish } from './wish.ts';

/** So many are told in one turn of the loop: a few milliseconds of work for whoever answers. */
const AT_ONCE = 32;
/** Or so large a part of those who wait: with thousands a turn of the loop takes long by itself. */
const PART = 8;

type Told = readonly [QueuedWish, Answer];

/**
 * Tells whoever waited for a commit, a few in each turn of the loop. Writing some hundred answers
 * takes longer than asking Postgres for the lock again: told all at once, the next flush would wait
 * for the last answer of this one, and Postgres with it.
 */
export class ToldInTurns {
  readonly #turn: () => Promise<void>;
  #waiting: Told[] = [];
  #telling: Promise<void> | null = null;

  constructor(turn: () => Promise<void>) {
    this.#turn = turn;
  }

  get isDone(): boolean {
    return this.#telling === null;
  }

  /** When everybody has been told. */
  async done(): Promise<void> {
    while (this.#telling) await this.#telling;
  }

  /** What is few enough is told at once, unless others wait already: nobody overtakes. */
  tell(answers: ReadonlyMap<QueuedWish, Answer>): void {
    this.#waiting.push(...answers);
    if (this.#telling) return;
    this.#tellSome();
    if (this.#waiting.length === 0) return;
    this.#telling = this.#tellAll().finally(() => {
      this.#telling = null;
    });
  }

  async #tellAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#turn();
      this.#tellSome();
    }
  }

  #tellSome(): void {
    const count = Math.max(AT_ONCE, Math.ceil(this.#waiting.length / PART));
    for (const [wish, answer] of this.#waiting.splice(0, count)) wish.resolve(answer);
  }
}
