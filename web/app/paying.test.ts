import { eventually } from '@voelgoed/testkit/eventually';
import { openList, seatOf, useShop, VISIT_MS } from '@voelgoed/testkit/visitors';
import { it } from 'vitest';

const shop = useShop();

it('what is being paid for is not given back, and the buyer reads so', {
  timeout: VISIT_MS,
}, async () => {
  const page = await shop.visitEvent('theatre');
  const lines = page.getByTestId('cart-lines').locator('li');
  const heldSeats = (count: number) =>
    eventually(async () => (await lines.count()) === count, { within_ms: 15_000 });
  await openList(page);
  await seatOf(page, 'K-1').click();
  await heldSeats(1);
  await page.getByRole('button', { name: 'Go to checkout' }).click();
  await page.getByRole('button', { name: /^Pay R/ }).click();
  await page.waitForURL('**/demo/pay/**');
  await page.goto(`${shop.node().address}/events/${shop.eventId('theatre')}`);
  await heldSeats(1);
  await openList(page);
  await seatOf(page, 'L-1').click();
  await heldSeats(2);
  await page.getByRole('button', { name: 'Give everything back' }).click();
  await page
    .getByText('Everything was given back but Seat K-1: a payment for it is under way.')
    .first()
    .waitFor();
  await heldSeats(1);
  await page.close();
});
