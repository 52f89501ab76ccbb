type Entry = Readonly<{ until_ms: number; hold_id: string }>;

/**
 * Live holds by the time they end, earliest on top. Entries are not removed when a hold ends or is
 * extended; they are recognised as old when they are looked at, and cleared away when they are the
 * majority.
 */
export class DueHeap {
  #entries: Entry[] = [];
  readonly #isLive: (entry: Entry) => boolean;

  constructor(isLive: (entry: Entry) => boolean) {
    this.#isLive = isLive;
  }

  get size(): number {
    return this.#entries.length;
  }

  push(entry: Entry): void {
    this.#entries.push(entry);
    this.#up(this.#entries.length - 1);
  }

  /** The earliest live end; infinity when nothing is held. */
  next(): number {
    this.#clearTop();
    return this.#entries[0]?.until_ms ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Up to `most` live holds that end at or before `now_ms`. Nothing is taken out: what is due stays
   * due until its end is committed. The due entries are the top of the heap, so only they are
   * visited.
   */
  due(now_ms: number, most: number): string[] {
    // A hold whose end went there and back again has two entries that are both right.
    const found = new Set<string>();
    const visit = [0];
    while (visit.length > 0 && found.size < most) {
      const index = visit.pop() ?? 0;
      const entry = this.#entries[index];
      if (!entry || entry.until_ms > now_ms) continue;
      if (this.#isLive(entry)) found.add(entry.hold_id);
      visit.push(2 * index + 1, 2 * index + 2);
    }
    return [...found];
  }

  /** Called when holds have ended: `live` says how many there are. */
  tidy(live: number): void {
    this.#clearTop();
    if (this.#entries.length < 2 * live + 64) return;
    this.#entries = this.#entries.filter((entry) => this.#isLive(entry));
    this.#entries.sort((one, other) => one.until_ms - other.until_ms);
  }

  #clearTop(): void {
    let top = this.#entries[0];
    while (top && !this.#isLive(top)) {
      this.#pop();
      top = this.#entries[0];
    }
  }

  #pop(): void {
    const last = this.#entries.pop();
    if (last === undefined || this.#entries.length === 0) return;
    this.#entries[0] = last;
    this.#down(0);
  }

  #up(start: number): void {
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (this.#until(parent) <= this.#until(index)) return;
      this.#swap(parent, index);
      index = parent;
    }
  }

  #down(start: number): void {
    let index = start;
    for (;;) {
      const left = 2 * index + 1;
      const smaller = this.#until(left + 1) < this.#until(left) ? left + 1 : left;
      if (this.#until(smaller) >= this.#until(index)) return;
      this.#swap(smaller, index);
      index = smaller;
    }
  }

  #until(index: number): number {
    return this.#entries[index]?.until_ms ?? Number.POSITIVE_INFINITY;
  }

  #swap(one: number, other: number): void {
    const kept = this.#entries[one] as Entry;
    this.#entries[one] = this.#entries[other] as Entry;
    this.#entries[other] = kept;
  }
}
