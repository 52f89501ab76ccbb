import { newId } from '@voelgoed/testkit/builders';
import { eventually } from '@voelgoed/testkit/eventually';
import { call } from '@voelgoed/testkit/servers';
import {
  barriersOf,
  DESK,
  openList,
  type Page,
  PHONE,
  seatOf,
  tabTo,
  useDesk,
  useShop,
  VISIT_MS,
} from '@voelgoed/testkit/visitors';
import { describe, expect, it } from 'vitest';

const shop = useShop();
const desk = useDesk(shop);

const lines = (page: Page) => page.getByTestId('cart-lines').locator('li');
const held = (page: Page, count: number) =>
  eventually(async () => (await lines(page).count()) === count, { within_ms: 15_000 });
const spoken = (page: Page, words: RegExp) =>
  eventually(async () => words.test((await page.getByTestId('announcer').textContent()) ?? ''));

/** What the server says that the page's visitor holds in an event. */
async function quantities(page: Page, slug: string): Promise<number[]> {
  const text = `JSON.parse(localStorage['voelgoed.session.demo']).token`;
  const token = await page.evaluate<string>(text);
  const route = `GET /api/events/${shop.eventId(slug)}/holds`;
  const { data } = await call(shop.node().address, route, { token });
  return (data.holds as { quantity: number }[]).map(({ quantity }) => quantity);
}

/** A phone's cart is a sheet. */
async function openCart(page: Page, device: object): Promise<void> {
  if (device === PHONE) await page.getByRole('button', { name: /Show the cart/ }).click();
}

describe('places in a standing zone', { timeout: VISIT_MS }, () => {
  it.each([
    ['a desk', DESK],
    ['a phone', PHONE],
  ])('become more and fewer in the cart at %s', async (_, device) => {
    const page = await shop.visitEvent('festival', device);
    const pit = page.getByRole('listitem').filter({ hasText: 'Pit' }).last();
    await pit.getByRole('button', { name: 'Add 1 place' }).click();
    await held(page, 1);
    await openCart(page, device);
    const [line, fewer, more] = [
      lines(page).first(),
      page.getByRole('button', { name: 'Fewer: Pit' }),
      page.getByRole('button', { name: 'More: Pit' }),
    ];
    const says = (words: RegExp) => line.filter({ hasText: words }).waitFor();
    expect(await fewer.isDisabled()).toBe(true);
    await more.click();
    await says(/2 places.*R\s160/);
    await more.click();
    await says(/3 places.*R\s240/);
    expect(await lines(page).count()).toBe(1);
    expect((await quantities(page, 'festival')).toSorted()).toEqual([1, 1, 1]);
    expect(await barriersOf(page)).toEqual([]);
    await fewer.click();
    await says(/2 places.*R\s160/);
    await spoken(page, /^Pit: 2 places held for you\./);
    await page.getByRole('button', { name: 'Go to checkout' }).click();
    await page.getByRole('button', { name: /^Pay R\s160/ }).waitFor();
    await page.close();
  });

  it('of one hold become fewer by the keyboard, and an open checkout follows', async () => {
    const page = await shop.visitEvent('festival');
    const pit = page.getByRole('listitem').filter({ hasText: 'Pit' }).last();
    for (let more = 0; more < 3; more++) {
      await pit.getByRole('button', { name: 'More: How many' }).click();
    }
    await pit.getByRole('button', { name: 'Add 4 places' }).click();
    await held(page, 1);
    await page.getByRole('button', { name: 'Go to checkout' }).click();
    await page.getByRole('button', { name: /^Pay R\s320/ }).waitFor();
    await page.getByRole('link', { name: 'Back to the seats' }).click();
    await held(page, 1);
    await tabTo(page, /^Fewer: Pit/);
    await page.keyboard.press('Enter');
    await spoken(page, /^Pit: 3 places held for you\./);
    await page.keyboard.press('Space');
    await spoken(page, /^Pit: 2 places held for you\./);
    expect(await quantities(page, 'festival')).toEqual([2]);
    await page.getByRole('button', { name: 'Go to checkout' }).click();
    await page.getByRole('button', { name: /^Pay R\s160/ }).waitFor();
    await page.close();
  });
});

