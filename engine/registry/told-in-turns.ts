import { nextTurn } from '#kit';
import type { Answer, QueuedWish } from './wish.ts';

/** So many are told in one turn of the loop: a few milliseconds of work for whoever answers. */
const AT_ONCE = 32;

/**
 * Tells whoever waited for a commit, a few in each turn of the loop. Writing some hundred answers
 * takes longer than asking Postgres for the lock again: told all at once, the next flush would wait
 * for the last answer of this one, and Postgres with it.
 */
export class ToldInTurns {
  #telling: Promise<void> = Promise.resolve();

  /** What is few enough is told at once. */
  tell(answers: ReadonlyMap<QueuedWish, Answer>): void {
    const waiting = [...answers];
    tellSome(waiting.splice(0, AT_ONCE));
    if (waiting.length > 0) this.#telling = Promise.all([this.#telling, tellAll(waiting)]).then();
  }

  /** When everybody has been told. */
  get done(): Promise<void> {
    return this.#telling;
  }
}

type Told = readonly [QueuedWish, Answer];

async function tellAll(waiting: readonly Told[]): Promise<void> {
  for (let from = 0; from < waiting.length; from += AT_ONCE) {
    await nextTurn();
    tellSome(waiting.slice(from, from + AT_ONCE));
  }
}

function tellSome(some: readonly Told[]): void {
  for (const [wish, answer] of some) wish.resolve(answer);
}
