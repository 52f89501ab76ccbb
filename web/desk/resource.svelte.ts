/** Something that is fetched: a list, a page of a list, one thing. The newest wish counts. */
export class Resource<Value> {
  value = $state.raw<Value | null>(null);
  failure = $state.raw<unknown>(null);
  isLoading = $state(false);
  readonly #fetch: () => Promise<Value>;
  #wishes = 0;

  constructor(fetch: () => Promise<Value>) {
    this.#fetch = fetch;
  }

  /** What was there stays until the answer is. */
  load = async (): Promise<void> => {
    const wish = ++this.#wishes;
    this.isLoading = true;
    try {
      const value = await this.#fetch();
      if (wish !== this.#wishes) return;
      this.value = value;
      this.failure = null;
    } catch (error) {
      if (wish === this.#wishes) this.failure = error;
    } finally {
      if (wish === this.#wishes) this.isLoading = false;
    }
  };
}
