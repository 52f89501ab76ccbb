/** Handheld scanners type a character every few milliseconds; people take longer. */
export const BURST_MS = 150;

/** Tells what a scanner types from what a person presses. */
export class KeyBursts {
  #last_ms = Number.NEGATIVE_INFINITY;

  /** Whether this key came right after a character; Tab and arrows are of no code. */
  follows({ key, timeStamp }: Pick<KeyboardEvent, 'key' | 'timeStamp'>): boolean {
    const isBurst = timeStamp - this.#last_ms < BURST_MS;
    if (key.length === 1) this.#last_ms = timeStamp;
    return isBurst;
  }
}
