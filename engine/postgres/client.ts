import pg from 'pg';

const CONNECT_MS = 5_000;

/**
 * One connection outside the pools, for work that is not serving: migrations, roles, inspection. It
 * has a listener for errors, without which a lost connection would end the process, and is closed
 * whatever happens.
 */
export async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'voelgoed operations',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
