const PAGE = 100;

type Query = { after?: string; limit: number };

/** A list that comes page by page, by the id of the last one before. */
export class Pages<Row> {
  value = $state.raw<readonly Row[] | null>(null);
  failure = $state.raw<unknown>(null);
  isLoading = $state(false);
  hasMore = $state(false);
  readonly #fetch: (query: Query) => Promise<readonly Row[]>;
  readonly #idOf: (row: Row) => string;
  #wishes = 0;

  constructor(fetch: (query: Query) => Promise<readonly Row[]>, idOf: (row: Row) => string) {
    this.#fetch = fetch;
    this.#idOf = idOf;
  }

  load = (): Promise<void> => this.#take(null);
  more = (): Promise<void> => this.#take(this.value?.at(-1) ?? null);

  async #take(last: Row | null): Promise<void> {
    const wish = ++this.#wishes;
    this.isLoading = true;
    try {
      const rows = await this.#fetch({
        limit: PAGE,
        ...(last ? { after: this.#idOf(last) } : {}),
      });
      if (wish !== this.#wishes) return;
      this.value = last ? [...(this.value ?? []), ...rows] : rows;
      this.hasMore = rows.length === PAGE;
      this.failure = null;
    } catch (error) {
      if (wish === this.#wishes) this.failure = error;
    } finally {
      if (wish === this.#wishes) this.isLoading = false;
    }
  }
}
