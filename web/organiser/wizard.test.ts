import { call } from '@voelgoed/testkit/servers';
import {
  barriersOf,
  DESK,
  enterAs,
  giveReason,
  openList,
  type Page,
  PHONE,
  seatOf,
  useShop,
  VISIT_MS,
} from '@voelgoed/testkit/visitors';
import { describe, expect, it } from 'vitest';

const shop = useShop();
const goOn = (page: Page) => page.getByRole('button', { name: 'Save and go on' }).click();

/** From nothing to a draft that has a name and times. */
async function aDraft(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Save and go on' }).waitFor();
  await goOn(page);
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Begins', { exact: true }).fill('2027-05-01T19:30');
  await page.getByLabel('Ends', { exact: true }).fill('2027-05-01T22:00');
  expect(await barriersOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Make the draft' }).click();
  await page.waitForURL('**/plan');
}

/** Thousands are written with spaces that do not break. */
const plain = (text: string) => text.replace(/[^\S\n]/g, ' ');

async function buyOne(page: Page, label: string): Promise<void> {
  await openList(page);
  await seatOf(page, label).click();
  await page.getByRole('button', { name: 'Go to checkout' }).click();
  await page.getByRole('button', { name: /^Pay R/ }).click();
  await page.waitForURL('**/demo/pay/**');
  await page.getByRole('button', { name: /^Pay R/ }).click();
  await page.getByRole('heading', { name: 'You are in!' }).waitFor();
}

describe('an event', { timeout: 2 * VISIT_MS }, () => {
  it('is planned, left and gone on with, published, and a buyer buys a seat of it', async () => {
    const page = await shop.visit('/staff', DESK);
    await enterAs(page, 'owner', '/staff/events/new');
    await page.getByLabel('Venue').selectOption({ label: 'Voelgoed Theatre' });
    expect(await barriersOf(page)).toEqual([]);
    await aDraft(page, 'Blou Maan');
    const id = /events\/([\w-]+)\/plan/.exec(page.url())?.[1] ?? '';
    // Left here, and gone on with from the list.
    await page.goto(`${shop.node().address}/staff/events/${id}/setup`);
    await page.getByText('Draft', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Go on with the draft' }).click();
    await page.getByRole('heading', { name: 'Prices' }).waitFor();
    await page.getByRole('button', { name: 'Review and publish' }).click();
    await page.getByText('Stalls needs a price.').waitFor();
    expect(await page.getByRole('button', { name: 'Publish…' }).count()).toBe(0);
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Do it now' }).first().click();
    await page.getByLabel('Price (ZAR): Stalls').fill('350');
    await page.getByLabel('Price (ZAR): Balcony').fill('219,50');
    await page.getByLabel('Price (ZAR): Box').fill('0');
    expect(await barriersOf(page)).toEqual([]);
    await goOn(page);
    await page.getByText(/R\s?219[.,]50/).waitFor();
    // Times were those of the venue.
    await page
      .getByText(/Sat, 01 May(?: 2027)?, 19:30/)
      .first()
      .waitFor();
    // Publishing concerns everybody: it says what it means, and asks.
    await page.getByRole('button', { name: 'Publish…' }).click();
    const said = page.getByRole('dialog').locator('[data-summary="publish"]');
    await said.getByText('It can be bought: at once.').waitFor();
    expect(plain(await said.innerText())).toMatch(/1 218 places are on offer[\s\S]*R 0 – R 350/);
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('It is published.').waitFor();
    expect(await barriersOf(page)).toEqual([]);

    const buyer = await shop.visit('/', PHONE);
    await buyer.getByText('Blou Maan').waitFor();
    await buyer.goto(`${shop.node().address}/events/${id}`);
    await buyOne(buyer, 'A-1');
    await buyer.close();

    await page.getByRole('link', { name: 'Set-up' }).first().click();
    await page.getByRole('button', { name: 'Postpone' }).click();
    expect(await barriersOf(page)).toEqual([]);
    await giveReason(page, 'The singer has a cold', 'Postpone');
    await page.getByText('Postponed: The singer has a cold').waitFor();
    await page.getByRole('button', { name: 'Publish again' }).click();
    await giveReason(page, 'Too early', 'Publish again');
    await page.getByText('This was not accepted:').waitFor();
    await page.getByText('A postponed event needs a new date').waitFor();
    expect(await page.getByText('trying again repeats nothing').count()).toBe(0);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('Begins', { exact: true }).fill('2027-06-01T19:30');
    await page.getByLabel('Ends', { exact: true }).fill('2027-06-03T22:00');
    // The days follow the times, and one of them can be taken out.
    await page.getByRole('checkbox', { name: '03 Jun 2027' }).waitFor();
    await page.getByRole('checkbox', { name: '02 Jun 2027' }).uncheck();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/Tue, 01 Jun(?: 2027)?, 19:30/).waitFor();
    const moved = await call(shop.node().address, `GET /api/events/${id}`);
    expect(moved.data.days).toEqual(['2027-06-01', '2027-06-03']);
    await page.getByRole('button', { name: 'Publish again' }).click();
    await giveReason(page, 'She is well again', 'Publish again');
    await page.getByText('On sale', { exact: true }).first().waitFor();
    await page.evaluate('scrollTo(0, 0)');
    expect(await barriersOf(page)).toEqual([]);
    await page.close();
  });

  it('of general admission has zones of its own, on a phone', async () => {
    const page = await shop.visit('/staff', PHONE);
    await enterAs(page, 'admin', '/staff/events/new');
    await page.getByLabel('Zones without a layout, for general admission').check();
    await page.getByLabel('Name of the zone').fill('Field');
    await page.getByLabel('Places').fill('400');
    expect(await barriersOf(page)).toEqual([]);
    await aDraft(page, 'Under the stars');
    await page.getByLabel('Price (ZAR): Field').fill('120');
    await goOn(page);
    await page.getByText('400 places').waitFor();
    await page.getByRole('button', { name: 'Publish…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('It is published.').waitFor();
    await page.getByRole('link', { name: 'See it in the shop' }).click();
    await page.getByRole('heading', { name: 'Under the stars' }).waitFor();
    await page.close();
  });

  it('moves to a layout of another venue, and shows its days', async () => {
    const page = await shop.visit('/staff', DESK);
    await enterAs(page, 'owner', '/staff/events/new');
    const venue = page.getByLabel('Venue');
    await venue.selectOption({ label: 'Voelgoed Theatre' });
    await aDraft(page, 'Somewhere else');
    await page.getByRole('button', { name: 'Name and times' }).click();
    await page.getByLabel('Ends', { exact: true }).fill('2027-05-03T22:00');
    await page.getByRole('checkbox', { name: '02 May 2027' }).uncheck();
    await goOn(page);
    await page.getByRole('heading', { name: 'Prices' }).waitFor();
    await page.getByRole('button', { name: 'Venue and plan' }).click();
    await venue.selectOption({ label: 'Voelgoed Fields' });
    await goOn(page);
    await page.getByRole('heading', { name: 'Name and times' }).waitFor();
    await page.getByRole('button', { name: 'Review and publish' }).click();
    await page.getByText('Voelgoed Fields', { exact: true }).waitFor();
    await page.getByText('01 May 2027, 03 May 2027').waitFor();
    await page.close();
  });

  it('shows what it would mean to move to another layout, and does it', async () => {
    const page = await shop.visit('/staff', DESK);
    const id = shop.eventId('festival');
    await enterAs(page, 'owner', '/staff/venues');
    await page.getByRole('link', { name: 'Voelgoed Fields', exact: true }).click();
    await page.getByRole('link', { name: 'New version' }).click();
    await page.getByLabel('What to draw').selectOption('festival');
    await page.getByLabel('With a VIP zone').check();
    await page.getByText(/^Good: 350 seats/).waitFor();
    await page.getByRole('button', { name: 'Save as draft' }).click();
    await page.getByRole('button', { name: /Version 2/ }).click();
    await page.getByRole('button', { name: 'Make active' }).click();
    await giveReason(page, 'For next year', 'Make active');
    await page.getByText('Version 2 is active.').first().waitFor();
    await page.goto(`${shop.node().address}/staff/events/${id}/setup`);
    await page.getByLabel('To which version').selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByText('Nobody loses a place.').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Do it' }).click();
    await page.getByText('The event has its new layout.').first().waitFor();
    await page.getByText('This venue has no other active layout.').waitFor();
    await page.close();
  });

  it('keeps prices that were typed when they cannot be saved', async () => {
    const page = await shop.visit('/staff', DESK);
    await enterAs(page, 'owner', `/staff/events/${shop.eventId('festival')}/setup`);
    const pit = page.getByLabel(/^Price.*: Pit$/);
    await pit.fill('777');
    await page.getByLabel('Name', { exact: true }).fill('Three Days of Music');
    await page.route('**/prices', (route) => route.abort());
    const save = page.getByRole('button', { name: 'Save the prices' });
    await save.click();
    const sure = page.getByRole('dialog').getByRole('button', { name: 'Save the prices' });
    await sure.click();
    await page.getByText('trying again repeats nothing', { exact: false }).waitFor();
    expect(await pit.inputValue()).toBe('777');
    await page.unroute('**/prices');
    await sure.click();
    await page.getByText('Saved.').first().waitFor();
    // Neither is what was typed elsewhere lost when the event is read again.
    const name = await page.getByLabel('Name', { exact: true }).inputValue();
    expect(name).toBe('Three Days of Music');
    await page.reload();
    await pit.waitFor();
    expect(await pit.inputValue()).toBe('777');
    await page.close();
  });
});
