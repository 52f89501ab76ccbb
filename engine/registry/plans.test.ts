import { planOf } from '@voelgoed/testkit/database';
import { useSales } from '@voelgoed/testkit/sales';
import { expect, it } from 'vitest';
import { findCheckout } from '#checkouts';
import { listEventZones } from '#events';
import { listOwned } from '#tickets';
import { readMoreUnderLock } from './flush.sql.ts';
import { FLUSH_PARTS } from './flush-write.sql.ts';
import { readSales, writeSales } from './sales.sql.ts';
import { writeFlush } from './write-flush.ts';

const sales = useSales();

it('a flush finds holds by their key alone, however many are alive', async () => {
  const { scope } = await sales.open();
  const whole = () => writeFlush(FLUSH_PARTS, {});
  const plan = await planOf(sales.database.postgres, scope.organizationId, whole);
  const scans = plan.match(/\S+ Scan .*seat_holds.*/g);
  expect(scans?.map((scan) => scan.trim())).toEqual([
    'Index Scan using seat_holds_pkey on seat_holds h',
    'Index Scan using seat_holds_pkey on seat_holds h_1',
  ]);
});

it('a flush looks idempotency keys up one by one, however many the event has', async () => {
  const { scope } = await sales.open();
  const plan = await planOf(sales.database.postgres, scope.organizationId, readMoreUnderLock);
  const keys = plan.slice(plan.indexOf('idempotency_keys'));
  expect(keys).toMatch(/Index Cond: .*event_id = .*user_id = .*route = .*key = /);
});

it('a flush finds what a buyer owns by the buyer, however many tickets there are', async () => {
  const { scope } = await sales.open();
  const plan = await planOf(sales.database.postgres, scope.organizationId, readMoreUnderLock);
  expect(plan).toMatch(/tickets_owned on tickets t\n\s+Index Cond: .*user_id = ANY/);
});

it('a list of events counts kept companion seats once, each found by its key', async () => {
  const { scope } = await sales.open();
  const plan = await planOf(sales.database.postgres, scope.organizationId, listEventZones, 'reads');
  expect(plan).toMatch(/CTE kept/);
  expect(plan).toMatch(
    /event_seats_pkey on event_seats e\n\s+Index Cond: .*event_id = .*ordinal = /,
  );
});

/** Conditions of indexes that name the organization and nothing else: a walk over all it has. */
const walks = (plan: string) =>
  plan.match(/Index Cond: \(organization_id = [^()]*\)$/gm)?.map((one) => one.trim()) ?? [];

it.each<[string, unknown]>([
  ['reading sales under the lock', readSales],
  ['reading what buyers own', listOwned],
  ['writing sales under the lock', writeSales],
  ['a buyer who looks at a checkout', findCheckout],
])('%s finds every row by its key, while Postgres knows nothing of the tables', async (...one) => {
  const [, made] = one;
  const { scope } = await sales.open();
  const plan = await planOf(sales.database.postgres, scope.organizationId, made);
  expect(plan).toContain('Index Cond');
  expect(walks(plan), plan).toEqual([]);
});
