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
import { idAfter } from './id-after.ts';

const shop = useShop();
const desk = useDesk(shop);
let eventId = '';
let seats: { label: string; seat_id: string }[] = [];

beforeAll(async () => {
  eventId = shop.eventId('theatre');
  const { data } = await desk.ask(`GET /api/events/${eventId}/seatmap`);
  seats = data.seats as typeof seats;
}, VISIT_MS);

const dialogOf = (page: Page) => page.getByRole('dialog');
const button = (page: Page, name: string) =>
  dialogOf(page).getByRole('button', { name, exact: true });
const nameField = (page: Page) => dialogOf(page).getByLabel('Name (may be left empty)');
const holdsOf = async () => {
  const { list } = await desk.ask(`GET /api/admin/events/${eventId}/holds`);
  return list as { hold_id: string; label: string }[];
};
const isHeld = async (label: string) => (await holdsOf()).some((one) => one.label === label);
const soldAs = async (label: string) => {
  const { list } = await desk.ask(`GET /api/admin/events/${eventId}/tickets?limit=500`);
  const all = list as { seat: { label: string } | null; method: string }[];
  return all.filter(({ seat }) => seat?.label === label).map(({ method }) => method);
};

async function openOffice(): Promise<Page> {
  const page = await desk.sit(`/staff/events/${eventId}/office`);
  await page.getByText('Live', { exact: true }).waitFor();
  await openList(page);
  return page;
}

async function openSale(page: Page, label: string): Promise<void> {
  await seatOf(page, label).click();
  await page.getByRole('button', { name: /^Sell 1 seat/ }).click();
  await dialogOf(page).getByTestId('sale-time').waitFor();
}

/** The network of one counter: `lost`: the server hears what is asked, and answers get lost. */
async function lineOf(page: Page) {
  const line = { isLost: false, keys: new Set<string>() };
  await page.route(/\/(?:sell|holds\?.*status=converted.*)$/, async (route) => {
    const key = route.request().headers()['idempotency-key'];
    if (key !== undefined) line.keys.add(key);
    if (!line.isLost) return route.continue();
    await route.fetch();
    return route.abort();
  });
  return line;
}

describe('a sale whose answer is lost', { timeout: VISIT_MS }, () => {
  it('stays open until it is known, in one way of paying, and is made once', async () => {
    const page = await openOffice();
    const line = await lineOf(page);
    await openSale(page, 'C-1');
    line.isLost = true;
    await button(page, 'Sell').click();
    await dialogOf(page)
      .getByText('It is not known whether C-1 was sold', { exact: false })
      .waitFor();
    expect(await dialogOf(page).getByRole('radio', { name: 'Card' }).isDisabled()).toBe(true);
    expect(await soldAs('C-1')).toEqual(['cash']);
    await page.keyboard.press('Escape');
    await button(page, 'Cancel').click();
    await dialogOf(page).getByText('Close without knowing', { exact: false }).waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await button(page, 'Close, it is not known').click();
    await dialogOf(page).waitFor({ state: 'detached' });
    line.isLost = false;
    // The same sale again, from the top of the page.
    await page.getByRole('button', { name: 'Open the sale' }).click();
    await button(page, 'Try again').click();
    await dialogOf(page).getByText('1 ticket sold').waitFor();
    expect([line.keys.size, await soldAs('C-1')]).toEqual([1, ['cash']]);
    await button(page, 'Done').click();
    expect(await page.getByRole('button', { name: 'Open the sale' }).count()).toBe(0);
    await page.close();
  });

  it('and whose key is forgotten is looked up: its tickets are shown', async () => {
    const page = await openOffice();
    const line = await lineOf(page);
    await openSale(page, 'C-3');
    line.isLost = true;
    await button(page, 'Sell').click();
    await button(page, 'Try again').waitFor();
    line.isLost = false;
    await shop.database.asSuperuser('delete from idempotency_keys');
    await page.route(/\/sell$/, async (route) => {
      const headers = { ...route.request().headers(), 'idempotency-key': 'another' };
      return route.continue({ headers });
    });
    await button(page, 'Try again').click();
    await dialogOf(page).getByText('1 ticket sold').waitFor();
    await dialogOf(page).getByText('This is the sale on record', { exact: false }).waitFor();
    expect(await dialogOf(page).locator('.code').count()).toBe(1);
    expect(await soldAs('C-3')).toEqual(['cash']);
    await page.close();
  });

  it('and that was never made is known not to have been made', async () => {
    const page = await openOffice();
    await openSale(page, 'C-5');
    let isDown = true;
    await page.route(/\/sell$/, (route) => (isDown ? route.abort() : route.continue()));
    await button(page, 'Sell').click();
    await button(page, 'Try again').waitFor();
    const hold_ids = (await holdsOf()).filter(({ label }) => label === 'C-5');
    const body = { hold_ids: hold_ids.map(({ hold_id }) => hold_id), reason: 'gone' };
    await desk.ask('POST /api/admin/seats/release', { body });
    await button(page, 'Hold them again').waitFor();
    isDown = false;
    expect(await button(page, 'Sell').isDisabled()).toBe(true);
    await button(page, 'Hold them again').click();
    await button(page, 'Sell').click();
    await dialogOf(page).getByText('1 ticket sold').waitFor();
    expect(await soldAs('C-5')).toEqual(['cash']);
    await page.close();
  });

  it('cannot be closed while it is under way', async () => {
    const page = await openOffice();
    await openSale(page, 'C-7');
    let go: () => void = () => undefined;
    const waits = new Promise<void>((resolve) => {
      go = resolve;
    });
    await page.route(/\/sell$/, async (route) => {
      await waits;
      return route.continue();
    });
    await button(page, 'Sell').click();
    await dialogOf(page).getByText('The sale is under way', { exact: false }).waitFor();
    for (let press = 0; press < 3; press++) await page.keyboard.press('Escape');
    await button(page, 'Close').click();
    expect(await button(page, 'Cancel').isDisabled()).toBe(true);
    go();
    await dialogOf(page).getByText('1 ticket sold').waitFor();
    await page.close();
  });
});

