import type { Postgres } from '@voelgoed/engine/postgres';

/** How Postgres goes about a statement, of whatever values, while its tables are new to it. */
export async function planOf(
  postgres: Postgres,
  organizationId: string,
  made: unknown,
  /** Whose role has the rights to it; without sequential scans, as writers go about everything. */
  pool: 'writers' | 'reads' | 'jobs' = 'writers',
): Promise<string> {
  const { text } = (made as () => { text: string })();
  const parameters = Math.max(...[...text.matchAll(/\$(\d+)/g)].map(([, one]) => Number(one)));
  const nulls = Array(parameters).fill('null').join(', ');
  const plain = (sql: string) => ({ name: '', text: sql, values: [], long: false });
  return postgres[pool].use(async (connection) => {
    await connection.begin(organizationId);
    await connection.query(plain('set local plan_cache_mode = force_generic_plan'));
    await connection.query(plain('set local enable_seqscan = off'));
    await connection.query(plain(`prepare planned as ${text}`));
    const rows = await connection.query<Record<string, string>>(
      plain(`explain (costs off) execute planned(${nulls})`),
    );
    await connection.query(plain('deallocate planned'));
    return rows.flatMap((row) => Object.values(row)).join('\n');
  });
}
