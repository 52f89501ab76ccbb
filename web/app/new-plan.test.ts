import { openList, useDesk, useShop, VISIT_MS } from '@voelgoed/testkit/visitors';
import { expect, it } from 'vitest';

const shop = useShop();
const desk = useDesk(shop);

it('an open page follows zones that are used without their seats', {
  timeout: VISIT_MS,
}, async () => {
  const eventId = shop.eventId('theatre');
  const { data } = await desk.ask(`GET /api/admin/events/${eventId}`);
  const { layout_id } = data.layout as { layout_id: string };
  const { data: open } = await desk.ask(`GET /api/events/${eventId}`);
  const zones = open.zones as { zone_id: string; name: string }[];
  const stand = (...names: readonly string[]) => {
    const wanted = zones.filter(({ name }) => names.includes(name));
    const zone_overrides = Object.fromEntries(
      wanted.map(({ zone_id, name }) => [
        zone_id,
        { zone_type: 'ga_standing', capacity: 50, name: `${name} floor` },
      ]),
    );
    const body = { layout_id, overrides: { zone_overrides } };
    return desk.ask(`PUT /api/admin/events/${eventId}/layout`, { body });
  };
  const page = await shop.visitEvent('theatre');
  const where = page.getByLabel('Where');
  await where.selectOption({ index: 2 });
  await openList(page);
  await page.getByLabel('Area').selectOption({ index: 1 });
  await stand('Balcony');
  await page.getByText('Balcony floor').first().waitFor();
  await page.getByRole('button', { name: 'Add 1 place' }).waitFor();
  await page.getByRole('grid', { name: 'Seats of Stalls' }).waitFor();
  expect(await where.locator('option').allTextContents()).toHaveLength(3);
  await stand(...zones.map(({ name }) => name));
  await page.getByText('Stalls floor').first().waitFor();
  // There is nothing to list any more, and nothing for the engine to find.
  await page.getByRole('radio', { name: 'List' }).waitFor({ state: 'detached' });
  await page.getByTestId('map').waitFor();
  expect(await page.getByText('Let us find your seats').count()).toBe(0);
  await page.getByRole('button', { name: 'Add 1 place' }).first().click();
  await page.getByTestId('cart-lines').locator('li').waitFor();
  await page.close();
});
