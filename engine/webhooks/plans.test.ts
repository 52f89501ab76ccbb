import { planOf } from '@voelgoed/testkit/database';
import { useSales } from '@voelgoed/testkit/sales';
import { expect, it } from 'vitest';
import { withClient } from '#postgres';
import { eventsBehind, readPending, recordAttempt } from './courier.sql.ts';
import { findDelivery, replayDelivery, skipDelivery } from './deliveries.sql.ts';
import { holdFacts, ticketFacts } from './facts.sql.ts';

const sales = useSales();

/** A big plan that has just been made. */
async function manySeats(): Promise<void> {
  await withClient(sales.database.superuserUrl, async (client) => {
    await client.query('set session_replication_role = replica');
    await client.query(
      `insert into seats (organization_id, layout_id, version, ordinal, seat_id, label, zone_id,
         row_name, number, physical_order, run, category, x, y)
       select organization_id, layout_id, 1000, i, gen_random_uuid(), 'B-' || i, zone_id, 'B', i,
         i, 0, category, 0, 0
       from (select * from seats limit 1) one, generate_series(1, 20000) i
       on conflict do nothing`,
    );
  });
}

const DELIVERY = /_deliveries_pkey .*\n.*Cond: .*delivery_id = /;
const SEAT = /seat_id_key on seats .*\n.*Cond: .*version, seat_id\) >= /;

it.each<[string, unknown, RegExp]>([
  ['recording a try', recordAttempt, DELIVERY],
  ['showing a delivery', findDelivery, DELIVERY],
  ['replaying a delivery', replayDelivery, DELIVERY],
  ['skipping a delivery', skipDelivery, DELIVERY],
  ['what is to be sent', readPending, /_deliveries_pending .*\n.*Cond: \(webhook_id = /],
  ['where holds are', holdFacts, SEAT],
  ['where tickets are', ticketFacts, SEAT],
  ['cursors behind', eventsBehind, /cursors_pkey .*\n.*Cond: .*webhook_id = .*event_id = /],
])('%s: every row is found by its key, while Postgres knows nothing of them', async (...one) => {
  const [, made, expected] = one;
  const { scope } = await sales.open();
  if (expected === SEAT) await manySeats();
  const { postgres } = sales.database;
  expect(await planOf(postgres, scope.organizationId, made, 'jobs')).toMatch(expected);
});
