import type pg from 'pg';
import { UnusableServer } from './failures.ts';
import { WORDS } from './states.ts';

type Queries = Pick<pg.ClientBase, 'query'>;

/**
 * What a session needs before its first statement. By a statement, for a pooler refuses or ignores
 * parameters of the start: then nothing would stop a slow statement. It costs one round trip for
 * each connection, not for each use. All connections are to a server that accepts writes: what a
 * standby answers may be old for as long as it likes.
 */
export async function prepareSession(
  client: Queries,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const values = [Object.keys(settings), Object.values(settings)];
  const { rows } = await client.query<{ read_only: boolean }>(PREPARE, values);
  refuseReadOnly(rows[0]?.read_only);
}

/** For connections that keep the settings of the server. */
export async function checkWritable(client: Queries): Promise<void> {
  const { rows } = await client.query<{ read_only: boolean }>(READ_ONLY);
  refuseReadOnly(rows[0]?.read_only);
}

function refuseReadOnly(isReadOnly: boolean | undefined): void {
  if (isReadOnly) throw new UnusableServer('read_only', `the server ${WORDS.read_only}`);
}

const READ_ONLY = `select current_setting('transaction_read_only')::boolean as read_only`;

const PREPARE = `${READ_ONLY},
  (select count(set_config(name, value, false)) from unnest($1::text[], $2::text[]) as
    setting (name, value)) as settings`;
