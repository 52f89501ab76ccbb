import { newId } from '@voelgoed/testkit/builders';
import { eventually } from '@voelgoed/testkit/eventually';
import {
  openList,
  type Page,
  seatOf,
  tabTo,
  useDesk,
  useShop,
  VISIT_MS,
} from '@voelgoed/testkit/visitors';
import { beforeAll, describe, expect, it } from 'vitest';

const shop = useShop();
const desk = useDesk(shop);
let seats: { label: string; seat_id: string }[] = [];
let eventId = '';
let code = '';

beforeAll(async () => {
  eventId = shop.eventId('theatre');
  const { data } = await desk.ask(`GET /api/events/${eventId}/seatmap`);
  seats = data.seats as typeof seats;
  const [sold] = await sellTo('Mev. Nél', 'K-1');
  code = sold?.code ?? '';
}, VISIT_MS);

async function sellTo(name: string, label: string) {
  const seat_id = seats.find((seat) => seat.label === label)?.seat_id;
  const body = { items: [{ seat_id }], for: name, caller_id: newId() };
  const held = await desk.ask(`POST /api/admin/events/${eventId}/holds`, { body });
  const hold_ids = (held.data.holds as { hold_id: string }[]).map(({ hold_id }) => hold_id);
  const sale = { hold_ids, method: 'cash' };
  const sold = await desk.ask(`POST /api/admin/events/${eventId}/sell`, { body: sale });
  return sold.data.tickets as { code: string }[];
}

async function openOffice(): Promise<Page> {
  const page = await desk.sit(`/staff/events/${eventId}/office`);
  await page.getByText('Live', { exact: true }).waitFor();
  return page;
}

const findOf = (page: Page) => page.getByRole('searchbox', { name: 'Find' });
const dialogOf = (page: Page) => page.getByRole('dialog');
const focused = (page: Page) =>
  page.evaluate<string>(
    `((one) => (one?.closest('label') ?? one)?.textContent.trim() ?? '')(document.activeElement)`,
  );

async function find(page: Page, text: string): Promise<void> {
  await findOf(page).fill(text);
  await page.keyboard.press('Enter');
}

describe('Find', { timeout: VISIT_MS }, () => {
  it('finds a name by any part, half a code, and forgets old answers', async () => {
    const page = await openOffice();
    const ticket = page.getByRole('button', { name: new RegExp(code) });
    for (const text of ['nel', 'NÉL', 'mev', code.slice(0, 4), code.slice(5, 9).toLowerCase()]) {
      await find(page, text);
      await ticket.waitFor();
      await findOf(page).fill('');
      await ticket.waitFor({ state: 'detached' });
    }
    await find(page, 'nothing like this');
    const nothing = page.getByText('Nothing was found.');
    await nothing.waitFor();
    await page.keyboard.type(' at all');
    expect(await nothing.count()).toBe(0);
    let letGo: () => void = () => undefined;
    const waits = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route(/\/search\?/, async (route) => {
      await waits;
      return route.continue();
    });
    // While it is looked for, the answer to what was asked before says nothing.
    await find(page, 'nel');
    expect(await nothing.count()).toBe(0);
    letGo();
    await ticket.waitFor();
    await page.close();
  });

  it('shows a seat that is written without its dash, also before the map is there', async () => {
    const page = await openOffice();
    await find(page, 'k1');
    await page.getByTestId('seat-facts').getByRole('heading', { name: 'K-1' }).waitFor();
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route('**/seatmap*', async (route) => {
      await held;
      await route.continue();
    });
    await page.reload();
    await find(page, 'k1');
    letGo();
    await page.getByTestId('seat-facts').getByRole('heading', { name: 'K-1' }).waitFor();
    await page.close();
  });
});

