import type { AuditHead, AuditRecord, AuditSearch, AuditVerdict } from '@voelgoed/client/client';
import { desk, Resource, Work } from '#desk';
import { instant, isId, isPerson, type Miss, missOf } from './search.ts';

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
  hasMore = $state(false);
  readonly events = new Resource(() => desk.client.planning.list({ limit: 200 }));
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
    this.rows = await desk.client.audit.list({ ...this.#query(sequence + 1) });
    this.hasMore = this.rows.length === PAGE;
  }

  readMore(): Promise<unknown> {
    const before = this.rows.at(-1)?.sequence;
    return this.more.run(`before ${before}`, async () => {
      const page = await desk.client.audit.list(this.#query(before));
      this.rows = [...this.rows, ...page];
      this.hasMore = page.length === PAGE;
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
    const rows = await desk.client.audit.list(this.#query(undefined));
    this.rows = rows;
    this.hasMore = rows.length === PAGE;
    return rows;
  }

  #query(before: number | undefined): AuditSearch {
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
      ...(before === undefined ? {} : { before }),
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
