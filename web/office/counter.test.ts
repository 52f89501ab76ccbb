import { newId } from '@voelgoed/testkit/builders';
import { eventually } from '@voelgoed/testkit/eventually';
import {
  barriersOf,
  openList,
  type Page,
  seatOf,
  useDesk,
  useShop,
  VISIT_MS,
} from '@voelgoed/testkit/visitors';
import { beforeAll, describe, expect, it } from 'vitest';

const shop = useShop();
const desk = useDesk(shop);
let seats: { label: string; seat_id: string }[] = [];
let eventId = '';

beforeAll(async () => {
  eventId = shop.eventId('theatre');
  const { data } = await desk.ask(`GET /api/events/${eventId}/seatmap`);
  seats = data.seats as typeof seats;
}, VISIT_MS);

const idOf = (label: string) => seats.find((seat) => seat.label === label)?.seat_id ?? '';
const itemsOf = (labels: readonly string[]) => labels.map((label) => ({ seat_id: idOf(label) }));
const holdAs = (name: string, ...labels: string[]) =>
  desk.buyer(name)(`POST /api/events/${eventId}/holds`, {
    body: { items: itemsOf(labels), allow_orphan: true },
  });
const forCaller = (name: string, labels: readonly string[], more: object = {}) =>
  desk.ask(`POST /api/admin/events/${eventId}/holds`, {
    body: { items: itemsOf(labels), for: name, hold_minutes: 5, ...more },
  });
const heldSeats = async () => {
  const { list } = await desk.ask(`GET /api/admin/events/${eventId}/holds`);
  return list as { label: string; holder: string | null; user_id: string; notes: string | null }[];
};
const isHeld = async (label: string) => (await heldSeats()).some((one) => one.label === label);
const dialogOf = (page: Page) => page.getByRole('dialog');

async function openOffice(): Promise<Page> {
  const page = await desk.sit(`/staff/events/${eventId}/office`);
  await page.getByText('Live', { exact: true }).waitFor();
  await openList(page);
  return page;
}

async function choose(page: Page, ...labels: string[]): Promise<void> {
  for (const label of labels) await seatOf(page, label).click();
}

async function openSale(page: Page, ...labels: string[]): Promise<void> {
  await choose(page, ...labels);
  await page.getByRole('button', { name: /^Sell \d+ seat/ }).click();
  await dialogOf(page).waitFor();
}

/** As the browser says it to a page; then whether its requests to release outlive it. */
async function leavePage(page: Page): Promise<() => Promise<boolean[]>> {
  await page.evaluate(`globalThis.sent = [];
    const send = globalThis.fetch;
    globalThis.fetch = (url, request) => {
      if (String(url).endsWith('/seats/release')) sent.push(request.keepalive === true);
      return send(url, request);
    };
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));`);
  return () => page.evaluate<boolean[]>('[...new Set(sent)]');
}

const soon = (now: string) => new Date(Date.parse(now) + 2_500).toISOString();

const pressSell = (page: Page) =>
  dialogOf(page).getByRole('button', { name: 'Sell', exact: true }).click();

