type Waiting<Item, Answer> = Readonly<{
  item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}>;

/**
 * One call for many: what is asked while a call is under way travels together in the next one. At
 * low load nothing waits, under load calls carry more; no timer is involved. When a call fails,
 * whatever waits behind it fails as well: else thousands would wait for one failure after another.
 */
export class Gathering<Item, Answer> {
  readonly #send: (items: readonly Item[]) => Promise<readonly Answer[]>;
  readonly #most: number;
  #waiting: Waiting<Item, Answer>[] = [];
  #sending: Promise<void> | null = null;

  /** `send` answers every item, in their order. */
  constructor(send: (items: readonly Item[]) => Promise<readonly Answer[]>, most: number) {
    this.#send = send;
    this.#most = most;
  }

  get isIdle(): boolean {
    return this.#sending === null;
  }

  ask(item: Item): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#waiting.push({ item, resolve, reject });
    this.#sending ??= this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Everything that was asked in this turn travels together.
      await Promise.resolve();
      const batch = this.#waiting.splice(0, this.#most);
      try {
        const answers = await this.#send(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, index) => {
          resolve(answers[index] as Answer);
        });
      } catch (error) {
        for (const { reject } of [...batch, ...this.#waiting.splice(0)]) reject(error);
      }
    }
    this.#sending = null;
  }
}
