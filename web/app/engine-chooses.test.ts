import { eventually } from '@voelgoed/testkit/eventually';
import { call } from '@voelgoed/testkit/servers';
import { openList, seatOf, useShop, VISIT_MS } from '@voelgoed/testkit/visitors';
import { expect, it } from 'vitest';

const shop = useShop();

it('seats are not for pressing where the engine chooses, and the shop says so', {
  timeout: VISIT_MS,
}, async () => {
  const { address } = shop.node();
  const owner = await call(address, 'POST /api/demo/sessions', { body: { role: 'owner' } });
  const policy = { prefer_clustering_over_selection: true };
  const token = String(owner.data.token);
  expect((await call(address, 'PUT /api/admin/policy', { token, body: policy })).status).toBe(200);
  const told = async () => {
    const { data } = await call(address, `GET /api/events/${shop.eventId('theatre')}`);
    return (data.booking as { engine_chooses: boolean }).engine_chooses;
  };
  await eventually(told, { within_ms: 15_000 });
  const page = await shop.visitEvent('theatre');
  const sentence = 'In this event we choose the seats. Please let us find yours.';
  await page.getByText(sentence).first().waitFor();
  await page
    .getByLabel('Seat map. Arrow keys move it, plus and minus zoom.', { exact: true })
    .waitFor();
  await openList(page);
  await page.getByText('Enter or the space bar gives one of yours back.').waitFor();
  const seat = seatOf(page, 'B-4');
  await seat.click();
  const said = page.getByTestId('announcer').filter({ hasText: sentence });
  await said.waitFor({ state: 'attached' });
  expect(await seat.getAttribute('aria-label')).toContain(sentence);
  const lines = page.getByTestId('cart-lines').locator('li');
  expect(await lines.count()).toBe(0);
  await page.getByRole('button', { name: 'Show seats' }).click();
  const take = page.getByRole('button', { name: 'Take these' });
  await take.first().waitFor();
  expect(await take.count()).toBe(1);
  await take.click();
  await eventually(async () => (await lines.count()) === 2, { within_ms: 15_000 });
  await page.close();
});