describe('the cart of a buyer', { timeout: VISIT_MS }, () => {
  it('is not sold by the button that sells, and its own button says whose it is', async () => {
    const page = await openOffice();
    await holdAs('ann', 'B-1', 'B-2');
    await eventually(async () =>
      /held/.test((await seatOf(page, 'B-1').getAttribute('aria-label')) ?? ''),
    );
    await choose(page, 'B-1', 'B-2');
    const pay = page.getByRole('button', { name: /^Take payment for the cart of customer \w{6}/ });
    await pay.waitFor();
    expect(await page.getByRole('button', { name: /^Sell \d+ seat/ }).count()).toBe(0);
    await pay.click();
    const dialog = dialogOf(page);
    await dialog
      .getByText(/Held by customer \w{6} in the shop. The tickets go to customer \w{6}\./)
      .waitFor();
    await dialog.getByText('To sell to another person, release it first.').waitFor();
    expect(await dialog.getByTestId('sale-seats').textContent()).toBe('B-1, B-2');
    expect(await dialog.getByTestId('sale-time').textContent()).toMatch(/\d+:\d\d/);
    expect(await barriersOf(page)).toEqual([]);
    // Giving up takes nothing from the buyer.
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await isHeld('B-1')).toBe(true);
    await pay.click();
    await dialog.getByRole('button', { name: 'Take payment', exact: true }).click();
    await dialog.getByText('2 tickets sold').waitFor();
    const own = await desk.buyer('ann')('GET /api/tickets');
    expect(own.list).toHaveLength(2);
    await page.close();
  });

  it('is not paid for at the counter while its buyer pays in the shop', async () => {
    const page = await openOffice();
    await holdAs('paul', 'B-6');
    await eventually(async () =>
      /held/.test((await seatOf(page, 'B-6').getAttribute('aria-label')) ?? ''),
    );
    await choose(page, 'B-6');
    await page.getByRole('button', { name: /^Take payment for the cart/ }).click();
    const dialog = dialogOf(page);
    const button = dialog.getByRole('button', { name: 'Take payment', exact: true });
    await dialog.getByTestId('sale-time').waitFor();
    expect(await button.isEnabled()).toBe(true);
    const paul = desk.buyer('paul');
    const body = { event_id: shop.eventId('theatre') };
    const { data } = await paul('POST /api/checkouts', { body });
    await paul(`POST /api/checkouts/${data.checkout_id}/pay`);
    await dialog.getByText(/is paying for this in the shop at this moment/).waitFor();
    expect(await button.isEnabled()).toBe(false);
    await page.close();
  });

  it('says when it is over', async () => {
    const page = await openOffice();
    await holdAs('bob', 'B-4');
    await eventually(async () =>
      /held/.test((await seatOf(page, 'B-4').getAttribute('aria-label')) ?? ''),
    );
    await choose(page, 'B-4');
    await page.getByRole('button', { name: /^Take payment for the cart/ }).click();
    await dialogOf(page).getByTestId('sale-time').waitFor();
    await desk.buyer('bob')(`DELETE /api/events/${eventId}/holds`);
    await dialogOf(page).getByText('This is not in the cart any more', { exact: false }).waitFor();
    const pay = dialogOf(page).getByRole('button', { name: 'Take payment', exact: true });
    expect(await pay.isDisabled()).toBe(true);
    await page.close();
  });
});

