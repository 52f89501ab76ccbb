/**
 * How much one wish may be searched for, counted in looks at a few seats or numbers, so that every
 * node stops at the same point; a clock would not. What is found by then is the answer: nobody else
 * on this node can do anything meanwhile.
 */
export class Effort {
  #left: number;

  constructor(looks = MOST_LOOKS) {
    this.#left = looks;
  }

  spend(looks: number): void {
    this.#left -= looks;
  }

  get isOver(): boolean {
    return this.#left <= 0;
  }
}

/** Measured: about three milliseconds. */
const MOST_LOOKS = 30_000;
