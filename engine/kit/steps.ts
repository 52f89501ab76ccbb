import { nextTurn } from './clock.ts';

/** Work that can stop after each step and go on later: `yield` stands where it may. */
export type Steps<Result> = Generator<void, Result>;

/** All of it at once. */
export function finish<Result>(work: Steps<Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** Step by step, with everybody else's turn in between. */
export async function inTurns<Result>(work: Steps<Result>): Promise<Result> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await nextTurn();
  }
}
