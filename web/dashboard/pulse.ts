import type { ToldRow } from '@voelgoed/client/client';

/** Places held in one second, by zone. */
type Second = { holds: number; zones: Map<string, number> };

export const HOT_MS = 5 * 60_000;
/** Short enough to see a storm come, long enough not to jump. */
const RATE_MS = 10_000;

/** How fast a sale is right now: what was held in the last seconds, and where. */
export class Pulse {
  readonly #seconds = new Map<number, Second>();
  /** Rows are taken once, whether they come later or from before. */
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;
  /** Nothing is known from before this moment. */
  since_ms = Number.POSITIVE_INFINITY;

  take(rows: readonly ToldRow[]): void {
    const [first, last] = [this.#first, this.#last];
    for (const { revision, at, changes } of rows) {
      if (revision >= first && revision <= last) continue;
      this.#first = Math.min(this.#first, revision);
      this.#last = Math.max(this.#last, revision);
      const at_ms = Date.parse(at);
      this.since_ms = Math.min(this.since_ms, at_ms);
      for (const { kind, places } of changes) {
        if (kind === 'seat_held') this.#add(at_ms, places ?? []);
      }
    }
  }

  holdsPerSecond(now_ms: number): number {
    let holds = 0;
    for (const [at_ms, second] of this.#seconds) {
      if (at_ms > now_ms - RATE_MS) holds += second.holds;
    }
    return holds / (RATE_MS / 1_000);
  }

  /** Zones by places held lately, the hottest first. */
  hotZones(now_ms: number): [zoneId: string, places: number][] {
    const zones = new Map<string, number>();
    for (const [at_ms, second] of this.#seconds) {
      if (at_ms <= now_ms - HOT_MS) {
        this.#seconds.delete(at_ms);
        continue;
      }
      for (const [zone, many] of second.zones) zones.set(zone, (zones.get(zone) ?? 0) + many);
    }
    return [...zones].sort(([, one], [, other]) => other - one);
  }

  #add(at_ms: number, places: readonly { zone_id: string; quantity: number }[]): void {
    const key = Math.floor(at_ms / 1_000) * 1_000;
    const second = this.#seconds.get(key) ?? { holds: 0, zones: new Map() };
    second.holds += places.length;
    for (const { zone_id, quantity } of places) {
      second.zones.set(zone_id, (second.zones.get(zone_id) ?? 0) + quantity);
    }
    this.#seconds.set(key, second);
  }
}
