import type { Problem } from '#reading';

export type Prices = readonly { zone_id: string; price_cents: number }[];

/** One price for each zone, and none for zones that are not there. */
export function judgePrices(prices: Prices, zones: ReadonlySet<string>): Problem[] {
  return prices.flatMap(({ zone_id }, index) => {
    const twice = prices.findIndex((price) => price.zone_id === zone_id) !== index;
    const message = twice ? 'A zone has one price.' : 'The event has no such zone.';
    const path = `prices[${index}]`;
    return twice || !zones.has(zone_id) ? [{ path, code: 'unknown_id', message }] : [];
  });
}
