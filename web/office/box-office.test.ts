import { eventually } from '@voelgoed/testkit/eventually';
import { call } from '@voelgoed/testkit/servers';
import {
  barriersOf,
  DESK,
  openList,
  type Page,
  seatOf,
  tabTo,
  useShop,
  VISIT_MS,
} from '@voelgoed/testkit/visitors';
import { describe, expect, it } from 'vitest';

const shop = useShop();

async function openOffice(slug = 'theatre', device: object = DESK): Promise<Page> {
  const page = await shop.visit(`/staff/events/${shop.eventId(slug)}/office`, device);
  await page.getByRole('button', { name: 'As owner', exact: true }).click();
  await page.getByTestId('hall-map').locator('canvas').first().waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  return page;
}

const asList = (page: Page) => page.getByRole('radio', { name: 'List' }).check();
const dialogOf = (page: Page) => page.getByRole('dialog');
const says = async (page: Page, label: string) =>
  (await seatOf(page, label).getAttribute('aria-label')) ?? '';
const becomes = (page: Page, label: string, words: RegExp) =>
  eventually(async () => words.test(await says(page, label)), { within_ms: 15_000 });

async function giveReason(page: Page, reason: string, confirm: RegExp): Promise<void> {
  await dialogOf(page).getByLabel('Reason').fill(reason);
  await dialogOf(page).getByRole('button', { name: confirm }).click();
  await dialogOf(page).waitFor({ state: 'detached' });
}

/** Sells seats of the list at the door; their codes in order. */
async function sell(page: Page, labels: readonly string[], name: string): Promise<string[]> {
  await asList(page);
  for (const label of labels) await seatOf(page, label).click();
  await page.getByRole('button', { name: /^Sell \d+ seat/ }).click();
  await dialogOf(page).getByLabel('Name (may be left empty)').fill(name);
  await dialogOf(page).getByRole('button', { name: 'Sell', exact: true }).click();
  await dialogOf(page).getByRole('button', { name: 'Print' }).waitFor();
  const codes = await dialogOf(page).locator('.code').allTextContents();
  await dialogOf(page).getByRole('button', { name: 'Done' }).click();
  return codes;
}

