import { withClient } from './client.ts';

/**
 * The addresses of nodes of 0.1.0: only they write as voelgoed_app. Their connections for writing
 * are closed after a minute in which nothing was written, so a node that is idle is not seen. Asked
 * as voelgoed_app, because addresses are shown to the same role.
 */
export async function oldWriters(appUrl: string): Promise<string[]> {
  const { rows } = await withClient(appUrl, (client) =>
    client.query<{ address: string }>(OLD_WRITERS),
  );
  return rows.map(({ address }) => address);
}

const OLD_WRITERS = `
select distinct coalesce(host(client_addr), 'the machine of Postgres') as address
from pg_stat_activity
where datname = current_database() and usename = 'voelgoed_app'
  and application_name = 'voelgoed writers'
order by 1`;
