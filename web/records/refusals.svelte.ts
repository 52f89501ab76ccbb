import type { Refusal, RefusalSearch } from '@voelgoed/client/client';
import { desk, Resource, Work } from '#desk';
import { everyEvent, instant, isPerson, type Miss, missOf, olderOf } from './search.ts';

const PAGE = 100;

/** Requests for seats that were refused: found, and read page by page. */
export class RefusalList {
  eventId = $state('');
  seat = $state('');
  user = $state('');
  code = $state('');
  from = $state('');
  to = $state('');
  rows = $state.raw<readonly Refusal[]>([]);
  /** Where the next page of what was asked for begins; the fields may say something else by now. */
  #older = $state.raw<RefusalSearch | null>(null);
  #asked: RefusalSearch | null = null;
  readonly hasMore = $derived(this.#older !== null);
  isBadUser = $state(false);
  /** Nothing can be found, because what was named is not there. */
  miss = $state<Miss | null>(null);
  readonly events = new Resource(everyEvent);
  readonly page = new Resource(() => this.#read());
  readonly more = new Work<void>();

  find = async (): Promise<void> => {
    this.isBadUser = !isPerson(this.user);
    if (this.isBadUser) return;
    await this.page.load();
    this.miss = missOf(this.page.failure);
    // What was found before is not what was asked for now.
    if (this.page.failure) this.page.value = null;
  };

  choose = (): Promise<void> => {
    this.seat = '';
    return this.find();
  };

  clear(): Promise<void> {
    this.seat = '';
    this.user = '';
    this.code = '';
    this.from = '';
    this.to = '';
    return this.find();
  }

  readMore(): Promise<unknown> {
    const query = this.#older;
    return this.more.run(`older ${JSON.stringify(query)}`, async () => {
      if (!query) return;
      const page = await desk.client.audit.refusals(query);
      // Something else was found meanwhile.
      if (this.#older !== query) return;
      this.rows = [...this.rows, ...page];
      this.#older = olderOf(query, page);
    });
  }

  async #read(): Promise<readonly Refusal[]> {
    this.rows = await this.#ask(this.#query());
    return this.rows;
  }

  async #ask(query: RefusalSearch): Promise<readonly Refusal[]> {
    this.#asked = query;
    const page = await desk.client.audit.refusals(query);
    // Something else was asked for meanwhile, and its answer may be here already.
    if (this.#asked !== query) return this.rows;
    this.#older = olderOf(query, page);
    return page;
  }

  #query(): RefusalSearch {
    const [seat, user, code] = [this.seat.trim(), this.user.trim(), this.code.trim()];
    return {
      ...(this.eventId ? { event_id: this.eventId } : {}),
      ...(seat && this.eventId ? { seat } : {}),
      ...(user ? { user } : {}),
      ...(code ? { code } : {}),
      ...(this.from ? { from: instant(this.from) } : {}),
      ...(this.to ? { to: instant(this.to) } : {}),
      limit: PAGE,
    };
  }
}
