import { useSales } from '@voelgoed/testkit/sales';
import { expect, it } from 'vitest';
import { readUnderLock, writeFlush } from './flush.sql.ts';

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
