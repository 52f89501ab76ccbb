import { startProxy } from '@voelgoed/faults/proxy';
import { eventually } from '@voelgoed/testkit/eventually';
import {
  barriersOf,
  openList,
  type Page,
  seatOf,
  useShop,
  VISIT_MS,
} from '@voelgoed/testkit/visitors';
import { describe, expect, it } from 'vitest';

/** Short enough to wait for, long enough to check out. */
const HOLD_SECONDS = 8;
const shop = useShop({ DEMO_HOLD_TTL_SECONDS: String(HOLD_SECONDS) });

const lines = (page: Page) => page.getByTestId('cart-lines').locator('li');
const heldSeats = (page: Page, count: number) =>
  eventually(async () => (await lines(page).count()) === count, { within_ms: 15_000 });

describe('time', { timeout: VISIT_MS }, () => {
  it('runs out, is explained, and the seats can be had again', async () => {
    const page = await shop.visitEvent('theatre');
    await openList(page);
    await seatOf(page, 'C-1').click();
    await heldSeats(page, 1);
    await page
      .getByText(/^Only 0:0\d left\./)
      .first()
      .waitFor();
    await page.getByTestId('expired').waitFor();
    await page
      .getByText(/Seat C-1 went back on sale/)
      .first()
      .waitFor();
    expect(await lines(page).count()).toBe(0);
    await page.getByText('Map', { exact: true }).click();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Try to get them back' }).click();
    await heldSeats(page, 1);
    await page.close();
  });

  it('is longer at the checkout, and a checkout that was left says so', async () => {
    const page = await shop.visitEvent('theatre');
    await openList(page);
    await seatOf(page, 'E-1').click();
    await heldSeats(page, 1);
    await page.getByRole('button', { name: 'Go to checkout' }).click();
    // More than a hold ever has: the cart's own clock cannot pass for it.
    const left = page.getByRole('timer');
    await eventually(async () => {
      const text = await left.first().textContent();
      return Number(text?.match(/0:(\d\d)/)?.[1]) > HOLD_SECONDS;
    });
    await page.getByTestId('over').waitFor({ timeout: 40_000 });
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'Choose again' }).click();
    await page.waitForURL('**/events/*');
    await page.close();
  });
});

describe('a connection', { timeout: VISIT_MS }, () => {
  it('that is cut is said to be, and everything is right again afterwards', async () => {
    const { hostname, port } = new URL(shop.node().address);
    const proxy = await startProxy({ upstream: { host: hostname, port: Number(port) } });
    try {
      const page = await shop.visitEvent('theatre', undefined, `http://${proxy.address}`);
      await openList(page);
      await eventually(async () =>
        (await seatOf(page, 'G-1').getAttribute('class'))?.includes('free'),
      );
      proxy.refuse();
      proxy.cutAll();
      const other = await shop.visitEvent('theatre');
      await openList(other);
      await seatOf(other, 'G-1').click();
      await heldSeats(other, 1);
      await page.getByTestId('stale').waitFor({ timeout: 40_000 });
      await page.getByText('Map', { exact: true }).click();
      expect(await barriersOf(page)).toEqual([]);
      await proxy.accept();
      await other.close();
      await page.getByRole('button', { name: 'Try now' }).click();
      await page.getByTestId('stale').waitFor({ state: 'detached' });
      await page.getByText('Connected again.').first().waitFor();
      await page.close();
    } finally {
      await proxy.close();
    }
  });
});
