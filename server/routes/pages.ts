/** What a list is asked for when so many rows are shown: one more says whether it goes on. */
export function oneMore(limit: number): number {
  return limit + 1;
}

/** The rows that are shown, and under `next` how to ask for those that are not. */
export function pageOf<Row, Next>(
  rows: readonly Row[],
  limit: number,
  nextOf: (last: Row) => Next,
): { data: Row[]; next?: Next } {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  if (last === undefined || rows.length <= limit) return { data };
  return { data, next: nextOf(last) };
}