describe('two counters', { timeout: VISIT_MS }, () => {
  it('do not sell the same: one does not sell what the other holds for a sale', async () => {
    const [one, other] = [await openOffice(), await openOffice()];
    await openSale(one, 'E-1');
    await eventually(async () =>
      /held/.test((await seatOf(other, 'E-1').getAttribute('aria-label')) ?? ''),
    );
    await seatOf(other, 'E-1').click();
    await other.getByText('Sale under way at another counter').first().waitFor();
    expect(await other.getByRole('button', { name: /^Sell/ }).count()).toBe(0);
    // By another hand all the same: the first counter hears of it before it takes money.
    const hold = (await holdsOf()).find(({ label }) => label === 'E-1');
    const body = { hold_ids: [hold?.hold_id], method: 'card' };
    await desk.ask(`POST /api/admin/events/${eventId}/sell`, { body });
    await dialogOf(one).getByText('The seats are not held for this sale any more').waitFor();
    expect(await button(one, 'Sell').isDisabled()).toBe(true);
    await Promise.all([one.close(), other.close()]);
  });
});

describe('a handheld scanner', { timeout: VISIT_MS }, () => {
  it('holds and sells nothing, wherever it types', async () => {
    const page = await openOffice();
    let held = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && /\/holds$/.test(request.url())) held += 1;
    });
    await seatOf(page, 'G-1').click();
    await page.evaluate('document.activeElement.blur()');
    const scan = async () => {
      await page.keyboard.type('SHRB-7HSR-S2HS', { delay: 8 });
      await page.keyboard.press('Enter');
    };
    await scan();
    // The key itself works, once nothing comes with it; until then nothing was held.
    await eventually(async () => {
      await page.keyboard.press('s');
      const opens = dialogOf(page).waitFor({ timeout: 1_000 });
      return opens.then(() => true).catch(() => false);
    });
    await dialogOf(page).getByTestId('sale-time').waitFor();
    expect([held, await nameField(page).inputValue()]).toEqual([1, '']);
    await scan();
    await button(page, 'Sell').focus();
    await scan();
    expect([await isHeld('G-1'), await soldAs('G-1')]).toEqual([true, []]);
    await page.close();
  });
});