describe('the box office', { timeout: VISIT_MS }, () => {
  it('releases what somebody holds, and they see it live', async () => {
    const [office, buyer] = [await openOffice(), await shop.visitEvent('theatre')];
    await openList(buyer);
    await seatOf(buyer, 'C-3').click();
    await becomes(buyer, 'C-3', /Yours/i);
    await asList(office);
    await becomes(office, 'C-3', /held/);
    await seatOf(office, 'C-3').click();
    const facts = office.getByTestId('seat-facts');
    await facts.getByText('Held by customer').waitFor();
    await facts.getByText('the shop').waitFor();
    await facts.getByText(/^\d+:\d\d$/).waitFor();
    await office.getByRole('button', { name: 'Release 1 seat' }).click();
    await dialogOf(office).getByRole('button', { name: 'Release 1 seat' }).click();
    await dialogOf(office).getByText('Please say why.').waitFor();
    expect(await barriersOf(office)).toEqual([]);
    // There is room for as much as the server takes, and for no more.
    await giveReason(office, 'rang and cancelled '.repeat(20), /^Release 1 seat/);
    await becomes(buyer, 'C-3', /Free/);
    await facts.getByText('Free, and on sale.').waitFor();
    await Promise.all([office.close(), buyer.close()]);
  });

  it('blocks with a lasso, and a buyer sees the seats closed', async () => {
    const [office, buyer] = [await openOffice(), await shop.visitEvent('theatre')];
    await office.getByRole('radio', { name: 'Lasso' }).check();
    const box = await office.getByTestId('hall-map').boundingBox();
    if (!box) throw new Error('the map has no size');
    const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const;
    await office.mouse.move(...at(0.47, 0.42));
    await office.mouse.down();
    for (const [x, y] of [
      [0.53, 0.42],
      [0.53, 0.48],
      [0.47, 0.48],
    ] as const)
      await office.mouse.move(...at(x, y), { steps: 4 });
    await office.mouse.up();
    const button = office.getByRole('button', { name: /^Block \d+ seat/ });
    await button.waitFor();
    const number = Number(/\d+/.exec((await button.textContent()) ?? '')?.[0]);
    expect(number).toBeGreaterThan(3);
    await button.click();
    await giveReason(office, 'camera crane', /^Block/);
    await openList(buyer);
    const closed = buyer.getByRole('gridcell', { name: /Not for sale(?!.*companion)/ });
    await eventually(async () => (await closed.count()) === number, { within_ms: 15_000 });
    const label = (await closed.first().getAttribute('data-label')) ?? '';
    await office.getByRole('searchbox', { name: 'Find' }).fill(label);
    await office.keyboard.press('Enter');
    const facts = office.getByTestId('seat-facts');
    await facts.getByText(/^Blocked by /).waitFor();
    await facts.getByText('camera crane').waitFor();
    await Promise.all([office.close(), buyer.close()]);
  });

  it('sells at the door, finds it again, reseats by click and by drag, refunds', async () => {
    const office = await openOffice();
    const [code = ''] = await sell(office, ['K-1', 'K-2'], 'Sannie Botha');
    expect(code).toMatch(/^\w{4}-\w{4}-\w{4}$/);
    const find = office.getByRole('searchbox', { name: 'Find' });
    const facts = office.getByTestId('seat-facts');
    await find.fill('sannie');
    await office.keyboard.press('Enter');
    await office.getByRole('button', { name: new RegExp(code) }).click();
    await facts.getByText('Sold to Sannie Botha.').waitFor();
    await facts.getByRole('button', { name: 'Give another seat' }).click();
    await office.getByText(`Ticket ${code} in K-1`, { exact: false }).waitFor();
    await asList(office);
    await seatOf(office, 'L-1').click();
    await giveReason(office, 'broken seat', /^Move it/);
    await becomesSold(office, 'L-1');
    await dragSeat(office, 'K-2', 'K-3');
    await giveReason(office, 'beside the aisle', /^Move it/);
    await find.fill(code.toLowerCase());
    await office.keyboard.press('Enter');
    await office.getByRole('button', { name: new RegExp(code) }).click();
    await facts.getByRole('heading', { name: 'L-1' }).waitFor();
    await facts.getByRole('button', { name: 'Refund' }).click();
    await dialogOf(office)
      .getByText(/is owed to the buyer/)
      .waitFor();
    expect(await barriersOf(office)).toEqual([]);
    await giveReason(office, 'ill', /^Refund/);
    await facts.getByText('Free, and on sale.').waitFor();
    const [ticket] = await shop.database.asSuperuser(
      `select t.status, t.end_reason, r.amount_cents::int from tickets t
       join refunds_due r on r.ticket_id = t.ticket_id where t.code = $1`,
      [code],
    );
    expect(ticket).toEqual({ status: 'refunded', end_reason: 'ill', amount_cents: 35_000 });
    await office.close();
  });

  it('blocks a row with the keyboard alone', async () => {
    const office = await openOffice();
    await tabTo(office, /Map/);
    await office.keyboard.press('ArrowRight');
    await tabTo(office, /Choose the whole row A/);
    await office.keyboard.press('Enter');
    await tabTo(office, /^Block \d+ seats/);
    await office.keyboard.press('Enter');
    await dialogOf(office).waitFor();
    await tabTo(office, /^Reason/);
    await office.keyboard.type('press');
    await office.keyboard.press('Enter');
    await dialogOf(office).waitFor({ state: 'detached' });
    await becomes(office, 'A-1', /closed/);
    await becomes(office, 'A-18', /closed/);
    await office.close();
  });
});

async function becomesSold(page: Page, label: string): Promise<void> {
  await asList(page);
  await becomes(page, label, /sold/);
}

/** Pixels from a seat to its neighbour, where the map shows a found one: 30 apart. */
async function wayBetween(from: string, to: string): Promise<[number, number]> {
  const route = `GET /api/events/${shop.eventId('theatre')}/seatmap`;
  const { data } = await call(shop.node().address, route);
  const seats = data.seats as { label: string; x: number; y: number }[];
  const [one, other] = [from, to].map((label) => seats.find((seat) => seat.label === label));
  if (!one || !other) throw new Error('there are no such seats');
  const [dx, dy] = [other.x - one.x, other.y - one.y];
  const scale = 30 / Math.hypot(dx, dy);
  return [dx * scale, dy * scale];
}

/** With the real mouse, on the map. */
async function dragSeat(page: Page, from: string, to: string): Promise<void> {
  const find = page.getByRole('searchbox', { name: 'Find' });
  await find.fill(from);
  await page.keyboard.press('Enter');
  await page
    .getByTestId('seat-facts')
    .getByText(/^Sold to/)
    .waitFor();
  await page.getByRole('radio', { name: 'Reseat' }).check();
  const box = await page.getByTestId('hall-map').boundingBox();
  if (!box) throw new Error('the map has no size');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const [dx, dy] = await wayBetween(from, to);
  const step = async () => {
    // The seat is in the middle once the map has come to rest; the other one is beside it.
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + dx, y + dy, { steps: 6 });
    await page.mouse.up();
    return page
      .getByRole('dialog')
      .waitFor({ timeout: 1_500 })
      .then(() => true)
      .catch(() => false);
  };
  await eventually(step, { within_ms: 15_000 });
  await page.getByText(`moves from ${from} to ${to}`, { exact: false }).waitFor();
}
