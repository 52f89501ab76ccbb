import { barriersOf, DESK, type Page, PHONE, useShop, VISIT_MS } from '@voelgoed/testkit/visitors';
import { describe, expect, it } from 'vitest';

const shop = useShop();
const dialogOf = (page: Page) => page.getByRole('dialog');

describe('every screen of the box office', { timeout: VISIT_MS }, () => {
  it.each([
    ['light', 'desk', DESK],
    ['dark', 'phone', PHONE],
  ] as const)('has no barrier axe knows of: %s, %s', async (colorScheme, _, size) => {
    const path = `/staff/events/${shop.eventId('festival')}/office`;
    const page = await shop.visit(path, { ...size, colorScheme });
    await page.getByRole('button', { name: 'As owner', exact: true }).click();
    await page.getByTestId('hall-map').locator('canvas').first().waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('spinbutton', { name: /Pit/ }).fill('2');
    await page.getByRole('button', { name: 'Sell: Pit' }).click();
    expect(await dialogOf(page).getByTestId('sale-total').textContent()).toMatch(/160/);
    await dialogOf(page).getByTestId('sale-time').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await dialogOf(page).getByRole('radio', { name: 'Complimentary' }).check();
    await dialogOf(page).getByRole('button', { name: 'Sell', exact: true }).click();
    await dialogOf(page).getByRole('button', { name: 'Print' }).waitFor();
    expect(
      await dialogOf(page)
        .getByRole('img', { name: /QR code/ })
        .count(),
    ).toBe(2);
    expect(await barriersOf(page)).toEqual([]);
    await dialogOf(page).getByRole('button', { name: 'Done' }).click();
    await page.getByRole('radio', { name: 'List' }).check();
    await page.getByRole('gridcell').first().click();
    await page.getByRole('button', { name: /^Hold 1 seat/ }).click();
    expect(await barriersOf(page)).toEqual([]);
    await dialogOf(page).getByLabel('Name of the caller').fill('Thandi Nkosi');
    await dialogOf(page).getByRole('button', { name: 'Hold', exact: true }).click();
    await page.getByRole('rowheader', { name: 'Thandi Nkosi' }).waitFor();
    await page.getByRole('button', { name: 'Release all' }).click();
    await dialogOf(page).getByLabel('Reason').fill('never mind');
    await dialogOf(page)
      .getByRole('button', { name: /^Release/ })
      .click();
    await dialogOf(page).waitFor({ state: 'detached' });
    // A notice lies over the page until it is closed or goes by itself.
    const notice = page.getByRole('button', { name: 'Close' });
    while ((await notice.count()) > 0) await notice.first().click();
    await page.getByRole('gridcell').first().click();
    // Nothing under the bar that stays at the top.
    await page.evaluate(() => scrollTo(0, 0));
    expect(await barriersOf(page)).toEqual([]);
    await page.close();
  });
});