describe('the seats of a sale', { timeout: VISIT_MS }, () => {
  it('are held when the dialog opens, and free again when it is given up', async () => {
    const page = await openOffice();
    await openSale(page, 'C-1', 'C-2');
    await dialogOf(page).getByTestId('sale-time').waitFor();
    expect(await dialogOf(page).getByTestId('sale-time').textContent()).toMatch(/(?:10:00|9:\d\d)/);
    const taken = await holdAs('ben', 'C-1');
    expect([taken.status, taken.body.error]).toEqual([409, 'seat_held_by_another_user']);
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    await eventually(async () => !(await isHeld('C-1')));
    // And by the button, and by leaving the page.
    await page.getByRole('button', { name: /^Sell 2 seats/ }).click();
    await dialogOf(page).getByTestId('sale-time').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Cancel' }).click();
    await eventually(async () => !(await isHeld('C-1')));
    await page.getByRole('button', { name: /^Sell 2 seats/ }).click();
    await dialogOf(page).getByTestId('sale-time').waitFor();
    expect(await isHeld('C-1')).toBe(true);
    const sent = await leavePage(page);
    await eventually(async () => !(await isHeld('C-1')));
    expect(await sent()).toEqual([true]);
    // A page that is shown again, as it was, does not pretend to have them.
    await dialogOf(page).getByRole('button', { name: 'Hold them again' }).waitFor();
    await page.close();
  });

  it('that a buyer got meanwhile are named before money is taken', async () => {
    const page = await openOffice();
    let letGo: () => void = () => undefined;
    const waits = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route(/\/holds$/, async (route) => {
      await waits;
      return route.continue();
    });
    await openSale(page, 'C-4', 'C-5');
    await holdAs('ben', 'C-4');
    letGo();
    await dialogOf(page).getByText('In the way: C-4.').waitFor();
    const sell = dialogOf(page).getByRole('button', { name: 'Sell', exact: true });
    expect(await sell.isDisabled()).toBe(true);
    await dialogOf(page).getByRole('button', { name: 'Leave these out' }).click();
    await pressSell(page);
    await dialogOf(page).getByText('1 ticket sold').waitFor();
    await page.close();
  });

  it('are held again when the time was over', async () => {
    const page = await openOffice();
    let isShort = true;
    await page.route(/\/holds$/, async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      if (isShort) json.data.held_until = soon(json.data.server_time);
      return route.fulfill({ response, json });
    });
    await openSale(page, 'C-7');
    const again = dialogOf(page).getByRole('button', { name: 'Hold them again' });
    await dialogOf(page)
      .getByText('Take no money before they are held again', { exact: false })
      .waitFor();
    const sell = dialogOf(page).getByRole('button', { name: 'Sell', exact: true });
    expect(await sell.isDisabled()).toBe(true);
    expect(await barriersOf(page)).toEqual([]);
    isShort = false;
    await again.click();
    await pressSell(page);
    await dialogOf(page).getByText('1 ticket sold').waitFor();
    await page.close();
  });

  it('are held once, when the first answer was lost', async () => {
    const page = await openOffice();
    let isDown = true;
    const keys = new Set<string>();
    await page.route(/\/holds$/, async (route) => {
      keys.add(route.request().headers()['idempotency-key'] ?? '');
      if (!isDown) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await openSale(page, 'C-9');
    await dialogOf(page).getByRole('button', { name: 'Try again' }).waitFor();
    // Also when the dialog was closed and opened again meanwhile.
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    isDown = false;
    await page.getByRole('button', { name: /^Sell 1 seat/ }).click();
    await pressSell(page);
    await dialogOf(page).getByText('1 ticket sold').waitFor();
    expect(keys.size).toBe(1);
    await page.close();
  });

  it('go to a walk-in, or to the name that was given', async () => {
    const page = await openOffice();
    const holders = async (...labels: string[]) => {
      await openSale(page, ...labels);
      await pressSell(page);
      await dialogOf(page).getByText('ticket sold', { exact: false }).waitFor();
      await dialogOf(page).getByRole('button', { name: 'Done' }).click();
    };
    await holders('D-1');
    await openSale(page, 'D-2');
    await dialogOf(page).getByLabel('Name (may be left empty)').fill('Thandi Mokoena');
    await pressSell(page);
    await dialogOf(page).getByText('1 ticket sold').waitFor();
    const { list } = await desk.ask(`GET /api/admin/events/${eventId}/tickets?limit=500`);
    const holderOf = (label: string) =>
      (list as { seat: { label: string } | null; holder: string }[]).find(
        ({ seat }) => seat?.label === label,
      )?.holder;
    expect([holderOf('D-1'), holderOf('D-2')]).toEqual(['Walk-in', 'Thandi Mokoena']);
    await page.close();
  });
});

describe('callers', { timeout: VISIT_MS }, () => {
  async function holdFor(page: Page, name: string, label: string, notes = ''): Promise<void> {
    await choose(page, label);
    await page.getByRole('button', { name: /^Hold 1 seat/ }).click();
    await dialogOf(page).getByLabel('Name of the caller').fill(name);
    await dialogOf(page).getByLabel('Telephone or note').fill(notes);
    await dialogOf(page).getByRole('button', { name: 'Hold', exact: true }).click();
    await dialogOf(page).waitFor({ state: 'detached' });
  }

  it('of one name are two people, with notes, more time and a sale of their own', async () => {
    const page = await openOffice();
    const note = `082 555 0199, ${'rings back about the wheelchair '.repeat(4)}`;
    await holdFor(page, 'Nel', 'E-1', note.trim());
    await holdFor(page, 'Nel', 'E-3');
    const rows = page
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: 'Nel' }) });
    await eventually(async () => (await rows.count()) === 2);
    const one = rows.filter({ hasText: 'E-1' });
    const other = rows.filter({ hasText: 'E-3' });
    const shown = await one.locator('.note').textContent();
    expect(shown).toMatch(/^082 555 0199.*…$/);
    expect(shown?.length).toBeLessThan(90);
    await one.getByRole('button', { name: 'Longer' }).click();
    expect(await barriersOf(page)).toEqual([]);
    await dialogOf(page).getByLabel('Minutes from now').fill('60');
    await dialogOf(page).getByRole('button', { name: 'Longer' }).click();
    await dialogOf(page).waitFor({ state: 'detached' });
    await page.getByText('Nel: 1 hold has more time.').first().waitFor();
    await one.getByText(/^(?:59:\d\d|1:00:00)$/).waitFor();
    await other.getByRole('button', { name: 'Sell', exact: true }).click();
    await dialogOf(page).getByText('Held for Nel, who gets the tickets.').waitFor();
    await pressSell(page);
    await dialogOf(page).getByText('1 ticket sold').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Done' }).click();
    await one.getByRole('button', { name: 'Release all' }).click();
    await dialogOf(page).getByLabel('Reason').fill('never mind');
    await dialogOf(page)
      .getByRole('button', { name: /^Release/ })
      .click();
    await dialogOf(page).waitFor({ state: 'detached' });
    await eventually(async () => !(await isHeld('E-1')));
    await page.close();
  });

  it('keep what they have when the sale of it is given up', async () => {
    const page = await openOffice();
    await forCaller('Smit', ['E-5'], { caller_id: newId() });
    const row = page.getByRole('row').filter({ hasText: 'E-5' });
    await row.getByRole('button', { name: 'Sell', exact: true }).click();
    // There is as much time as any sale has.
    await dialogOf(page)
      .getByTestId('sale-time')
      .getByText(/10:00|9:\d\d/)
      .waitFor();
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Held now' }).waitFor();
    expect(await isHeld('E-5')).toBe(true);
    await page.close();
  });
});