const TIER = 'voelgoed_vriendinne';
const memberOf = async (subject: string): Promise<string> => {
  const body = { subject, role: 'customer', tier: TIER };
  return String((await desk.ask('POST /api/admin/members', { body })).data.user_id);
};
/** Somebody of the demo who knows what the shop would call them. */
async function visitAs(subject: string, device: object): Promise<Page> {
  const page = await shop.visitEvent('theatre', device);
  await page.evaluate((name) => {
    localStorage.setItem('voelgoed.demo-user', JSON.stringify(name));
  }, subject);
  await page.reload();
  await openList(page);
  const area = page.getByRole('combobox', { name: 'Area' }).first();
  const box = area.locator('option', { hasText: /^Box/ });
  await area.selectOption(String(await box.getAttribute('value')));
  return page;
}

describe('a member of a zone for members', { timeout: VISIT_MS }, () => {
  it.each([
    ['a desk', DESK],
    ['a phone', PHONE],
  ])('names friends, each of whom may enter, at %s', async (at, device) => {
    const [friend] = [await memberOf(`friend at ${at}`), await memberOf(`member at ${at}`)];
    const page = await visitAs(`member at ${at}`, device);
    const free = page.getByRole('gridcell', { name: /, Free/ });
    await free.first().click();
    await held(page, 1);
    await free.first().click();
    const dialog = page.getByRole('dialog', { name: 'Who is it for?' });
    const number = dialog.getByLabel('Member number of person 1');
    await number.waitFor();
    await dialog.getByText('Your own number, for friends who buy for you:').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    const wrong = async (text: string, words: string) => {
      await number.fill(text);
      await page.keyboard.press('Enter');
      await dialog.getByRole('alert').filter({ hasText: words }).waitFor();
      await eventually(() => number.evaluate((input) => input === document.activeElement));
      expect(await number.getAttribute('aria-invalid')).toBe('true');
    };
    await wrong('4711', 'Please enter the whole number, with its dashes.');
    await wrong(newId(), 'This person may not enter this area.');
    expect(await barriersOf(page)).toEqual([]);
    await number.fill(` ${friend.toUpperCase()} `);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await held(page, 2);
    await page.getByRole('button', { name: 'Go to checkout' }).click();
    await page.getByRole('button', { name: /^Pay R/ }).waitFor();
    const people = 'select user_id::text as friend from hold_people';
    const named = (await shop.database.asSuperuser(people)).map((row) => row.friend);
    expect(named).toContain(friend);
    await page.close();
  });

  it('may leave it, and takes nothing then', async () => {
    await memberOf('alone');
    const page = await visitAs('alone', DESK);
    const free = page.getByRole('gridcell', { name: /, Free/ });
    await free.first().click();
    await held(page, 1);
    await free.first().click();
    const dialog = page.getByRole('dialog', { name: 'Who is it for?' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await quantities(page, 'theatre')).toEqual([1]);
    await free.first().click();
    await dialog.getByRole('button', { name: 'Not now' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.close();
  });
});

it('what is left of a checkout is judged when it is paid for, and there is a way on', {
  timeout: VISIT_MS,
}, async () => {
  const page = await shop.visitEvent('theatre', PHONE);
  await openList(page);
  await seatOf(page, 'F-1').click();
  await held(page, 1);
  await seatOf(page, 'F-2').click();
  await held(page, 2);
  const opened = page.waitForEvent('popup');
  await page.evaluate(() => void window.open(location.href));
  const other = await opened;
  await held(other, 2);
  await page.getByRole('button', { name: 'Go to checkout' }).click();
  const pay = page.getByRole('button', { name: /^Pay R/ });
  await pay.waitFor();
  await openCart(other, PHONE);
  await other.getByRole('button', { name: /^Give back Row F, seat 1/ }).click();
  await held(other, 1);
  await pay.click();
  const refused = page.getByTestId('refused');
  await refused.getByText(/would leave seat F-1 alone/).waitFor();
  expect(await refused.getAttribute('role')).toBe('alert');
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(await barriersOf(page)).toEqual([]);
  await refused.getByRole('link', { name: 'Back to the seats' }).click();
  await held(page, 1);
  await page.getByRole('button', { name: 'Go to checkout' }).click();
  const dialog = page.getByRole('dialog', { name: 'Please leave no single seat' });
  await dialog
    .getByRole('button', { name: /^Take F-/ })
    .first()
    .click();
  await page.waitForURL('**/checkouts/*');
  await page.getByRole('button', { name: /^Pay R/ }).click();
  await page.waitForURL('**/demo/pay/**');
});
