import { eventually } from '@voelgoed/testkit/eventually';
import {
  barriersOf,
  type Page,
  PHONE,
  useDesk,
  useShop,
  VISIT_MS,
} from '@voelgoed/testkit/visitors';
import { beforeAll, describe, expect, it } from 'vitest';
import { PastHall, partOf } from './past.ts';

const shop = useShop();
const { ask, buyer, sit } = useDesk(shop);

type Zone = { name: string; sold: number; held: number; blocked: number; available: number };
type Board = { revision: number; seats: string; zones: Zone[] };
let event = '';
let admin = '';
let last = 0;

const boardAt = async (revision: number) =>
  (await ask(`GET ${admin}/board?revision=${revision}`)).data as unknown as Board;

/** Seats and places of a festival, taken, given back, sold, moved and closed. */
async function aRecordedSale(): Promise<void> {
  const { data } = await ask(`GET /api/events/${event}/seatmap`);
  const seats = (data.seats as { seat_id: string }[]).slice(0, 12).map(({ seat_id }) => seat_id);
  const pit = (data.zones as { zone_id: string; name: string }[]).find(
    ({ name }) => name === 'Pit',
  );
  const hold = (who: string, ...items: object[]) =>
    buyer(who)(`POST /api/events/${event}/holds`, { body: { items, allow_orphan: true } });
  const held = await hold('Ann', { seat_id: seats[0] }, { seat_id: seats[1] });
  await hold('Ben', { zone_id: pit?.zone_id, quantity: 3 });
  await buyer('Ben')(`DELETE /api/events/${event}/holds`);
  const places = await hold('Cleo', { zone_id: pit?.zone_id, quantity: 2 });
  const sold = await Promise.all(
    [held, places].map(({ data: cart }) => {
      const hold_ids = (cart.holds as { hold_id: string }[]).map(({ hold_id }) => hold_id);
      const sale = { hold_ids, method: 'card', for_holder: true };
      return ask(`POST ${admin}/sell`, { body: sale });
    }),
  );
  const [ticket] = (sold[0]?.data.tickets ?? []) as { ticket_id: string }[];
  const block = { seat_ids: [seats[0], seats[5]], reason: 'a camera' };
  await ask(`POST ${admin}/seats/block`, { body: block });
  await ask(`POST /api/admin/tickets/${ticket?.ticket_id}/reseat`, {
    body: { seat_id: seats[7], reason: 'a camera' },
  });
  await ask(`POST ${admin}/seats/unblock`, { body: block });
  for (let index = 8; index < 12; index++) await hold(`buyer ${index}`, { seat_id: seats[index] });
  await ask(`POST /api/admin/tickets/${ticket?.ticket_id}/void`, { body: { reason: 'ill' } });
}

beforeAll(async () => {
  event = shop.eventId('festival');
  admin = `/api/admin/events/${event}`;
  await aRecordedSale();
  last = Number((await ask(`GET ${admin}/board`)).data.revision);
}, VISIT_MS);

describe('a sale that is replayed', { timeout: VISIT_MS }, () => {
  it('has the seats and numbers of the board at every step, there and back', async () => {
    const first = (await ask(`GET ${admin}/changes?after=0&limit=1`)).list[0]?.revision as number;
    const { list } = await ask(`GET ${admin}/changes?after=${first - 1}&limit=500&map=true`);
    const hall = new PastHall(partOf((await boardAt(first)) as never, list as never));
    expect(hall.part.last).toBe(last);
    expect(last - first).toBeGreaterThan(12);
    const steps = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    for (const revision of [...steps, ...steps.toReversed(), last, first + 3, last - 2, first]) {
      hall.goTo(revision);
      const board = await boardAt(revision);
      expect(Buffer.from(hall.seats).toString('base64')).toBe(board.seats);
      expect([revision, ...hall.zones]).toEqual([revision, ...board.zones]);
    }
  });

  it('is moved by keys, by buttons and by itself, and says what happened', async () => {
    const page = await sit(`/staff/events/${event}/replay`);
    const slider = page.getByRole('slider', { name: 'Where in the sale' });
    await isAt(page, last);
    await page.getByTestId('moment').getByText('ticket voided').waitFor();
    await slider.focus();
    await page.keyboard.press('ArrowLeft');
    await isAt(page, last - 1);
    await page.keyboard.press('Home');
    await isAt(page, 1);
    await page.getByText('The plan of the hall began').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.keyboard.press('ArrowRight');
    await isAt(page, 2);
    await page.keyboard.press('PageUp');
    await isAt(page, Math.min(12, last));
    await page.getByRole('button', { name: 'One step back' }).click();
    await isAt(page, Math.min(12, last) - 1);
    await page.getByLabel('Move by').selectOption('time');
    await page.getByRole('button', { name: 'To the beginning' }).click();
    await isAt(page, 1);
    await page.getByLabel('Speed').selectOption('600');
    await page.getByRole('button', { name: 'Play' }).click();
    await isAt(page, last);
    await page.getByRole('button', { name: 'Play' }).waitFor();
    await page.close();
  });

  it('is there on a phone, in the dark', async () => {
    const page = await sit(`/staff/events/${event}/replay`, { ...PHONE, colorScheme: 'dark' });
    await isAt(page, last);
    await page.locator('[data-testid="hall-map"] canvas').first().waitFor();
    expect(await barriersOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    await page.close();
  });
});

/** The page is at a revision, and its numbers are those that the API has of it. */
async function isAt(page: Page, revision: number): Promise<void> {
  const { zones } = await boardAt(revision);
  const number = (one: number) => one.toLocaleString('en-ZA');
  await eventually(async () => {
    expect(await page.getByTestId('where').innerText()).toContain(`Step ${revision} of ${last},`);
    for (const { name, sold, held, blocked, available } of zones) {
      const cells = await page.locator(`[data-zone="${name}"] td`).allInnerTexts();
      expect([name, ...cells]).toEqual([name, ...[sold, held, blocked, available].map(number)]);
    }
    return true;
  });
}
