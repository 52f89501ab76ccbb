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
  'version check': [[/and s\.version = \((\S+)\)\[.*\n/, 'and $1 is not null\n']],
  'seat_hold_id check': [
    [/and s\.seat_hold_id is not distinct from\s+\((\S+)\)\[.*\n/, 'and $1 is not null\n'],
  ],
  'hold status check': [
    [/(ended as \([\s\S]*?)and \(h\.status = 'active'\) is true/, '$1'],
    [
      /case when \(select count\(\*\) from ended\)[^,]*\n[^,]*refuse_flush\('ended holds'\) end,/,
      '',
    ],
  ],
  'key row': [
    [/case when \(select count\(\*\) from keys\)[^,]*\n[^,]*refuse_flush\('[a-z ]*'\) end,/, ''],
  ],
  'log keys': [
    [
      /(insert into seat_changes[^)]*\)\s+values[\s\S]*?\$\d+\))(?=\s+returning)/,
      '$1 on conflict do nothing',
    ],
    [/(hash, place\))(\s+returning 1)/, '$1 on conflict do nothing$2'],
    [
      /case when \(select count\(\*\) from trail\)[^,]*\n[^,]*refuse_flush\('audit rows'\) end,/,
      '',
    ],
  ],
};

/** Which statement of a flush a guard is in. */
const STATEMENT: Partial<Record<GuardName, string>> = { 'event lock': 'flush.lock' };
const WRITE = 'flush.write';

type Finish = ReturnType<Connection['finish']>;

export type WeakWays = Readonly<{
  off?: ReadonlySet<GuardName>;
  /** Is asked for every statement whether the guards are off for it. */
  isWeak?: () => boolean;
  /** Before the write and COMMIT go out, while the lock is held. */
  beforeWrite?: () => Promise<void>;
  /** What the node hears instead; the write goes on with its connection until it has ended. */
  hears?: (finishing: Finish) => Finish;
}>;

/** The same database, whose flushes go without some of their guards, or are held up. */
export function weakPostgres(postgres: Postgres, ways: WeakWays): Postgres {
  const use = <Result>(work: (connection: Connection) => Promise<Result>) =>
    new Promise<Result>((resolve, reject) => {
      postgres.writers
        .use(async (connection) => {
          const weak = new WeakConnection(connection, ways);
          await work(weak as unknown as Connection).then(resolve, reject);
          await weak.finishing.catch(() => {});
        })
        .catch(reject);
    });
  const transaction: Postgres['transaction'] = (...given) => postgres.transaction(...given);
  return { writers: { use }, transaction } as unknown as Postgres;
}

class WeakConnection {
  readonly #connection: Connection;
  readonly #ways: WeakWays;
  finishing: Promise<unknown> = Promise.resolve();

  constructor(connection: Connection, ways: WeakWays) {
    this.#connection = connection;
    this.#ways = ways;
  }

  begin(organizationId: string | null, statements: readonly Statement<unknown>[]) {
    const weak = statements.map((one) => this.#weaken(one));
    return this.#connection.begin(organizationId, weak);
  }

  rollback() {
    return this.#connection.rollback();
  }

  commit() {
    return this.#connection.commit();
  }

  finish(write: Statement<object>, before: readonly Statement<unknown>[]): Finish {
    const { beforeWrite = async () => {}, hears = (one: Finish) => one } = this.#ways;
    const finishing = beforeWrite().then(() => {
      return this.#connection.finish(this.#weaken(write), before);
    });
    this.finishing = finishing;
    return hears(finishing);
  }

  #weaken<Row>(one: Statement<Row>): Statement<Row> {
    const { off, isWeak = () => true } = this.#ways;
    return isWeak() ? without(one, off) : one;
  }
}

const names = new Map<string, string>();

function nameOf(text: string): string {
  const name = names.get(text) ?? `weak.${names.size}`;
  names.set(text, name);
  return name;
}

/** The statements of a flush with all its parts, to see that every guard is found in them. */
export function guardsNotFound(lock: string, write: string): string[] {
  return Object.entries(REWRITES).flatMap(([guard, rewrites]) => {
    const text = guard === 'event lock' ? lock : write;
    return rewrites.every(([pattern]) => pattern.test(text)) ? [] : [guard];
  });
}

/** Another text needs another name: Postgres keeps what was prepared under the old one. */
function without<Row>(
  statement: Statement<Row>,
  off: ReadonlySet<GuardName> = new Set(),
): Statement<Row> {
  const guards = [...off].filter((one) => {
    return REWRITES[one] && (STATEMENT[one] ?? WRITE) === (statement.label ?? statement.name);
  });
  if (guards.length === 0) return statement;
  const rewrites = guards.flatMap((guard) => REWRITES[guard] ?? []);
  const text = rewrites.reduce((before, [pattern, instead]) => {
    return before.replace(pattern, instead);
  }, statement.text);
  return { ...statement, name: nameOf(text), text };
}
