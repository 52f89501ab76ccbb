/** 0 available, 1 held, 2 sold, 3 blocked: the wire's numbers. */
export const STATE = { available: 0, held: 1, sold: 2, blocked: 3 } as const;
export type State = 0 | 1 | 2 | 3;

/** A change as the stream says it. */
export type SeatChange = readonly [ordinal: number, state: number];

/**
 * The state of every seat, one byte each, and how many of each state every block has. The wire
 * packs four seats into a byte; painting asks far more often than the wire speaks.
 */
export class SeatStates {
  readonly #states: Uint8Array;
  readonly #blockOf: ArrayLike<number>;
  /** Four counts per block. */
  readonly #counts: Uint32Array;

  constructor(blockOf: ArrayLike<number>, blocks: number) {
    this.#states = new Uint8Array(blockOf.length);
    this.#blockOf = blockOf;
    this.#counts = new Uint32Array(blocks * 4);
    this.#count();
  }

  of(ordinal: number): State {
    return (this.#states[ordinal] ?? STATE.blocked) as State;
  }

  /** How many seats of a block are in a state. */
  inBlock(block: number, state: State): number {
    return this.#counts[block * 4 + state] ?? 0;
  }

  /**
   * Takes all states from the wire's bytes, seat o being `(bytes[o >> 2] >> ((o & 3) * 2)) & 3`,
   * and tells which ordinals have changed.
   */
  setAll(packed: Uint8Array, changed: (ordinal: number) => void): void {
    const states = this.#states;
    for (let ordinal = 0; ordinal < states.length; ordinal++) {
      const state = ((packed[ordinal >> 2] ?? 0) >> ((ordinal & 3) * 2)) & 3;
      if (states[ordinal] === state) continue;
      states[ordinal] = state;
      changed(ordinal);
    }
    this.#count();
  }

  /** False when there is no such seat or nothing is different. */
  set(ordinal: number, state: number): boolean {
    const before = this.#states[ordinal];
    if (before === undefined || before === state || !(state >= 0 && state <= 3)) return false;
    this.#states[ordinal] = state;
    const block = (this.#blockOf[ordinal] as number) * 4;
    this.#counts[block + before] = (this.#counts[block + before] as number) - 1;
    this.#counts[block + state] = (this.#counts[block + state] as number) + 1;
    return true;
  }

  #count(): void {
    this.#counts.fill(0);
    for (let ordinal = 0; ordinal < this.#states.length; ordinal++) {
      const place = (this.#blockOf[ordinal] as number) * 4 + (this.#states[ordinal] as number);
      this.#counts[place] = (this.#counts[place] as number) + 1;
    }
  }
}
