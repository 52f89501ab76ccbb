import { dropPrices, type EventRow, insertPrices } from '#events';
import {
  type Caller,
  change,
  changed,
  type Done,
  type Engine,
  type KeyReused,
  replayOf,
} from './change.ts';
import { changeConfig, eventRow } from './event-config.ts';
import { chosenBase, noPrice, writePrices } from './event-layout.ts';
import { detailOf, type EventDetail, type EventRefusal, lockedEvent } from './events.ts';
import { judgePrices, type Prices } from './price-rules.ts';

type Outcome = Done<EventDetail> | EventRefusal | KeyReused;

/**
 * One price per zone, all of them at once. On sale it counts for everything that is not yet in a
 * checkout.
 */
export async function setPrices(
  engine: Engine,
  caller: Caller,
  eventId: string,
  prices: Prices,
): Promise<Outcome> {
  const { scope } = caller;
  const { organizationId } = scope;
  const event = await eventRow(engine, scope, eventId);
  if (!event) return { kind: 'not_found' };
  if (event.status !== 'draft') {
    const earlier = await replayOf<EventDetail>(engine, caller);
    return earlier ?? setPricesOnSale(engine, caller, event, prices);
  }
  return change(engine, caller, 'event.prices', async (transaction) => {
    const locked = await lockedEvent(transaction, organizationId, eventId);
    if (locked?.status !== 'draft') {
      return { kind: 'wrong_state' as const, status: locked?.status ?? event.status };
    }
    const chosen = await chosenBase(transaction, scope, eventId);
    const zones = chosen?.base.zones ?? [];
    const problems = judgePrices(prices, new Set(zones.map(({ zone_id }) => zone_id)));
    if (problems.length > 0) return { kind: 'invalid' as const, problems };
    const all = [...prices, ...pricedLike(prices, chosen?.overrides.pricing_zones ?? {})];
    await writePrices(transaction, organizationId, eventId, all);
    const entry = {
      action: 'event_prices_set',
      entityType: 'event',
      entityId: eventId,
      changes: { prices },
    } as const;
    return changed(await detailOf(transaction, organizationId, locked), [entry]);
  });
}

function setPricesOnSale(
  engine: Engine,
  caller: Caller,
  event: EventRow,
  prices: Prices,
): Promise<Outcome> {
  const { scope } = caller;
  const { organizationId } = scope;
  const { event_id: eventId } = event;
  return changeConfig(
    engine,
    caller,
    event,
    async (transaction, config) => {
      const { status } = config.event;
      if (!['published', 'live', 'postponed'].includes(status)) {
        return { kind: 'wrong_state' as const, status };
      }
      const chosen = await chosenBase(transaction, scope, eventId);
      const known = new Set(config.zones.map(({ zone_id }) => zone_id));
      const all = [...prices, ...pricedLike(prices, chosen?.overrides.pricing_zones ?? {})];
      const cents = new Map(all.map(({ zone_id, price_cents }) => [zone_id, price_cents]));
      const unpriced = config.zones.filter((zone) => !zone.disabled && !cents.has(zone.zone_id));
      const problems = [...judgePrices(prices, known), ...unpriced.map(noPrice)];
      if (problems.length > 0) return { kind: 'invalid' as const, problems };
      const zones = config.zones.map((zone) => ({
        ...zone,
        price_cents: cents.get(zone.zone_id) ?? null,
      }));
      return {
        kind: 'change' as const,
        changes: { zones },
        entry: { action: 'event_prices_set', changes: { prices } },
        also: [
          dropPrices(organizationId, eventId),
          insertPrices(organizationId, eventId, [...cents.keys()], [...cents.values()]),
        ],
      };
    },
    (transaction) => detailOf(transaction, organizationId, event),
  );
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
