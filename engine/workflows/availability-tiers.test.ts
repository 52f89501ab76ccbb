import { anEngine } from '@voelgoed/testkit/builders';
import { eventually } from '@voelgoed/testkit/eventually';
import { useRedis } from '@voelgoed/testkit/redises';
import { aWish, holdOf, useSales, useWarmNodes } from '@voelgoed/testkit/sales';
import { expect, it } from 'vitest';
import { recordingTelemetry } from '#telemetry';
import { eventAvailability } from './workflows.ts';

const LOOKUP = 'cache.lookup';
const redis = useRedis();
const sales = useSales();
const node = useWarmNodes(sales, () => redis().url);

it('what Redis answers is a miss of memory, so that each tier has a hit rate', async () => {
  const sale = await sales.open();
  const writer = await node();
  const [buyer = ''] = sale.buyers;
  let taken = 0;
  const [memory, tier] = await eventually(async () => {
    const telemetry = recordingTelemetry();
    // Each time a node without the board: what is in Redis is good for a second.
    const { registry, tier: warm, inTier } = await node();
    const engine = { ...anEngine(sales.database.postgres, telemetry), registry, warm };
    await writer.registry.submit(sale, aWish(holdOf(buyer, [sale.seats[taken++] ?? ''])));
    await eventAvailability(engine, sale.scope, sale.eventId);
    const isHere = registry.loadedBoard(sale) !== null;
    return isHere ? null : [telemetry.happenings, inTier.filter(({ kind }) => kind === LOOKUP)];
  });
  expect(memory).toMatchObject([{ kind: LOOKUP, what: 'board', source: 'memory', hit: false }]);
  expect(tier).toMatchObject([{ what: 'availability', source: 'redis', hit: true }]);
});
