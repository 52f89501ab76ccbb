/** `refused`: the server did not take the last one; a new one is needed. */
export type TokenReason = 'needed' | 'refused';

/** A token, or somebody who gives one each time and makes a new one when the last was refused. */
export type TokenGiver =
  | string
  | null
  | ((reason: TokenReason) => string | null | Promise<string | null>);

/** The credential of a client. However many calls are refused together, one new token is made. */
export class Tokens {
  readonly #giver: TokenGiver;
  #renewing: Promise<string | null> | null = null;

  constructor(giver: TokenGiver) {
    this.#giver = giver;
  }

  async current(): Promise<string | null> {
    if (typeof this.#giver !== 'function') return this.#giver;
    return this.#renewing ?? this.#giver('needed');
  }

  /** Another one than that which was refused; undefined: there is none. */
  async instead(refused: string | null): Promise<string | null | undefined> {
    const giver = this.#giver;
    if (typeof giver !== 'function') return undefined;
    // Somebody else may have been refused before, and the new one is there already.
    const now = await this.current();
    if (now !== refused) return now;
    this.#renewing ??= Promise.resolve(giver('refused')).finally(() => {
      this.#renewing = null;
    });
    const renewed = await this.#renewing;
    return renewed === refused ? undefined : renewed;
  }
}
