import type { Problem } from '#reading';

export type Prices = readonly { zone_id: string; price_cents: number }[];

/** Zones that were given more than one price: nobody could say which of them counts. */
export function pricedTwice(prices: Prices): Problem[] {
  const seen = new Set<string>();
  return prices.flatMap(({ zone_id }, index) => {
    // An id in capitals is the same id.
    const id = zone_id.toLowerCase();
    const twice = seen.has(id);
    seen.add(id);
    return twice ? [problem(index, 'A zone has one price.')] : [];
  });
}

/** One price for each zone, and none for zones that are not there. */
export function judgePrices(prices: Prices, zones: ReadonlySet<string>): Problem[] {
  const unknown = prices.flatMap(({ zone_id }, index) =>
    zones.has(zone_id) ? [] : [problem(index, 'The event has no such zone.')],
  );
  return [...pricedTwice(prices), ...unknown];
}

function problem(index: number, message: string): Problem {
  return { path: `prices[${index}]`, code: 'unknown_id', message };
}
