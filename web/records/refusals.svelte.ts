import type { Refusal, RefusalSearch } from '@voelgoed/client/client';
import { desk, Pages, Resource } from '#desk';
import { everyEvent, instant, isPerson, missOf } from './search.ts';

const PAGE = 100;

/** Requests for seats that were refused: found, and read page by page. */
export class RefusalList {
  eventId = $state('');
  seat = $state('');
  user = $state('');
  code = $state('');
  from = $state('');
  to = $state('');
  isBadUser = $state(false);
  readonly events = new Resource(everyEvent);
  readonly found = new Pages<Refusal, RefusalSearch>(
    (query) => desk.client.audit.refusals(query),
    () => this.#query(),
  );
  /** Nothing can be found, because what was named is not there. */
  readonly miss = $derived(missOf(this.found.failure));
  readonly rows = $derived(this.found.value ?? []);
  /** Of the event that is searched, where that takes place; else the organization's. */
  readonly timeZone: string | undefined = $derived(
    this.events.value?.find(({ event_id }) => event_id === this.eventId)?.timezone ?? desk.timeZone,
  );

  find = async (): Promise<void> => {
    this.isBadUser = !isPerson(this.user);
    if (this.isBadUser) return;
    await this.found.load();
    // Rows of the search before would be taken for the answer to this one.
    if (this.found.failure) this.found.value = null;
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

  #query(): RefusalSearch {
    const [seat, user, code] = [this.seat.trim(), this.user.trim(), this.code.trim()];
    return {
      ...(this.eventId ? { event_id: this.eventId } : {}),
      ...(seat && this.eventId ? { seat } : {}),
      ...(user ? { user } : {}),
      ...(code ? { code } : {}),
      ...(this.from ? { from: instant(this.from, this.timeZone) } : {}),
      ...(this.to ? { to: instant(this.to, this.timeZone) } : {}),
      limit: PAGE,
    };
  }
}
