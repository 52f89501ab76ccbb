import { eventually } from '@voelgoed/testkit/eventually';
import { call } from '@voelgoed/testkit/servers';
import {
  barriersOf,
  giveReason,
  type Page,
  PHONE,
  seatOf,
  useDesk,
  useShop,
  VISIT_MS,
} from '@voelgoed/testkit/visitors';
import { beforeAll, describe, expect, it } from 'vitest';

const shop = useShop();
const { ask } = useDesk(shop);
type Drawn = { seat_id: string; label: string; category: string; companion_of?: string };
let seats: Drawn[] = [];

const event = () => `/api/admin/events/${shop.eventId('theatre')}`;
const called = (...labels: readonly string[]) =>
  labels.flatMap((label) => seats.find((seat) => seat.label === label)?.seat_id ?? []);
const block = (seat_ids: readonly string[], reason: string) =>
  ask(`POST ${event()}/seats/block`, { body: { seat_ids, reason } });

/** Blocked twice for one reason, once for another, once under a ticket; a sold and a held seat. */
beforeAll(async () => {
  const route = `GET /api/events/${shop.eventId('theatre')}/seatmap`;
  seats = (await call(shop.node().address, route)).data.seats as Drawn[];
  await shop.database.asSuperuser(`update venues set timezone = 'Asia/Tokyo'`);
  const items = called('M-5', 'M-6', 'M-7').map((seat_id) => ({ seat_id }));
  const held = await ask(`POST ${event()}/holds`, { body: { items, for: 'Sannie Botha' } });
  const holds = (held.data.holds as { hold_id: string }[]).map(({ hold_id }) => hold_id);
  await ask(`POST ${event()}/sell`, { body: { hold_ids: holds.slice(0, 2), method: 'cash' } });
  await block(called('K-5', 'K-6', 'K-7'), 'camera crane');
  await block(called('L-5'), 'camera crane');
  await block(called('M-5'), 'broken seat');
}, 60_000);

async function openOffice(device?: object): Promise<Page> {
  const page = await shop.visit(`/staff/events/${shop.eventId('theatre')}/office`, device);
  await page.getByRole('button', { name: 'As owner', exact: true }).click();
  await page.getByTestId('hall-map').locator('canvas').first().waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  return page;
}

const countOf = async (page: Page, kind: string) =>
  Number((await page.locator(`[data-count=${kind}]`).textContent())?.replaceAll(/\D/g, ''));

describe('what is out of the sale', { timeout: VISIT_MS }, () => {
  it('is in the legend of the map, counted', async () => {
    const page = await openOffice();
    const kept = seats.filter(({ companion_of }) => companion_of).length;
    const expected = { held: 1, sold: 1, blocked: 4, reseat: 1, kept };
    for (const [kind, number] of Object.entries(expected)) {
      await eventually(
        async () => [kind, await countOf(page, kind)].join() === `${kind},${number}`,
      );
    }
    expect(await countOf(page, 'free')).toBe(seats.length - 7 - kept);
    await page.close();
  });

  it.each([
    ['light', {}],
    ['dark', { ...PHONE, colorScheme: 'dark' }],
  ])('is listed by reason, with who and when; shown and unblocked: %s', async (_, device) => {
    const page = await openOffice(device);
    const list = page.getByRole('region', { name: 'Blocked seats' });
    const line = list.getByRole('listitem').filter({ hasText: 'camera crane' });
    await line.getByText('4 seats').waitFor();
    await line.getByText(/L-5, K-5, K-6, K-7/).waitFor();
    // The venue's clock, which is not the reader's.
    expect(await line.getByText(/\(Tokyo\)$/).count()).toBe(2);
    const broken = list.getByRole('listitem').filter({ hasText: 'broken seat' });
    await broken.getByText('1 ticket needs another seat').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    const before = await page.getByTestId('hall-map').screenshot();
    await line.getByRole('button', { name: 'Show on the map' }).click();
    await eventually(async () => {
      const now = await page.getByTestId('hall-map').screenshot();
      return !now.equals(before);
    });
    await page.close();
  });

  it('keeps its number in the list, where aisles are gaps', async () => {
    const page = await openOffice();
    await page.getByRole('radio', { name: 'List' }).check();
    for (const [label, state] of [
      ['M-6', 'sold'],
      ['K-5', 'closed'],
      ['M-7', 'held'],
    ] as const) {
      const seat = seatOf(page, label);
      expect(await seat.textContent()).toContain(label.slice(2));
      expect(await seat.getAttribute('aria-label')).toContain(state);
    }
    // Row H has its aisle between 12 and 13.
    const left = async (label: string) => (await seatOf(page, label).boundingBox())?.x ?? 0;
    const step = (await left('H-12')) - (await left('H-11'));
    const aisle = (await left('H-13')) - (await left('H-12'));
    expect(aisle).toBeGreaterThan(step * 1.3);
    await seatOf(page, 'M-6').click();
    expect(await seatOf(page, 'M-6').textContent()).toContain('6');
    expect(await barriersOf(page)).toEqual([]);
    await page.close();
  });

  it('goes from the list when it is unblocked, and comes when it is blocked, live', async () => {
    const page = await openOffice();
    const list = page.getByRole('region', { name: 'Blocked seats' });
    await list.getByRole('button', { name: 'Unblock: camera crane' }).click();
    await giveReason(page, 'taken down', 'Unblock 4 seats');
    await list.getByText('camera crane').waitFor({ state: 'detached' });
    await block(called('N-5'), 'a wet floor');
    await list.getByText('a wet floor').waitFor();
    await page.close();
  });

  it('is listed also where a reason is worded like the title of others', async () => {
    await block(called('N-7'), 'Closed since the event was planned');
    await shop.database.asSuperuser(
      `update event_seats set status = 'blocked' where event_id = $1 and seat_id = $2`,
      [shop.eventId('theatre'), called('N-8')[0]],
    );
    const body = { event_id: shop.eventId('theatre') };
    await ask('POST /api/admin/registry/reconcile', { body });
    const page = await openOffice();
    const lines = page.getByRole('region', { name: 'Blocked seats' }).getByRole('listitem');
    await lines.filter({ hasText: 'N-7' }).waitFor();
    await lines.filter({ hasText: 'N-8' }).waitFor();
    const same = lines.filter({ hasText: 'Closed since the event was planned' });
    expect(await same.count()).toBe(2);
    await page.close();
  });
});
