import { eventually } from '@voelgoed/testkit/eventually';
import { call } from '@voelgoed/testkit/servers';
import { openList, seatOf, useDesk, useShop, VISIT_MS } from '@voelgoed/testkit/visitors';
import { beforeAll, expect, it } from 'vitest';

const shop = useShop();
const desk = useDesk(shop);

beforeAll(async () => {
  const body = { prefer_clustering_over_selection: true };
  expect((await desk.ask('PUT /api/admin/policy', { body })).status).toBe(200);
  const isKnown = async () => {
    const { data } = await call(shop.node().address, `GET /api/events/${shop.eventId('theatre')}`);
    return (data.booking as { engine_chooses: boolean }).engine_chooses;
  };
  await eventually(isKnown, { within_ms: 15_000 });
});

it('seats are not for pressing where the engine chooses, and the shop says so', {
  timeout: VISIT_MS,
}, async () => {
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

it('a member who lets it find two seats is asked for whom the other one is', {
  timeout: VISIT_MS,
}, async () => {
  const memberOf = async (subject: string) => {
    const body = { subject, role: 'customer', tier: 'voelgoed_vriendinne' };
    return String((await desk.ask('POST /api/admin/members', { body })).data.user_id);
  };
  const [friend] = [await memberOf('friend'), await memberOf('member')];
  const page = await shop.visitEvent('theatre');
  await page.evaluate(() => void localStorage.setItem('voelgoed.demo-user', '"member"'));
  await page.reload();
  const area = page.getByRole('combobox', { name: 'Where' });
  const box = area.locator('option', { hasText: /^\s*Box/ });
  await area.selectOption(String(await box.getAttribute('value')));
  const show = page.getByRole('button', { name: 'Show seats' });
  await show.click();
  const dialog = page.getByRole('dialog', { name: 'Who is it for?' });
  await dialog.getByRole('button', { name: 'Not now' }).click();
  await dialog.waitFor({ state: 'detached' });
  await show.click();
  await dialog.getByLabel('Member number of person 1').fill(friend);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Take these' }).click();
  const lines = page.getByTestId('cart-lines').locator('li');
  await eventually(async () => (await lines.count()) === 2, { within_ms: 15_000 });
  const people = 'select user_id::text as friend from hold_people';
  expect(await shop.database.asSuperuser(people)).toEqual([{ friend }]);
  await page.close();
});
