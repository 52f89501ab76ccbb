import { type Caller, change, changed, type Done, type Engine, type KeyReused } from './change.ts';
import { chosenBase, isFree, writePrices } from './event-layout.ts';
import { detailOf, type EventDetail, type EventRefusal, lockedEvent } from './events.ts';

/**
 * One price per zone, all of them at once: while the event is planned, and on sale until somebody
 * has a place at the price that was.
 */
export function setPrices(
  engine: Engine,
  caller: Caller,
  eventId: string,
  prices: readonly { zone_id: string; price_cents: number }[],
): Promise<Done<EventDetail> | EventRefusal | { kind: 'in_use' } | KeyReused> {
  const { scope } = caller;
  const { organizationId } = scope;
  return change(engine, caller, 'event.prices', async (transaction) => {
    const event = await lockedEvent(transaction, organizationId, eventId);
    if (!event) return { kind: 'not_found' as const };
    if (!['draft', 'published', 'live', 'postponed'].includes(event.status)) {
      return { kind: 'wrong_state' as const, status: event.status };
    }
    if (!(await isFree(transaction, scope, eventId))) return { kind: 'in_use' as const };
    const chosen = await chosenBase(transaction, scope, eventId);
    const zones = new Set(chosen?.base.zones.map(({ zone_id }) => zone_id));
    const problems = prices.flatMap(({ zone_id }, index) => {
      const twice = prices.findIndex((price) => price.zone_id === zone_id) !== index;
      const message = twice ? 'A zone has one price.' : 'The event has no such zone.';
      const path = `prices[${index}]`;
      return twice || !zones.has(zone_id) ? [{ path, code: 'unknown_id', message }] : [];
    });
    if (problems.length > 0) return { kind: 'invalid' as const, problems };
    const all = [...prices, ...pricedLike(prices, chosen?.overrides.pricing_zones ?? {})];
    await writePrices(transaction, organizationId, eventId, all);
    const entry = {
      action: 'event_prices_set',
      entityType: 'event',
      entityId: eventId,
      changes: { prices },
    };
    return changed(await detailOf(transaction, organizationId, event), [entry]);
  });
}

/** Zones without a price of their own that cost what another one costs. */
function pricedLike(
  prices: readonly { zone_id: string; price_cents: number }[],
  pricing: Readonly<Record<string, string>>,
) {
  const cents = new Map(prices.map(({ zone_id, price_cents }) => [zone_id, price_cents]));
  return Object.entries(pricing).flatMap(([zone_id, like]) => {
    const price_cents = cents.get(like);
    return price_cents === undefined || cents.has(zone_id) ? [] : [{ zone_id, price_cents }];
  });
}
