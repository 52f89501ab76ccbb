import { eventually } from '@voelgoed/testkit/eventually';
import { call } from '@voelgoed/testkit/servers';
import { DESK, type Page, useDesk, useShop, VISIT_MS } from '@voelgoed/testkit/visitors';
import { describe, expect, it } from 'vitest';

const shop = useShop();
const { ask } = useDesk(shop);
/** As tablets at a counter are. */
const TABLET = { viewport: { width: 1_024, height: 768 }, hasTouch: true };

type Drawn = { seat_id: string; label: string; x: number; y: number };

async function seatsCalled(...labels: readonly string[]): Promise<Drawn[]> {
  const route = `GET /api/events/${shop.eventId('theatre')}/seatmap`;
  const { data } = await call(shop.node().address, route);
  const seats = data.seats as Drawn[];
  return labels.flatMap((label) => seats.find((seat) => seat.label === label) ?? []);
}

async function sell(seat: Drawn | undefined): Promise<{ ticket_id: string; code: string }> {
  const event = `/api/admin/events/${shop.eventId('theatre')}`;
  const body = { items: [{ seat_id: seat?.seat_id }], for: 'Sannie Botha' };
  const held = await ask(`POST ${event}/holds`, { body });
  const [hold] = held.data.holds as { hold_id: string }[];
  const sold = await ask(`POST ${event}/sell`, {
    body: { hold_ids: [hold?.hold_id], method: 'cash' },
  });
  const [ticket] = sold.data.tickets as { ticket_id: string; code: string }[];
  return ticket ?? { ticket_id: '', code: '' };
}

/** Where a seat is on the screen, once the one that was found is in the middle of the map. */
async function placeOf(page: Page, from: Drawn, to: Drawn): Promise<[number, number]> {
  const box = await page.getByTestId('hall-map').boundingBox();
  if (!box) throw new Error('the map has no size');
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const scale = 30 / Math.hypot(dx, dy);
  return [box.x + box.width / 2 + dx * scale, box.y + box.height / 2 + dy * scale];
}

describe('another seat by a tap on the map', { timeout: VISIT_MS }, () => {
  it.each([
    ['mouse', DESK, 'K-5', 'K-6'],
    ['touch', TABLET, 'L-5', 'L-6'],
  ] as const)('asks, stays open and moves the ticket: %s', async (kind, device, one, other) => {
    const [from, to] = await seatsCalled(one, other);
    if (!from || !to) throw new Error('there are no such seats');
    const { ticket_id, code } = await sell(from);
    const page = await shop.visit(`/staff/events/${shop.eventId('theatre')}/office`, device);
    await page.getByRole('button', { name: 'As owner', exact: true }).click();
    await page.getByTestId('hall-map').locator('canvas').first().waitFor();
    await page.getByRole('searchbox', { name: 'Find' }).fill(from.label);
    await page.keyboard.press('Enter');
    const facts = page.getByTestId('seat-facts');
    await facts.getByRole('button', { name: 'Give another seat' }).click();
    await page.getByText(`Ticket ${code} in ${from.label}`, { exact: false }).waitFor();
    await page.evaluate(() => scrollTo(0, 0));
    const dialog = page.getByRole('dialog');
    const tap = async () => {
      const [x, y] = await placeOf(page, from, to);
      await (kind === 'mouse' ? page.mouse.click(x, y) : page.touchscreen.tap(x, y));
      // The map may still be on its way to the seat.
      return dialog.waitFor({ timeout: 2_000 }).then(
        () => true,
        () => false,
      );
    };
    await eventually(tap, { within_ms: 15_000 });
    expect(await dialog.isVisible()).toBe(true);
    expect(await dialog.getByRole('heading').textContent()).toBe(
      `Ticket ${code} gets another seat`,
    );
    // A press beside it is no answer.
    await page.mouse.click(3, 300);
    await dialog.getByLabel('Reason').fill('broken seat');
    await dialog.getByRole('button', { name: 'Move it' }).click();
    await dialog.waitFor({ state: 'detached' });
    const path = `GET /api/admin/events/${shop.eventId('theatre')}/tickets?limit=500`;
    const { list } = await ask(path);
    const moved = list.find((ticket) => ticket.ticket_id === ticket_id);
    expect(moved).toMatchObject({ seat: { label: to.label } });
    await page.close();
  });
});
