import { eventually } from '@voelgoed/testkit/eventually';
import { barriersOf, useDesk, useShop, VISIT_MS } from '@voelgoed/testkit/visitors';
import { beforeAll, describe, expect, it } from 'vitest';

const shop = useShop();
const { ask, buyer, sit } = useDesk(shop);

type Seat = { seat_id: string; label: string; zone_id: string };
let admin = '';
let event = '';
let seats: Seat[] = [];
const idOf = (label: string) => seats.find((seat) => seat.label === label)?.seat_id ?? '';
const plain = (text: string) => text.replace(/[^\S\n]/g, ' ');

async function hold(who: string, ...labels: string[]): Promise<string[]> {
  const items = labels.map((label) => ({ seat_id: idOf(label) }));
  const body = { items, allow_orphan: true };
  const { data } = await buyer(who)(`POST /api/events/${event}/holds`, { body });
  return (data.holds as { hold_id: string }[]).map(({ hold_id }) => hold_id);
}

describe('a step of an event', { timeout: VISIT_MS }, () => {
  beforeAll(async () => {
    event = shop.eventId('theatre');
    admin = `/api/admin/events/${event}`;
    seats = (await ask(`GET /api/events/${event}/seatmap`)).data.seats as Seat[];
  }, VISIT_MS);

  it('new prices on sale ask, with what they were and will be', async () => {
    const page = await sit(`/staff/events/${event}/setup`);
    const field = page.getByLabel('Price (ZAR): Stalls');
    const save = page.getByRole('button', { name: 'Save the prices' });
    await eventually(async () => (await field.inputValue()) === '350');
    // Nothing is another than before.
    expect(await save.isDisabled()).toBe(true);
    await field.fill('375');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.method()));
    await save.click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText('Checkouts that have begun keep their prices', { exact: false })
      .waitFor();
    expect(plain(await dialog.getByRole('listitem').allInnerTexts().then(String))).toBe(
      'Stalls: R 350 → R 375',
    );
    expect(await barriersOf(page)).toEqual([]);
    expect(asked).not.toContain('PUT');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(asked).not.toContain('PUT');
    await save.click();
    await dialog.getByRole('button', { name: 'Save the prices' }).click();
    await page.getByText('Saved.').first().waitFor();
    expect((await ask(`GET ${admin}`)).body).toMatchObject({
      data: { prices: expect.arrayContaining([expect.objectContaining({ price_cents: 37_500 })]) },
    });
    await page.close();
  });

  it('opens the doors without a reason, and postpones with one only', async () => {
    const page = await sit(`/staff/events/${event}/setup`);
    await page.getByRole('button', { name: 'Postpone' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Postpone' }).click();
    await dialog.getByText('Please say why.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Open the doors' }).click();
    await dialog.getByLabel('Reason, if there is one').waitFor();
    await dialog.getByRole('button', { name: 'Open the doors' }).click();
    await page.getByText('Doors open', { exact: true }).first().waitFor();
    await page.close();
  });

  it('cancelling says what it concerns, asked for anew, and cannot be mistaken', async () => {
    const sold = await hold('Ann', 'A-1', 'A-2', 'A-3');
    const body = { hold_ids: sold, method: 'cash', for_holder: true };
    const sale = await ask(`POST ${admin}/sell`, { body });
    const [first] = sale.data.tickets as { ticket_id: string }[];
    await ask(`POST /api/admin/tickets/${first?.ticket_id}/void`, { body: { reason: 'ill' } });
    await hold('Ben', 'A-5', 'A-6');
    await hold('Cleo', 'A-9');
    const checkout = await buyer('Cleo')('POST /api/checkouts', { body: { event_id: event } });
    await buyer('Cleo')(`POST /api/checkouts/${checkout.data.checkout_id}/pay`, { body: {} });

    const page = await sit(`/staff/events/${event}/setup`);
    await page.getByRole('button', { name: 'Cancel the event' }).click();
    const dialog = page.getByRole('dialog');
    const lines = async () =>
      plain(
        await dialog
          .locator('[data-summary] li')
          .allInnerTexts()
          .then((all) => all.join('\n')),
      );
    await eventually(async () => (await lines()).includes('2 tickets are sold, for R 750'));
    expect(await lines()).toBe(
      [
        '2 tickets are sold, for R 750: that becomes refunds that are due.',
        '2 places in carts or held for callers are released at once.',
        '1 person is paying R 375 at this moment: if the payment succeeds, it is owed back.',
      ].join('\n'),
    );
    const buttons = await dialog.getByRole('button').allInnerTexts();
    expect(buttons.map(plain).filter(Boolean)).toEqual(['Keep the event', 'Cancel the event']);
    expect(await barriersOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Keep the event' }).click();
    await hold('Dora', 'A-11');
    await page.getByRole('button', { name: 'Cancel the event' }).click();
    await eventually(async () => (await lines()).includes('3 places in carts'));
    await dialog.getByRole('button', { name: 'Cancel the event' }).click();
    await dialog.getByText('Please say why.').waitFor();
    await dialog.getByLabel('Reason').fill('The roof leaks');
    await dialog.getByRole('button', { name: 'Cancel the event' }).click();
    await page.getByText('Cancelled', { exact: true }).first().waitFor();
    // It has come as it was said.
    await eventually(async () => {
      const { list } = await ask(`GET /api/admin/refunds?status=due&event_id=${event}`);
      return list.reduce((sum, one) => sum + Number(one.amount_cents), 0) === 75_000;
    });
    await page.close();
  });
});
