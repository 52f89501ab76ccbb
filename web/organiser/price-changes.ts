import { centsOf } from './cents.ts';
import type { EventZone } from './event-zones.ts';

export type PriceChange = Readonly<{ name: string; from: number | null; to: number }>;

/** What is another than before, zone by zone; what is typed and no price is left out. */
export function priceChanges(
  zones: readonly EventZone[],
  saved: readonly { zone_id: string; price_cents: number }[],
  typed: Readonly<Record<string, string>>,
): readonly PriceChange[] {
  const known = new Map(saved.map(({ zone_id, price_cents }) => [zone_id, price_cents]));
  return zones.flatMap(({ zone_id, name }) => {
    const from = known.get(zone_id) ?? null;
    const to = centsOf(typed[zone_id] ?? '');
    return to === null || to === from ? [] : [{ name, from, to }];
  });
}