describe('what is said to be done', { timeout: VISIT_MS }, () => {
  it('is what the server did: of a block, what was blocked before is not', async () => {
    const page = await openOffice();
    await choose(page, 'F-1', 'F-2');
    await page.getByRole('button', { name: 'Block 2 seats' }).click();
    const body = { seat_ids: [idOf('F-1')], reason: 'a camera' };
    await desk.ask(`POST /api/admin/events/${eventId}/seats/block`, { body });
    await dialogOf(page).getByLabel('Reason').fill('rigging');
    await dialogOf(page).getByRole('button', { name: 'Block 2 seats' }).click();
    await page
      .getByText('1 seat is blocked. 1 seat had been blocked before.')
      .first()
      .waitFor({ state: 'attached' });
    await page.close();
  });

  it('is what the server did: of a release, why the others were not', async () => {
    const page = await openOffice();
    const held = await forCaller('Brink', ['F-5', 'F-7'], { caller_id: newId() });
    await eventually(async () =>
      /held/.test((await seatOf(page, 'F-7').getAttribute('aria-label')) ?? ''),
    );
    await choose(page, 'F-5', 'F-7');
    await page.getByRole('button', { name: 'Release 2 seats' }).click();
    const [first] = held.data.holds as { hold_id: string }[];
    const sale = { hold_ids: [first?.hold_id], method: 'cash' };
    await desk.ask(`POST /api/admin/events/${eventId}/sell`, { body: sale });
    await dialogOf(page).getByLabel('Reason').fill('rang and cancelled');
    await dialogOf(page).getByRole('button', { name: 'Release 2 seats' }).click();
    await page.getByText('1 seat was released.').first().waitFor({ state: 'attached' });
    await page
      .getByText('1 hold was not released: they are tickets by now.')
      .first()
      .waitFor({ state: 'attached' });
    await page.close();
  });
});
