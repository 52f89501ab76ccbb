import { eventually } from '@voelgoed/testkit/eventually';
import {
  barriersOf,
  DESK,
  openList,
  type Page,
  PHONE,
  seatOf,
  shiftOf,
  tabTo,
  useShop,
  VISIT_MS,
} from '@voelgoed/testkit/visitors';
import { describe, expect, it } from 'vitest';

const shop = useShop();

const cartCount = (page: Page) => page.getByTestId('cart-lines').locator('li').count();
const heldSeats = (page: Page, count: number) =>
  eventually(async () => (await cartCount(page)) === count, { within_ms: 15_000 });
const checkOut = (page: Page) => page.getByRole('button', { name: 'Go to checkout' });

async function pay(page: Page): Promise<void> {
  await checkOut(page).click();
  await page.getByRole('button', { name: /^Pay R/ }).click();
  await page.waitForURL('**/demo/pay/**');
  await page.getByRole('button', { name: /^Pay R/ }).click();
  await page.getByRole('heading', { name: 'You are in!' }).waitFor();
}

/** The engine's first offer for one, shown in the middle of the map, and clicked there. */
async function takeOnMap(page: Page): Promise<void> {
  const map = page.getByTestId('map');
  await map.locator('canvas').first().waitFor();
  await page.getByRole('button', { name: 'Fewer: How many people' }).click();
  await page.getByRole('button', { name: 'Show seats' }).click();
  await page.getByRole('button', { name: 'Show on the map' }).first().click();
  const box = await map.boundingBox();
  if (!box) throw new Error('the map has no size');
  const taken = async () => {
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    return eventually(async () => (await cartCount(page)) === 1, { within_ms: 700 }).catch(
      () => false,
    );
  };
  // The map flies there first.
  await eventually(taken, { within_ms: 20_000 });
}

