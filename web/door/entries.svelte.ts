import { type Entry, type StaffTicket, systemHost } from '@voelgoed/client/client';
import { desk, Resource } from '#desk';

const PAGE = 500;
/** Nothing is asked for more often than this, however many come in. */
const APART_MS = 10_000;

/** Who is inside, and every scan: asked again when the stream says that somebody came or left. */
export class Entries {
  readonly inside: Resource<readonly StaffTicket[]>;
  readonly scans: Resource<readonly Entry[]>;
  #pages = $state(1);
  #asked_ms = Number.NEGATIVE_INFINITY;
  #known: number | null = null;
  #cancel: (() => void) | null = null;

  constructor(eventId: string) {
    const { boxOffice } = desk.client;
    this.inside = new Resource(() =>
      pages<StaffTicket>(this.#pages, (last) =>
        boxOffice.tickets(eventId, {
          inside: true,
          limit: PAGE,
          ...(last ? { after: last.ticket_id } : {}),
        }),
      ),
    );
    this.scans = new Resource(() =>
      pages<Entry>(this.#pages, (last) =>
        boxOffice.entries(eventId, { limit: PAGE, ...(last ? { before: last.entry_id } : {}) }),
      ),
    );
  }

  get hasMore(): boolean {
    const most = Math.max(this.inside.value?.length ?? 0, this.scans.value?.length ?? 0);
    return most >= this.#pages * PAGE;
  }

  open(): void {
    this.#load();
  }

  close(): void {
    this.#cancel?.();
  }

  more(): void {
    this.#pages += 1;
    this.#load();
  }

  /** So many are inside now. */
  heard(inside: number | null): void {
    if (inside === null || inside === this.#known) return;
    const isFirst = this.#known === null;
    this.#known = inside;
    if (isFirst || this.#cancel) return;
    const wait_ms = Math.max(0, this.#asked_ms + APART_MS - systemHost.monotonic());
    this.#cancel = systemHost.after(wait_ms, () => {
      this.#cancel = null;
      this.#load();
    });
  }

  #load(): void {
    this.#asked_ms = systemHost.monotonic();
    void this.inside.load();
    void this.scans.load();
  }
}

/** So many pages, each after the last line of the one before. */
async function pages<Line>(
  most: number,
  ask: (last: Line | undefined) => Promise<readonly Line[]>,
): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (let page = 0; page < most; page++) {
    const found = await ask(lines.at(-1));
    lines.push(...found);
    if (found.length < PAGE) break;
  }
  return lines;
}
