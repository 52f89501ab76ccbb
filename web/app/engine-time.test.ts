import { eventually } from '@voelgoed/testkit/eventually';
import { useDesk, useShop, VISIT_MS } from '@voelgoed/testkit/visitors';
import { expect, it } from 'vitest';

const shop = useShop({ DEMO_HOLD_TTL_SECONDS: '6' });
const desk = useDesk(shop);

it('where the engine chooses, members look for seats too, and nothing is asked back by name', {
  timeout: VISIT_MS,
}, async () => {
  const eventId = shop.eventId('theatre');
  const { data } = await desk.ask(`GET /api/admin/events/${eventId}`);
  const { layout_id } = data.layout as { layout_id: string };
  const { data: open } = await desk.ask(`GET /api/events/${eventId}`);
  const zones = open.zones as { zone_id: string; name: string }[];
  const balcony = zones.find(({ name }) => name === 'Balcony')?.zone_id ?? '';
  const overrides = {
    zone_overrides: { [balcony]: { access_mode: 'membership_tier', membership_tier: 'friends' } },
    seating_overrides: { prefer_clustering_over_selection: true },
  };
  await desk.ask(`PUT /api/admin/events/${eventId}/layout`, { body: { layout_id, overrides } });
  const page = await shop.visitEvent('theatre');
  const where = page.getByLabel('Where').locator('option');
  await where.filter({ hasText: 'For members' }).waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Show seats' }).click();
  await page.getByRole('button', { name: 'Take these' }).click();
  const lines = page.getByTestId('cart-lines').locator('li');
  await eventually(async () => (await lines.count()) === 2, { within_ms: 15_000 });
  const over = page.getByTestId('expired');
  const sentence = 'Please let us find you seats again.';
  await over.getByText(sentence).waitFor();
  const spoken = page.getByTestId('announcer').filter({ hasText: sentence });
  await spoken.waitFor({ state: 'attached' });
  expect(await over.getByRole('button', { name: 'Try to get them back' }).count()).toBe(0);
  await page.close();
});
