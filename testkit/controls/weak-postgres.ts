import type { Connection, Postgres, Statement } from '@voelgoed/engine/postgres';
import type { GuardName } from './guards.ts';

type Rewrite = readonly [pattern: RegExp, instead: string];

/** What each guard is in the statements of a flush, and what the statement is without it. */
const REWRITES: Partial<Record<GuardName, readonly Rewrite[]>> = {
  'event lock': [[/ for no key update$/, '']],
  'revision guard': [
    [/case when \(select count\(\*\) from board\) <> 1 then refuse_flush\('revision'\) end,/, ''],
  ],
  // The values are still sent, and have to be of some type.
  'version check': [[/and s\.version = .*\n/, 'and $16::int[] is not null\n']],
  'seat_hold_id check': [
    [/and s\.seat_hold_id is not distinct from\s+\S+\(s\.ordinal, \S+\]/, 'and $17::uuid[] is not null'],
  ],
  'hold status check': [
    [/and \(h\.status = 'active'\) is true/, ''],
    [/case when \(select count\(\*\) from ended\)[^,]*\n[^,]*refuse_flush\('ended holds'\) end,/, ''],
  ],
  'log keys': [
    [/(insert into seat_changes[\s\S]*?\$59, \$8\))/, '$1 on conflict do nothing'],
    [/(hash, place\))(\s+returning 1)/, '$1 on conflict do nothing$2'],
    [/case when \(select count\(\*\) from trail\)[^,]*\n[^,]*refuse_flush\('audit rows'\) end,/, ''],
  ],
};

/** Which statement of a flush a guard is in. */
const STATEMENT: Partial<Record<GuardName, string>> = { 'event lock': 'flush.lock' };
const WRITE = 'flush.write';

export type WeakWays = Readonly<{
  off?: ReadonlySet<GuardName>;
  /** Is asked before a flush is opened: these statements go out, with the guards off or not. */
  isWeak?: () => boolean;
  /** Before the write and COMMIT go out, while the lock is held. */
  beforeWrite?: () => Promise<void>;
  /** Instead of waiting for the write and COMMIT. */
  finish?: (finishing: ReturnType<Connection['finish']>) => ReturnType<Connection['finish']>;
}>;

/** The same database, whose flushes go without some of their guards, or are held up. */
export function weakPostgres(postgres: Postgres, ways: WeakWays): Postgres {
  const { isWeak = () => true, beforeWrite = async () => {}, finish = (one) => one } = ways;
  const weaken = <Row>(one: Statement<Row>) => (isWeak() ? without(one, ways.off) : one);
  const weak = (connection: Connection) =>
    ({
      begin: (organizationId: string | null, statements: readonly Statement<unknown>[]) =>
        connection.begin(organizationId, statements.map(weaken)),
      rollback: () => connection.rollback(),
      finish: (write: Statement<object>, before: readonly Statement<unknown>[]) =>
        finish(beforeWrite().then(() => connection.finish(weaken(write), before))),
    }) as unknown as Connection;
  const writers = {
    use: <Result>(work: (connection: Connection) => Promise<Result>) =>
      postgres.writers.use((connection) => work(weak(connection))),
  };
  const transaction: Postgres['transaction'] = (...given) => postgres.transaction(...given);
  return { writers, transaction } as unknown as Postgres;
}

/** Another text needs another name: Postgres keeps what was prepared under the old one. */
function without<Row>(
  statement: Statement<Row>,
  off: ReadonlySet<GuardName> = new Set(),
): Statement<Row> {
  const guards = [...off].filter((one) => {
    return REWRITES[one] && (STATEMENT[one] ?? WRITE) === statement.name;
  });
  if (guards.length === 0) return statement;
  const text = guards
    .flatMap((guard) => REWRITES[guard] ?? [])
    .reduce((before, [pattern, instead]) => {
      const after = before.replace(pattern, instead);
      if (after === before) throw new Error(`${statement.name} has no ${pattern}`);
      return after;
    }, statement.text);
  const known = Object.keys(REWRITES);
  const name = `weak.${guards.map((guard) => known.indexOf(guard)).join('.')}`;
  return { ...statement, name, text };
}
