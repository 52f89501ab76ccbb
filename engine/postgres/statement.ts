/**
 * A statement is data: its name is the prepared statement's name, the log label, the metric label
 * and the benchmark key at once.
 */
export type Statement<Row> = Readonly<{
  name: string;
  /** What it is counted and told as, where one statement has several texts. */
  label?: string;
  text: string;
  values: readonly unknown[];
  /**
   * Declared long: 30 s instead of 2 s. For publishing, exports and the like, never for a hot
   * path.
   */
  long: boolean;
  /** Doing it twice is doing it once: reading is, and writing where that is declared. */
  repeatable?: boolean;
  /** Only for the type checker: which rows come back. */
  row?: Row;
}>;

const WRITES = /\b(?:insert into|update|delete from)\b/i;

/** The limit of Postgres for names; a longer one would be cut and could collide. */
export const NAME_LIMIT = 63;

/**
 * Declares a statement once, next to its row type; calling the result binds the values.
 * `const find = statement<{ name: string }, [id: string]>('venues.find', 'select … where id = $1')`
 */
export function statement<Row, Values extends readonly unknown[] = []>(
  name: string,
  text: string,
  options: { long?: boolean; repeatable?: boolean } = {},
): (...values: Values) => Statement<Row> {
  if (name.length > NAME_LIMIT) throw new Error(`statement name is too long: ${name}`);
  const long = options.long ?? false;
  const repeatable = options.repeatable ?? !WRITES.test(text);
  return (...values) => ({ name, text, values, long, repeatable });
}
