import pg from 'pg';
import { reasonOf } from '#kit';
import { hostOf, hostUrls } from './addresses.ts';
import { stateOf, UnusableServer } from './failures.ts';
import { checkWritable } from './session.ts';

const CONNECT_MS = 5_000;

/**
 * One connection outside the pools, for work that is not serving: migrations, roles, inspection. It
 * has a listener for errors, without which a lost connection would end the process, and is closed
 * whatever happens. Of several hosts it is the one that accepts writes.
 */
export async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = await connectTo(hostUrls(url));
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** A single host is taken as it is: whoever names one may want to look at a standby. */
async function connectTo(urls: readonly string[]): Promise<pg.Client> {
  const [only = ''] = urls;
  if (urls.length === 1) return connectOnce(only, false);
  const reasons: string[] = [];
  for (const url of urls) {
    try {
      return await connectOnce(url, true);
    } catch (error) {
      // A wrong password or database is wrong on every host, and an answer of its own.
      if (/^(28|3D)/.test(stateOf(error) ?? '')) throw error;
      reasons.push(`${hostOf(url)}: ${reasonOf(error)}`);
    }
  }
  throw new UnusableServer('connection', `no host accepts writes (${reasons.join('; ')})`);
}

async function connectOnce(url: string, mustWrite: boolean): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'voelgoed operations',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    if (mustWrite) await checkWritable(client);
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}
