import type { Page } from '#shapes';

/** Lists were plain arrays before they had a `next`, and still look so wherever they are shown. */
export function asPage(data: unknown, next: unknown): unknown {
  if (!Array.isArray(data) || next === undefined) return data;
  return Object.defineProperty(data, 'next', { value: next });
}

/** All rows of a list, page by page: `wholeList((next) => client.venues.list({ ...next }))`. */
export async function wholeList<Row, Next>(
  ask: (next: Next | undefined) => Promise<Page<Row, Next>>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let next: Next | undefined; ; ) {
    const page = await ask(next);
    for (const row of page) rows.push(row);
    next = page.next;
    if (next === undefined) return rows;
  }
}
