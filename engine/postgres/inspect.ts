import { reasonOf } from '#kit';
import { withClient } from './client.ts';
import {
  CLOCK,
  DRIFT,
  INDEXES,
  LOOSE_POLICIES,
  MAY_MAKE_TABLES,
  NOT_BACKED_UP,
  OLDEST_SNAPSHOT,
  OPEN_FUNCTIONS,
  RIGHTS_TO_CHANGE_HISTORY,
  ROOM,
  SETTINGS,
  UNPROTECTED,
  UNSIGNED,
  VERSION,
} from './inspections.ts';
import { pendingMigrations } from './migrations.ts';
import { oldWriters } from './old-nodes.ts';
import { type Pooling, poolingOf } from './pooling.ts';
import { servingProblems } from './roles.ts';
import type { Statement } from './statement.ts';

type Setting = Readonly<{ name: string; value: string }>;

export type DatabaseReport = Readonly<{
  version: string;
  encoding: string;
  pending: readonly string[];
  roleProblems: readonly string[];
  /** Tenant tables that the database does not separate by itself. */
  unprotected: readonly string[];
  /** Policies that let a serving role see more than one organization. */
  loosePolicies: readonly string[];
  /** Tables whose rows a dump by the role for backups would not have. */
  notBackedUp: readonly string[];
  /** Serving roles that are believed any organization. */
  unsigned: readonly string[];
  /** Addresses of nodes of 0.1.0 that have written within the last minute. */
  oldWriters: readonly string[];
  /** Functions that run as another role and whose search path a caller can choose. */
  openFunctions: readonly string[];
  /** Serving roles that may make temporary tables. */
  tableMakers: readonly string[];
  /** What a serving role could do to history. */
  historyRights: readonly string[];
  indexes: readonly Readonly<{ name: string; valid: boolean }>[];
  /** As a serving role gets them: a database or a role may have its own. */
  settings: readonly Setting[];
  /** The database's time when our own was this. */
  clock: Readonly<{ database_ms: number; before_ms: number; after_ms: number }>;
  /** How far the database's clock is ahead of event time. */
  drift_ms: number;
  connections: Readonly<{ most: number; used: number }>;
  oldestSnapshot_s: number;
  /** What is between us and the server. */
  pooling: Pooling;
}>;

/** Looks at a database from outside, as its owner: for the doctor. Changes nothing. */
export function inspectDatabase(
  ownerUrl: string,
  servingUrls: readonly string[],
  now: () => number,
): Promise<DatabaseReport> {
  return withClient(ownerUrl, async (client) => {
    const rows = async <Row extends object>(text: string) => (await client.query<Row>(text)).rows;
    const names = async (text: string) =>
      (await rows<{ name: string }>(text)).map((row) => row.name);
    const query = <Row>(one: Statement<Row>) => rows<Row & object>(one.text);
    const [server] = await rows<{ version: string; encoding: string }>(VERSION);
    const [room] = await rows<{ most: number; used: number }>(ROOM);
    const [oldest] = await rows<{ seconds: number }>(OLDEST_SNAPSHOT);
    const before_ms = now();
    const [clock] = await rows<{ ms: number }>(CLOCK);
    const after_ms = now();
    return {
      version: server?.version ?? 'unknown',
      encoding: server?.encoding ?? 'unknown',
      pending: await pendingMigrations({ query }).catch((error) => [reasonOf(error)]),
      roleProblems: await roleProblems(servingUrls),
      unprotected: await names(UNPROTECTED),
      loosePolicies: await names(LOOSE_POLICIES),
      notBackedUp: await names(NOT_BACKED_UP),
      unsigned: await names(UNSIGNED).catch(() => []),
      // The first address is that of requests: it may see where its own role is connected from.
      oldWriters: await oldWriters(servingUrls[0] ?? ownerUrl).catch(() => []),
      openFunctions: await names(OPEN_FUNCTIONS),
      tableMakers: await names(MAY_MAKE_TABLES),
      historyRights: await names(RIGHTS_TO_CHANGE_HISTORY),
      indexes: await rows<{ name: string; valid: boolean }>(INDEXES),
      settings: await servingSettings(servingUrls),
      clock: { database_ms: Number(clock?.ms ?? Number.NaN), before_ms, after_ms },
      drift_ms: (await rows<{ ms: number }>(DRIFT).catch(() => []))[0]?.ms ?? 0,
      connections: { most: room?.most ?? 0, used: room?.used ?? 0 },
      oldestSnapshot_s: oldest?.seconds ?? 0,
      pooling: await poolingOf(ownerUrl),
    };
  });
}

async function roleProblems(urls: readonly string[]): Promise<string[]> {
  const problems = urls.map((url) => servingProblems(url).catch((error) => [reasonOf(error)]));
  return (await Promise.all(problems)).flat();
}

/** Of the first role that can log in: none, if none can, which is told elsewhere. */
async function servingSettings(urls: readonly string[]): Promise<readonly Setting[]> {
  for (const url of urls) {
    const rows = await withClient(url, (client) => client.query<Setting>(SETTINGS)).catch(
      () => null,
    );
    if (rows) return rows.rows;
  }
  return [];
}