describe('a buyer', { timeout: VISIT_MS }, () => {
  it.each([
    ['a desk', DESK],
    ['a phone', PHONE],
  ])('goes from the map to a ticket at %s', async (_, options) => {
    const page = await shop.visitEvent('theatre', options);
    await takeOnMap(page);
    await pay(page);
    const ticket = page.getByRole('article');
    await ticket.first().waitFor();
    expect(await ticket.count()).toBe(1);
    await ticket.getByRole('img', { name: /QR code of ticket \w{4}-\w{4}-\w{4}/ }).waitFor();
    await page.getByRole('link', { name: 'My tickets' }).first().click();
    await page.getByRole('article').waitFor();
    await page.close();
  });

  it('buys with the keyboard alone', async () => {
    const page = await shop.visitEvent('theatre');
    await tabTo(page, /Map/);
    await page.keyboard.press('ArrowRight');
    await page.getByRole('grid').waitFor();
    await tabTo(page, /Row A, seat 1,/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await heldSeats(page, 1);
    const spoken = async () => (await page.getByTestId('announcer').textContent()) ?? '';
    const held = /Seat B-1 is held for you for \d+:\d\d/;
    await eventually(async () => held.test(await spoken()));
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await heldSeats(page, 2);
    await tabTo(page, /^Go to checkout/);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Pay R/ }).waitFor();
    await tabTo(page, /^Pay R/);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/demo/pay/**');
    await tabTo(page, /^Pay R/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'You are in!' }).waitFor();
    await page.getByRole('article').nth(1).waitFor();
    expect(await page.getByRole('article').count()).toBe(2);
    await page.close();
  });

  it('is told who was quicker, and has another seat with one click', async () => {
    const [ann, ben] = [await shop.visitEvent('theatre'), await shop.visitEvent('theatre')];
    await Promise.all([openList(ann), openList(ben)]);
    // Neither wish arrives before both were made: else the slower one sees that it is taken.
    const bothMade = Promise.withResolvers<void>();
    let made = 0;
    for (const page of [ann, ben]) {
      await page.route('**/reserve', async (route) => {
        made += 1;
        if (made === 2) bothMade.resolve();
        await bothMade.promise;
        await route.continue();
      });
    }
    await Promise.all([seatOf(ann, 'D-3').click(), seatOf(ben, 'D-3').click()]);
    const both = async () => (await cartCount(ann)) + (await cartCount(ben)) === 1;
    await eventually(both, { within_ms: 15_000 });
    const loser = (await cartCount(ann)) === 1 ? ben : ann;
    await loser.getByText('Seat D-3 is in somebody’s cart.').first().waitFor();
    await loser
      .getByRole('button', { name: /^Take D-/ })
      .first()
      .click();
    await heldSeats(loser, 1);
    expect(await cartCount(ann)).toBe(1);
    expect(await cartCount(ben)).toBe(1);
    await Promise.all([ann.close(), ben.close()]);
  });

  it('leaves no single seat: the checkout offers others, and one click takes them', async () => {
    const page = await shop.visitEvent('theatre');
    await openList(page);
    await seatOf(page, 'F-2').click();
    await heldSeats(page, 1);
    await page
      .getByText(/Seat F-1 would be left alone/)
      .first()
      .waitFor();
    await checkOut(page).click();
    const dialog = page.getByRole('dialog', { name: 'Please leave no single seat' });
    await dialog.waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await dialog
      .getByRole('button', { name: /^Take F-/ })
      .first()
      .click();
    await page.waitForURL('**/checkouts/*');
    const items = page.getByRole('region', { name: 'Your tickets' }).getByRole('listitem');
    await items.first().waitFor();
    expect(await items.count()).toBe(1);
    expect(await items.first().textContent()).not.toContain('seat 2');
    await page.close();
  });

  it('keeps the cart in a second tab and after a reload, and when leaving', async () => {
    const first = await shop.visitEvent('theatre');
    await openList(first);
    await seatOf(first, 'H-1').click();
    await heldSeats(first, 1);
    const opened = first.waitForEvent('popup');
    await first.evaluate(() => void window.open(location.href));
    const second = await opened;
    await heldSeats(second, 1);
    await openList(second);
    await seatOf(second, 'H-2').click();
    await heldSeats(second, 2);
    await heldSeats(first, 2);
    await first.reload();
    await heldSeats(first, 2);
    await second.getByRole('button', { name: /^Give back Row H, seat 2/ }).click();
    await heldSeats(first, 1);
    await first.getByRole('link', { name: 'Voelgoed' }).click();
    await first.getByText('You are holding 1 ticket').waitFor();
    await first.getByRole('link', { name: 'Continue' }).click();
    await heldSeats(first, 1);
    await second.close();
    await first.close();
  });

  it('takes standing places and seats into one cart', async () => {
    const page = await shop.visitEvent('festival');
    const pit = page.getByRole('listitem').filter({ hasText: 'Pit' }).last();
    await pit.getByRole('button', { name: 'More: How many' }).click();
    await pit.getByRole('button', { name: 'Add 2 places' }).click();
    await heldSeats(page, 1);
    await page.getByRole('button', { name: 'Show seats' }).click();
    await page.getByRole('button', { name: 'Take these' }).first().click();
    await heldSeats(page, 3);
    await checkOut(page).click();
    await page.getByRole('button', { name: /^Pay R/ }).waitFor();
    await page.getByRole('button', { name: 'I need more time' }).click();
    await page
      .getByText(/You have until|longest that seats can be held/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Cancel and give the seats back' }).click();
    await page.getByRole('button', { name: 'Yes, give them back' }).click();
    await page.waitForURL('**/events/*');
    await page.getByText('Seats that you take wait here for you.').waitFor();
    await page.close();
  });

  it('is offered the companion’s seat beside a wheelchair space', async () => {
    const page = await shop.visitEvent('theatre');
    await openList(page);
    const space = page.getByRole('gridcell', { name: /space for a wheelchair/ }).first();
    await space.click();
    await heldSeats(page, 1);
    await page.getByText('Coming with somebody?').waitFor();
    await page.getByText(/Nobody else can take it while you hold/).waitFor();
    await page
      .getByRole('button', { name: /^Add seat/ })
      .first()
      .click();
    await heldSeats(page, 2);
    await page.close();
  });

  it('is offered it still when the space is bought, with an empty cart', async () => {
    const page = await shop.visitEvent('theatre');
    await openList(page);
    await page
      .getByRole('gridcell', { name: /, Free, A space for a wheelchair/ })
      .first()
      .click();
    await heldSeats(page, 1);
    await pay(page);
    await page.goto(`${shop.node().address}/events/${shop.eventId('theatre')}`);
    await page.getByText(/beside the wheelchair space that you have bought/).waitFor();
    await page
      .getByRole('button', { name: /^Add seat/ })
      .first()
      .click();
    await heldSeats(page, 1);
    await pay(page);
    await page.close();
  });

  it('may pay again after a decline', async () => {
    const page = await shop.visitEvent('festival');
    await page.getByRole('button', { name: 'Add 1 place' }).first().click();
    await checkOut(page).click();
    await page.getByRole('button', { name: /^Pay R/ }).click();
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.getByText('The payment was declined.').first().waitFor();
    await page.getByRole('button', { name: /^Pay R/ }).click();
    await page.waitForURL('**/demo/pay/**');
    await page.getByRole('button', { name: 'Pay slowly' }).click();
    await page.getByRole('link', { name: 'Back to the shop' }).click();
    await page.getByRole('heading', { name: 'Waiting for the bank' }).waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('heading', { name: 'You are in!' }).waitFor();
    await page.close();
  });

  it('finds the way to the bank when the answer to paying was lost', async () => {
    const page = await shop.visitEvent('festival');
    await page.getByRole('button', { name: 'Add 1 place' }).first().click();
    await checkOut(page).click();
    // It arrives and is done; only nobody hears of it.
    await page.route('**/pay', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: /^Pay R/ }).click();
    await page.getByRole('heading', { name: 'Waiting for the bank' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Open the payment page again' }).click();
    await page.waitForURL('**/demo/pay/**');
    await page.getByRole('button', { name: /^Pay R/ }).click();
    await page.getByRole('heading', { name: 'You are in!' }).waitFor();
    await page.close();
  });
});

