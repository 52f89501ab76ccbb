import { useSales } from '@voelgoed/testkit/sales';
import { expect, it } from 'vitest';
import { writeFlush } from './flush.sql.ts';

const sales = useSales();

/** How Postgres goes about the write of a flush while its tables are new to it. */
async function planOfWrite(organizationId: string): Promise<string> {
  const { text } = writeFlush();
  const nulls = Array(59).fill('null').join(', ');
  const plain = (sql: string) => ({ name: '', text: sql, values: [], long: false });
  return sales.database.postgres.writers.use(async (connection) => {
    await connection.begin(organizationId);
    await connection.query(plain(`prepare written as ${text}`));
    const rows = await connection.query<Record<string, string>>(
      plain(`explain (costs off) execute written(${nulls})`),
    );
    return rows.flatMap((row) => Object.values(row)).join('\n');
  });
}

it('a flush finds holds by their key alone, however many are alive', async () => {
  const { scope } = await sales.open();
  const plan = await planOfWrite(scope.organizationId);
  const scans = plan.match(/\S+ Scan .*seat_holds.*/g);
  expect(scans?.map((scan) => scan.trim())).toEqual([
    'Index Scan using seat_holds_pkey on seat_holds h',
    'Index Scan using seat_holds_pkey on seat_holds h_1',
  ]);
});