describe('a hold for a caller', { timeout: VISIT_MS }, () => {
  it('whose answer is lost is the same hold, also when its dialog was closed', async () => {
    const id = shop.eventId('festival');
    const page = await desk.sit(`/staff/events/${id}/office`);
    await page.getByText('Live', { exact: true }).waitFor();
    let isLost = true;
    await page.route(/\/holds$/, async (route) => {
      if (!isLost) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await page.getByRole('spinbutton', { name: /Pit/ }).fill('2');
    const open = page.getByRole('button', { name: 'Hold: Pit' });
    await open.click();
    const name = dialogOf(page).getByLabel('Name of the caller');
    await name.fill('Thandi');
    await button(page, 'Hold').click();
    await dialogOf(page).getByText('trying again repeats nothing', { exact: false }).waitFor();
    await button(page, 'Cancel').click();
    isLost = false;
    await open.click();
    expect([await name.inputValue(), await name.isEditable()]).toEqual(['Thandi', false]);
    await button(page, 'Hold').click();
    await dialogOf(page).waitFor({ state: 'detached' });
    const { list } = await desk.ask(`GET /api/admin/events/${id}/holds`);
    expect((list as { quantity: number }[]).map(({ quantity }) => quantity)).toEqual([2]);
    // The next one is another person.
    await open.click();
    expect([await name.inputValue(), await name.isEditable()]).toEqual(['', true]);
    await page.close();
  });
});

describe('a sale', { timeout: VISIT_MS }, () => {
  it('of what a caller holds needs no right to hold', async () => {
    const item = { seat_id: seats.find(({ label }) => label === 'H-1')?.seat_id };
    const body = { items: [item], for: 'Smit', caller_id: newId(), hold_minutes: 5 };
    await desk.ask(`POST /api/admin/events/${eventId}/holds`, { body });
    const page = await desk.sit('/staff');
    await page.route(/\/api\/me$/, async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      const scopes = json.data.scopes as string[];
      json.data.scopes = scopes.filter((scope) => scope !== 'holds:write');
      return route.fulfill({ response, json });
    });
    await page.goto(new URL(`/staff/events/${eventId}/office`, page.url()).href);
    const row = page.getByRole('row').filter({ hasText: 'H-1' });
    await row.getByRole('button', { name: 'Sell', exact: true }).click();
    await dialogOf(page)
      .getByTestId('sale-time')
      .getByText(/[345]:\d\d/)
      .waitFor();
    await button(page, 'Sell').click();
    await dialogOf(page).getByText('1 ticket sold').waitFor();
    await page.close();
  });

  it('goes on with what a caller still has when a part has ended', async () => {
    const items = ['L-1', 'L-2'].map((label) => ({
      seat_id: seats.find((seat) => seat.label === label)?.seat_id,
    }));
    const body = { items, for: 'Brink', caller_id: newId(), hold_minutes: 5 };
    const { data } = await desk.ask(`POST /api/admin/events/${eventId}/holds`, { body });
    const [first] = data.holds as { hold_id: string }[];
    const page = await openOffice();
    const row = page.getByRole('row').filter({ hasText: 'L-1' });
    await row.getByRole('button', { name: 'Sell', exact: true }).click();
    await dialogOf(page).getByTestId('sale-time').waitFor();
    const release = { hold_ids: [first?.hold_id], reason: 'rang' };
    await desk.ask('POST /api/admin/seats/release', { body: release });
    await button(page, 'Go on with what is still held').click();
    await dialogOf(page).getByTestId('sale-time').waitFor();
    expect(await dialogOf(page).getByTestId('sale-seats').textContent()).toBe('L-2');
    await button(page, 'Sell').click();
    await dialogOf(page).getByText('1 ticket sold').waitFor();
    expect([await soldAs('L-1'), await soldAs('L-2')]).toEqual([[], ['cash']]);
    await page.close();
  });

  it('waits for the prices', async () => {
    const page = await desk.sit('/staff');
    let isDown = true;
    await page.route(new RegExp(`/api/admin/events/${eventId}$`), (route) =>
      isDown ? route.fulfill({ status: 500, json: {} }) : route.continue(),
    );
    await page.goto(new URL(`/staff/events/${eventId}/office`, page.url()).href);
    await page.getByText('Live', { exact: true }).waitFor();
    await openList(page);
    await openSale(page, 'J-1');
    await dialogOf(page).getByText('The prices are not known yet', { exact: false }).waitFor();
    expect(await button(page, 'Sell').isDisabled()).toBe(true);
    expect(await barriersOf(page)).toEqual([]);
    isDown = false;
    await button(page, 'Try again').click();
    await button(page, 'Sell').click();
    await dialogOf(page).getByText('1 ticket sold').waitFor();
    await page.close();
  });
});

it('the id after an id is the next one', () => {
  expect(idAfter('019a0000-0000-7000-8000-0000000000ff')).toBe(
    '019a0000-0000-7000-8000-000000000100',
  );
});
