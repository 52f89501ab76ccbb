import { useSales } from '@voelgoed/testkit/sales';
import { expect, it } from 'vitest';
import { findCheckout } from '#checkouts';
import { readUnderLock, writeFlush } from './flush.sql.ts';
import { readSales, writeSales } from './sales.sql.ts';

const sales = useSales();

/** How Postgres goes about a statement with so many parameters while its tables are new to it. */
async function planOf(organizationId: string, text: string, parameters: number): Promise<string> {
  const nulls = Array(parameters).fill('null').join(', ');
  const plain = (sql: string) => ({ name: '', text: sql, values: [], long: false });
  return sales.database.postgres.writers.use(async (connection) => {
    await connection.begin(organizationId);
    await connection.query(plain('set local plan_cache_mode = force_generic_plan'));
    await connection.query(plain(`prepare planned as ${text}`));
    const rows = await connection.query<Record<string, string>>(
      plain(`explain (costs off) execute planned(${nulls})`),
    );
    await connection.query(plain('deallocate planned'));
    return rows.flatMap((row) => Object.values(row)).join('\n');
  });
}

it('a flush finds holds by their key alone, however many are alive', async () => {
  const { scope } = await sales.open();
  const plan = await planOf(
    scope.organizationId,
    (writeFlush as () => { text: string })().text,
    63,
  );
  const scans = plan.match(/\S+ Scan .*seat_holds.*/g);
  expect(scans?.map((scan) => scan.trim())).toEqual([
    'Index Scan using seat_holds_pkey on seat_holds h',
    'Index Scan using seat_holds_pkey on seat_holds h_1',
  ]);
});

it('a flush looks idempotency keys up one by one, however many the event has', async () => {
  const { scope } = await sales.open();
  const text = (readUnderLock as unknown as () => { text: string })().text;
  const plan = await planOf(scope.organizationId, text, 9);
  const keys = plan.slice(plan.indexOf('idempotency_keys'));
  expect(keys).toMatch(/Index Cond: .*event_id = .*user_id = .*route = .*key = /);
});

/** Conditions of indexes that name the organization and nothing else: a walk over all it has. */
const walks = (plan: string) =>
  plan.match(/Index Cond: \(organization_id = [^()]*\)$/gm)?.map((one) => one.trim()) ?? [];

it.each<[string, unknown, number]>([
  ['reading sales under the lock', readSales, 6],
  ['writing sales under the lock', writeSales, 11],
  ['a buyer who looks at a checkout', findCheckout, 2],
])('%s finds every row by its key, while Postgres knows nothing of the tables', async (...one) => {
  const [, made, parameters] = one;
  const { scope } = await sales.open();
  const { text } = (made as () => { text: string })();
  const plan = await planOf(scope.organizationId, text, parameters);
  expect(plan).toContain('Index Cond');
  expect(walks(plan), plan).toEqual([]);
});
