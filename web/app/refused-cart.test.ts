import { eventually } from '@voelgoed/testkit/eventually';
import { openList, seatOf, useDesk, useShop, VISIT_MS } from '@voelgoed/testkit/visitors';
import { it } from 'vitest';

const shop = useShop();
const desk = useDesk(shop);

it('what the checkout said of a cart goes when the cart is another one', {
  timeout: VISIT_MS,
}, async () => {
  await desk.ask('PUT /api/admin/policy', { body: { group_adjacency_strict: true } });
  const ann = desk.buyer('ann');
  const { data } = await desk.ask(`GET /api/events/${shop.eventId('theatre')}/seatmap`);
  const seats = data.seats as { label: string; seat_id: string }[];
  const apart = seats.filter(({ label }) => ['A-1', 'A-9'].includes(label));
  const items = apart.map(({ seat_id }) => ({ seat_id }));
  // The policy comes to the event a moment after it was saved.
  const isStrict = async () => {
    const route = `POST /api/events/${shop.eventId('theatre')}/holds`;
    const held = await ann(route, { body: { items, allow_orphan: true } });
    if (held.status < 300) await ann(`DELETE /api/events/${shop.eventId('theatre')}/holds`);
    return held.body.error === 'no_adjacent_seats';
  };
  await eventually(isStrict, { within_ms: 15_000 });
  const page = await shop.visitEvent('theatre');
  const lines = page.getByTestId('cart-lines').locator('li');
  const heldSeats = (count: number) =>
    eventually(async () => (await lines.count()) === count, { within_ms: 15_000 });
  await openList(page);
  for (const label of ['K-1', 'K-2', 'K-9']) await seatOf(page, label).click();
  await heldSeats(3);
  const refusal = page.getByLabel('Notices').getByText('the seats of one booking are side by side');
  await page.getByRole('button', { name: 'Go to checkout' }).click();
  await refusal.waitFor();
  await seatOf(page, 'K-9').click();
  await heldSeats(2);
  await refusal.waitFor({ state: 'detached' });
  await page.close();
});
