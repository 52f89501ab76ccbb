import { openList, seatOf, useDesk, useShop, VISIT_MS } from '@voelgoed/testkit/visitors';
import { expect, it } from 'vitest';

const shop = useShop();
const desk = useDesk(shop);

it('what is being paid for is not released, and the clerk reads so', {
  timeout: VISIT_MS,
}, async () => {
  const eventId = shop.eventId('theatre');
  const map = await desk.ask(`GET /api/events/${eventId}/seatmap`);
  const seats = map.data.seats as { label: string; seat_id: string }[];
  const idOf = (label: string) => seats.find((seat) => seat.label === label)?.seat_id;
  const ann = desk.buyer('ann');
  const items = ['K-1', 'K-2'].map((label) => ({ seat_id: idOf(label) }));
  await ann(`POST /api/events/${eventId}/holds`, { body: { items } });
  const started = await ann('POST /api/checkouts', { body: { event_id: eventId } });
  const begun = await ann(`POST /api/checkouts/${started.data.checkout_id}/pay`);
  expect(begun.status).toBe(200);
  const page = await desk.sit(`/staff/events/${eventId}/office`);
  await page.getByText('Live', { exact: true }).waitFor();
  await openList(page);
  for (const label of ['K-1', 'K-2']) await seatOf(page, label).click();
  await page.getByRole('button', { name: 'Release 2 seats' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('rang and cancelled');
  const confirm = dialog.getByRole('button', { name: 'Release 2 seats' });
  await confirm.click();
  await dialog.getByText('2 holds were not released, because a payment is under way.').waitFor();
  expect(await page.getByText('Done:').count()).toBe(0);
  expect(await seatOf(page, 'K-1').getAttribute('aria-label')).toContain('held');
  await dialog.getByLabel('Also while a payment is under way').check();
  await confirm.click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('2 seats were released.').first().waitFor();
  await page.close();
});
