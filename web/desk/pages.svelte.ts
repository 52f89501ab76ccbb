type Page<Row, Query> = readonly Row[] & { next?: Partial<Query> };

/** A search that finds little looks at so many pages before it asks whether to go on. */
const MOST_EMPTY = 20;

/** Of a list that is not searched. */
export type PageQuery = { after?: string; limit: number };

export function firstPage(): PageQuery {
  return { limit: 100 };
}

/**
 * A list that comes page by page. The last question counts, and more rows are those of the question
 * that was answered, whatever would be asked by now.
 */
export class Pages<Row, Query extends object> {
  value = $state.raw<readonly Row[] | null>(null);
  failure = $state.raw<unknown>(null);
  isLoading = $state(false);
  /** What asks for the rows behind those that are there; null: there are none. */
  #next = $state.raw<Query | null>(null);
  readonly #fetch: (query: Query) => Promise<Page<Row, Query>>;
  readonly #query: () => Query;
  #questions = 0;

  constructor(fetch: (query: Query) => Promise<Page<Row, Query>>, query: () => Query) {
    this.#fetch = fetch;
    this.#query = query;
  }

  get hasMore(): boolean {
    return this.#next !== null;
  }

  load = (query = this.#query()): Promise<void> => this.#take(query, []);
  more = async (): Promise<void> => {
    if (this.#next) await this.#take(this.#next, this.value ?? []);
  };

  async #take(query: Query, before: readonly Row[]): Promise<void> {
    const question = ++this.#questions;
    this.isLoading = true;
    try {
      let asked = query;
      let page = await this.#fetch(asked);
      for (let count = 1; page.length === 0 && page.next && count < MOST_EMPTY; count++) {
        if (question !== this.#questions) return;
        asked = { ...asked, ...page.next };
        page = await this.#fetch(asked);
      }
      if (question !== this.#questions) return;
      this.value = [...before, ...page];
      this.#next = page.next ? { ...asked, ...page.next } : null;
      this.failure = null;
    } catch (error) {
      if (question === this.#questions) this.failure = error;
    } finally {
      if (question === this.#questions) this.isLoading = false;
    }
  }
}