describe('every screen', { timeout: VISIT_MS }, () => {
  it('speaks Afrikaans when asked to, and remembers it', async () => {
    const page = await shop.visit('/');
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('radio', { name: 'Afrikaans' }).check();
    await page.getByRole('heading', { name: 'Waarvoor is jy lus?', includeHidden: true }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('af');
    expect(await barriersOf(page)).toEqual([]);
    await page.reload();
    await page.getByRole('heading', { name: 'Waarvoor is jy lus?' }).waitFor();
    await page.close();
    const other = await shop.visit('/', { ...DESK, locale: 'af-ZA' });
    await other.getByRole('heading', { name: 'Waarvoor is jy lus?' }).waitFor();
    await other.close();
  });

  it.each([
    ['light', 'desk', DESK],
    ['dark', 'phone', PHONE],
  ] as const)('has no barrier axe knows of: %s, %s', async (colorScheme, _, size) => {
    const options = { ...size, colorScheme };
    const page = await shop.visit('/', options);
    await page.getByRole('link', { name: /Arena Night/ }).waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('link', { name: /An Evening/ }).click();
    await page.getByTestId('map').locator('canvas').first().waitFor();
    await page.getByRole('button', { name: 'Show seats' }).click();
    await page.getByRole('button', { name: 'Take these' }).nth(1).waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Take these' }).nth(1).click();
    await heldSeats(page, 2);
    await openList(page);
    // The same grid with fewer seats: axe looks at each of them for some milliseconds.
    await page.getByLabel('Area').selectOption({ index: 2 });
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Demo' }).click();
    expect(await barriersOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await checkOut(page).click();
    await page.getByRole('button', { name: /^Pay R/ }).waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('button', { name: /^Pay R/ }).click();
    await page.waitForURL('**/demo/pay/**');
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('button', { name: /^Pay R/ }).click();
    await page.getByRole('article').first().waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.goto(`${new URL(page.url()).origin}/tickets`);
    await page.getByRole('article').first().waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.goto(`${new URL(page.url()).origin}/nowhere`);
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.close();
  });

  it.each([
    ['desk', DESK],
    ['phone', PHONE],
  ] as const)('does not move under the eyes while it loads: %s', async (_, size) => {
    const list = await shop.visit('/', size);
    await list.getByRole('link', { name: /Arena Night/ }).waitFor();
    expect(await shiftOf(list)).toBeLessThan(0.02);
    await list.close();
    const page = await shop.visitEvent('festival', size);
    await page.getByTestId('map').locator('canvas').first().waitFor();
    await page.getByText('Places without numbers').waitFor();
    expect(await shiftOf(page)).toBeLessThan(0.05);
    await page.close();
  });

  it('says so when an event does not exist', async () => {
    const page = await shop.visit('/events/00000000-0000-7000-8000-000000000000');
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
    await page.close();
  });
});
