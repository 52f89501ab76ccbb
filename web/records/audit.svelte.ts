import {
  type AuditHead,
  type AuditRecord,
  type AuditSearch,
  type AuditVerdict,
  isFailure,
  type NextAfter,
  wholeList,
} from '@voelgoed/client/client';
import { desk, Pages, Resource, Work } from '#desk';
import { everyEvent, instant, isId, isPerson, missOf } from './search.ts';

const PAGE = 50;
const MOST_NAMES = 200;
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
  readonly events = new Resource(everyEvent);
  readonly found = new Pages<AuditRecord, AuditSearch>(
    (query) => desk.client.audit.list(query),
    () => this.#query(),
  );
  /** Nothing can be found, because what was named is not there. */
  readonly miss = $derived(missOf(this.found.failure));
  readonly isVague = $derived(
    this.actor.trim() !== '' && isFailure(this.found.failure, 'invalid_request'),
  );
  /** Names to choose from: of the staff and of access keys, as far as one may see them. */
  readonly names = new Resource(actorNames);
  readonly rows = $derived(this.found.value ?? []);
  readonly verifying = new Work<Verified>();
  readonly signing = new Work<AuditHead>();
  readonly exporting = new Work<void>();
  isBadUser = $state(false);
  isBadCheckout = $state(false);

  /** Of the event whose trail it is, where that takes place; else the organization's. */
  readonly timeZone: string | undefined = $derived(
    this.events.value?.find(({ event_id }) => event_id === this.eventId)?.timezone ?? desk.timeZone,
  );
  readonly #chain = $derived(this.eventId ? { event_id: this.eventId } : {});

  find = async (): Promise<void> => {
    this.isBadCheckout = !isId(this.checkout);
    this.isBadUser = !isPerson(this.user);
    if (this.isBadCheckout || this.isBadUser) return;
    await this.found.load();
    // Rows of the search before would be taken for the answer to this one.
    if (this.found.failure) this.found.value = null;
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
    await this.found.load({ ...this.#query(), before: sequence + 1 });
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

  #query(): AuditSearch {
    const [action, actor] = [this.action.trim(), this.actor.trim()];
    const [seat, user, checkout] = [this.seat.trim(), this.user.trim(), this.checkout.trim()];
    return {
      ...this.#chain,
      ...(seat && this.eventId ? { seat } : {}),
      ...(user ? { user } : {}),
      ...(checkout ? { checkout_id: checkout } : {}),
      ...(action ? { action } : {}),
      ...(actor ? { actor } : {}),
      ...(this.from ? { from: instant(this.from, this.timeZone) } : {}),
      ...(this.to ? { to: instant(this.to, this.timeZone) } : {}),
      limit: PAGE,
    };
  }
}

async function actorNames(): Promise<string[]> {
  const { members, keys } = desk.client;
  const page = { limit: MOST_NAMES };
  const people = desk.may('members:read')
    ? await wholeList((next: NextAfter | undefined) => members.list({ ...next, ...page }))
    : [];
  const known = desk.may('keys:read')
    ? await wholeList((next: NextAfter | undefined) => keys.list({ ...next, ...page }))
    : [];
  const names = [
    ...people.map(({ name, email }) => name ?? email),
    ...known.map(({ name }) => name),
  ];
  return [...new Set(names.filter((name) => name !== null))].sort();
}

/** What only a signed request gets cannot be a link: it is fetched, and handed over as a file. */
export function save(name: string, text: string, type: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
