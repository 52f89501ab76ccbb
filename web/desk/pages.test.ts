import { afterAll, beforeAll, expect, it, vi } from 'vitest';

/** Nothing is drawn here: what is kept for drawing is a value like any other. */
beforeAll(() => {
  const keep = <Value>(value: Value) => value;
  vi.stubGlobal('$state', Object.assign(keep, { raw: keep }));
});
afterAll(() => void vi.unstubAllGlobals());

type Query = { word: string; after?: string; limit: number };
type Page = readonly string[] & { next?: { after: string } };

const pageOf = (rows: string[], after?: string): Page =>
  after ? Object.assign(rows, { next: { after } }) : rows;

/** A list whose questions are answered one by one, in any order. */
async function aList() {
  const { Pages } = await import('./pages.svelte.ts');
  const asked: { query: Query; answer(page: Page): void }[] = [];
  const fields = { word: 'a' };
  const list = new Pages<string, Query>(
    (query) => new Promise((resolve) => asked.push({ query, answer: resolve })),
    () => ({ ...fields, limit: 2 }),
  );
  return { asked, fields, list };
}

it('shows the answer to the last question, whichever comes first', async () => {
  const { asked, fields, list } = await aList();
  const first = list.load();
  fields.word = 'b';
  const second = list.load();
  asked[1]?.answer(pageOf(['b1']));
  asked[0]?.answer(pageOf(['a1', 'a2'], 'a2'));
  await Promise.all([first, second]);
  expect([list.value, list.hasMore, list.isLoading]).toEqual([['b1'], false, false]);
});

it('goes on with the question that was answered, whatever the fields say by then', async () => {
  const { asked, fields, list } = await aList();
  const first = list.load();
  asked[0]?.answer(pageOf(['a1', 'a2'], 'a2'));
  await first;
  fields.word = 'b';
  const more = list.more();
  expect(asked[1]?.query).toEqual({ word: 'a', after: 'a2', limit: 2 });
  asked[1]?.answer(pageOf(['a3']));
  await more;
  expect([list.value, list.hasMore]).toEqual([['a1', 'a2', 'a3'], false]);
  await list.more();
  expect(asked).toHaveLength(2);
});

it('adds no more rows to the answer to another question', async () => {
  const { asked, fields, list } = await aList();
  const first = list.load();
  asked[0]?.answer(pageOf(['a1', 'a2'], 'a2'));
  await first;
  const more = list.more();
  fields.word = 'b';
  const other = list.load();
  asked[2]?.answer(pageOf(['b1']));
  asked[1]?.answer(pageOf(['a3']));
  await Promise.all([more, other]);
  expect(list.value).toEqual(['b1']);
});

it('passes over pages without rows, and asks before it looks on for ever', async () => {
  const { Pages } = await import('./pages.svelte.ts');
  const asked: string[] = [];
  let found = 3;
  const list = new Pages<string, Query>(
    ({ after = '' }) => {
      asked.push(after);
      return Promise.resolve(pageOf(asked.length === found ? ['row'] : [], `${asked.length}`));
    },
    () => ({ word: 'a', limit: 2 }),
  );
  await list.load();
  expect([list.value, list.hasMore, asked]).toEqual([['row'], true, ['', '1', '2']]);
  asked.length = 0;
  found = 0;
  await list.load();
  expect([list.value, list.hasMore, asked.length]).toEqual([[], true, 20]);
  await list.more();
  expect(asked.slice(19, 21)).toEqual(['19', '20']);
});
