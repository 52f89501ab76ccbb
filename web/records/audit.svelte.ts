import type { AuditHead, AuditRecord, AuditSearch, AuditVerdict } from '@voelgoed/client/client';
import { desk, Resource, Work } from '#desk';
import { everyEvent, instant, isId, isPerson, type Miss, missOf, olderOf } from './search.ts';

const PAGE = 50;
/** Rows of one question: a few a second, so that the bar moves. */
const PART = 5_000;

/** What was found, and how many rows of how many were looked at. */
export type Verified = Readonly<{ rows: number; isWhole: boolean; bad: AuditVerdict['first_bad'] }>;

/** The trail of the organization or of one event: found, read page by page, verified, signed. */
export class AuditTrail {
  /** Empty: the organization's. */
  eventId = $state('');
  seat = $state('');
  user = $state('');
  checkout = $state('');
  action = $state('');
  actor = $state('');
  from = $state('');
  to = $state('');
  rows = $state.raw<readonly AuditRecord[]>([]);
  /** Where the next page of what was asked for begins; the fields may say something else by now. */
  #older = $state.raw<AuditSearch | null>(null);
  #asked: AuditSearch | null = null;
  readonly hasMore = $derived(this.#older !== null);
  readonly events = new Resource(everyEvent);
  readonly page = new Resource(() => this.#read());
  readonly more = new Work<void>();
  readonly verifying = new Work<Verified>();
  readonly signing = new Work<AuditHead>();
  readonly exporting = new Work<void>();
  isBadActor = $state(false);
  isBadUser = $state(false);
  /** Nothing can be found, because what was named is not there. */
  miss = $state<Miss | null>(null);
  isBadCheckout = $state(false);

  readonly #chain = $derived(this.eventId ? { event_id: this.eventId } : {});

  find = async (): Promise<void> => {
    this.isBadActor = !isId(this.actor);
    this.isBadCheckout = !isId(this.checkout);
    this.isBadUser = !isPerson(this.user);
    if (this.isBadActor || this.isBadCheckout || this.isBadUser) return;
    await this.page.load();
    this.miss = missOf(this.page.failure);
    // What was found before is not what was asked for now.
    if (this.page.failure) this.page.value = null;
  };

  /** Another trail: what was said about the one before is not about this. */
  choose = (): Promise<void> => {
    this.verifying.reset();
    this.signing.reset();
    this.seat = '';
    return this.find();
  };

  clear(): Promise<void> {
    this.seat = '';
    this.user = '';
    this.checkout = '';
    this.action = '';
    this.actor = '';
    this.from = '';
    this.to = '';
    return this.find();
  }

  /** The row itself is the first that is shown. */
  async showRow(sequence: number): Promise<void> {
    await this.clear();
    this.rows = await this.#ask({ ...this.#query(), before: sequence + 1 });
  }

  readMore(): Promise<unknown> {
    const query = this.#older;
    return this.more.run(`older ${JSON.stringify(query)}`, async () => {
      if (!query) return;
      const page = await desk.client.audit.list(query);
      // Something else was found meanwhile.
      if (this.#older !== query) return;
      this.rows = [...this.rows, ...page];
      this.#older = olderOf(query, page);
    });
  }

  verify(): Promise<Verified | null> {
    const chain = this.#chain;
    return this.verifying.run(`verify ${this.eventId}`, async ({ progress, signal }) => {
      const { audit } = desk.client;
      const { count } = await audit.head(chain);
      let rows = 0;
      let next: AuditVerdict['next'];
      do {
        progress(rows, count);
        const part = await audit.verify({ ...chain, ...next, limit: PART });
        rows += part.rows;
        next = part.next;
        if (!part.ok) return { rows, isWhole: true, bad: part.first_bad };
      } while (next && !signal.aborted);
      return { rows, isWhole: !next, bad: null };
    });
  }

  sign(): Promise<AuditHead | null> {
    const chain = this.#chain;
    return this.signing.run(`sign ${this.eventId}`, () => desk.client.audit.head(chain));
  }

  export(): Promise<unknown> {
    const { eventId } = this;
    return this.exporting.run(`export ${eventId}`, async () => {
      const text = await desk.client.history.export(eventId);
      save(`log-${eventId}.ndjson`, text, 'application/x-ndjson');
    });
  }

  async #read(): Promise<readonly AuditRecord[]> {
    this.rows = await this.#ask(this.#query());
    return this.rows;
  }

  async #ask(query: AuditSearch): Promise<readonly AuditRecord[]> {
    this.#asked = query;
    const page = await desk.client.audit.list(query);
    // Something else was asked for meanwhile, and its answer may be here already.
    if (this.#asked !== query) return this.rows;
    this.#older = olderOf(query, page);
    return page;
  }

  #query(): AuditSearch {
    const [action, actor] = [this.action.trim(), this.actor.trim()];
    const [seat, user, checkout] = [this.seat.trim(), this.user.trim(), this.checkout.trim()];
    return {
      ...this.#chain,
      ...(seat && this.eventId ? { seat } : {}),
      ...(user ? { user } : {}),
      ...(checkout ? { checkout_id: checkout } : {}),
      ...(action ? { action } : {}),
      ...(actor ? { actor_id: actor } : {}),
      ...(this.from ? { from: instant(this.from) } : {}),
      ...(this.to ? { to: instant(this.to) } : {}),
      limit: PAGE,
    };
  }
}

/** What only a signed request gets cannot be a link: it is fetched, and handed over as a file. */
export function save(name: string, text: string, type: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
