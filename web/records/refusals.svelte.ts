import type { Refusal, RefusalSearch } from '@voelgoed/client/client';
import { desk, Resource, Work } from '#desk';
import { instant, isPerson, type Miss, missOf } from './search.ts';

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
  hasMore = $state(false);
  isBadUser = $state(false);
  /** Nothing can be found, because what was named is not there. */
  miss = $state<Miss | null>(null);
  readonly events = new Resource(() => desk.client.planning.list({ limit: 200 }));
  readonly page = new Resource(() => this.#read(undefined));
  readonly more = new Work<readonly Refusal[]>();

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
    const before = this.rows.at(-1)?.refusal_id;
    return this.more.run(`before ${before}`, () => this.#read(before));
  }

  async #read(before: string | undefined): Promise<readonly Refusal[]> {
    const page = await desk.client.audit.refusals(this.#query(before));
    this.rows = before ? [...this.rows, ...page] : page;
    this.hasMore = page.length === PAGE;
    return this.rows;
  }

  #query(before: string | undefined): RefusalSearch {
    const [seat, user, code] = [this.seat.trim(), this.user.trim(), this.code.trim()];
    return {
      ...(this.eventId ? { event_id: this.eventId } : {}),
      ...(seat && this.eventId ? { seat } : {}),
      ...(user ? { user } : {}),
      ...(code ? { code } : {}),
      ...(this.from ? { from: instant(this.from) } : {}),
      ...(this.to ? { to: instant(this.to) } : {}),
      ...(before ? { before } : {}),
      limit: PAGE,
    };
  }
}