describe('the keyboard', { timeout: VISIT_MS }, () => {
  it('comes to Find by a link or a key, and sells, holds and releases what is chosen', async () => {
    const page = await openOffice();
    await tabTo(page, /Skip to Find/);
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe('Find');
    await openList(page);
    await seatOf(page, 'L-1').click();
    await page.keyboard.press('/');
    expect(await focused(page)).toBe('Find');
    // In a field a letter is a letter.
    await page.keyboard.type('shr/');
    expect(await findOf(page).inputValue()).toBe('shr/');
    expect(await dialogOf(page).count()).toBe(0);
    await findOf(page).fill('');
    await seatOf(page, 'L-1').focus();
    // Not right after what was typed: that is how a scanner types.
    const holding = dialogOf(page).getByRole('heading', { name: 'Hold 1 seat' });
    await eventually(async () => {
      await page.keyboard.press('h');
      const opens = holding.waitFor({ timeout: 1_000 });
      return opens.then(() => true).catch(() => false);
    });
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    await seatOf(page, 'L-1').focus();
    await page.keyboard.press('Control+s');
    expect(await dialogOf(page).count()).toBe(0);
    await page.keyboard.press('s');
    await dialogOf(page).getByTestId('sale-time').waitFor();
    // Nothing is pressed by accident behind or in a dialog.
    expect(await focused(page)).toContain('Name (may be left empty)');
    await page.keyboard.type('Sannie r');
    expect(await dialogOf(page).count()).toBe(1);
    // A scanner ends with Enter, too: the button alone sells.
    await page.keyboard.press('Enter');
    expect(await dialogOf(page).getByTestId('sale-time').count()).toBe(1);
    await dialogOf(page).getByRole('button', { name: 'Sell', exact: true }).click();
    await dialogOf(page).getByText('1 ticket sold').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Done' }).click();
    await page.getByText('Keys', { exact: true }).click();
    await page.getByLabel('Keys without Ctrl work here').uncheck();
    await seatOf(page, 'L-2').click();
    await page.keyboard.press('s');
    expect(await dialogOf(page).count()).toBe(0);
    await page.close();
  });

  it('begins a dialog at what is filled in, and a press beside it loses nothing', async () => {
    const page = await openOffice();
    await openList(page);
    await seatOf(page, 'L-3').click();
    await page.getByRole('button', { name: 'Hold 1 seat' }).click();
    expect(await focused(page)).toContain('Name of the caller');
    await page.keyboard.type('Nel');
    await page.mouse.click(5, 5);
    await page.mouse.click(1_270, 790);
    expect(await dialogOf(page).getByLabel('Name of the caller').inputValue()).toBe('Nel');
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Block 1 seat' }).click();
    expect(await focused(page)).toContain('Reason');
    await page.keyboard.type('a camera');
    await page.mouse.click(5, 5);
    expect(await dialogOf(page).getByLabel('Reason').inputValue()).toBe('a camera');
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    // What is only shown closes by a press beside it, as before.
    await page.getByRole('button', { name: 'Settings' }).click();
    await dialogOf(page).waitFor();
    await page.mouse.click(5, 500);
    await dialogOf(page).waitFor({ state: 'detached' });
    await page.close();
  });
});

describe('chosen seats', { timeout: VISIT_MS }, () => {
  it('are named, with what they cost', async () => {
    const page = await openOffice();
    await openList(page);
    const total = async () =>
      Number((await page.getByTestId('chosen-total').textContent())?.replaceAll(/\D/g, ''));
    await seatOf(page, 'N-1').click();
    const one = await total();
    expect(one).toBeGreaterThan(0);
    await seatOf(page, 'N-2').click();
    expect(await page.getByTestId('chosen-seats').textContent()).toBe('N-1, N-2');
    expect(await total()).toBe(2 * one);
    await page.getByRole('button', { name: 'Choose the whole row M' }).click();
    await page
      .getByTestId('chosen-seats')
      .getByText(/and \d+ more$/)
      .waitFor();
    await page.getByRole('button', { name: /^Sell \d+ seats/ }).click();
    expect(await dialogOf(page).getByTestId('sale-seats').textContent()).toMatch(/and \d+ more$/);
    await page.close();
  });
});
