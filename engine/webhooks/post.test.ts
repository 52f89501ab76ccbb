import { expect, it } from 'vitest';
import { systemClock } from '#kit';
import { postOnce } from './post.ts';

it('what went wrong is written down without what Postgres has no place for', async () => {
  const wish = { url: 'https://shop.example/', headers: {}, body: '{}', signal: null };
  const failed = await postOnce(
    () => Promise.reject(new Error(`is not cert's CN: shop\u0000.example${'x'.repeat(300)}\ud800`)),
    systemClock,
    wish,
  );
  expect(failed.error).toMatch(/^is not cert's CN: shop\.examplex+$/);
  expect(failed.error).toHaveLength(200);
  const said = await postOnce(
    async () => ({ status: 500, body: `${'y'.repeat(499)}\u{1f3ad}` }),
    systemClock,
    wish,
  );
  expect(said.response_body).toBe(`${'y'.repeat(499)}\ufffd`);
});
