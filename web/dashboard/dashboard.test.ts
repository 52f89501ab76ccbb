import { eventually } from '@voelgoed/testkit/eventually';
import {
  barriersOf,
  DESK,
  enterAs,
  type Page,
  PHONE,
  useDesk,
  useShop,
  VISIT_MS,
} from '@voelgoed/testkit/visitors';
import { beforeAll, describe, expect, it } from 'vitest';

const shop = useShop();
const { ask, buyer, sit } = useDesk(shop);

type Seat = { seat_id: string; label: string; zone_id: string; category: string };
let admin = '';
let event = '';
let seats: Seat[] = [];

const idOf = (label: string) => seats.find((seat) => seat.label === label)?.seat_id ?? '';
/** Money and thousands are written with spaces that do not break. */
const plain = (text: string) => text.replace(/\s/g, ' ');
const number = (one: unknown) => plain(Number(one).toLocaleString('en-ZA'));
const figure = (page: Page, name: string) =>
  page.locator(`[data-figure="${name}"]`).first().innerText().then(plain);
const numbersOf = (page: Page, name: string) =>
  page.locator(`[data-${name}]`).evaluateAll((all) => all.map((one) => one.textContent));
const isAbout = (url: string) => /\/(?:activity|occupancy|refunds|changes|history)\b/.test(url);

/** Held, given back, refused, sold at the door, let in, refunded, closed. */
async function aSmallSale(): Promise<void> {
  const [ann, ben] = [buyer('Ann'), buyer('Ben')];
  const hold = (who: typeof ann, ...labels: string[]) =>
    who(`POST /api/events/${event}/holds`, {
      body: { items: labels.map((label) => ({ seat_id: idOf(label) })), allow_orphan: true },
    });
  const space = seats.find(({ category }) => category === 'wheelchair');
  const held = await hold(ann, 'A-1', 'A-2', space?.label ?? '');
  expect(held.status).toBe(201);
  expect((await hold(ben, 'A-1')).body.error).toBe('seat_held_by_another_user');
  await hold(ben, 'A-4');
  await ben(`DELETE /api/events/${event}/holds`);
  await hold(ben, 'A-6', 'A-8');
  const body = { event_id: event };
  expect((await ben('POST /api/checkouts', { body })).status).toBe(201);
  await ben('POST /api/checkouts', { body });
  const hold_ids = (held.data.holds as { hold_id: string }[]).map(({ hold_id }) => hold_id);
  const sale = { hold_ids, method: 'cash', for_holder: true };
  const sold = await ask(`POST ${admin}/sell`, { body: sale });
  const tickets = sold.data.tickets as { ticket_id: string; code: string }[];
  await ask(`POST ${admin}/seats/block`, { body: { seat_ids: [idOf('B-1')], reason: 'rain' } });
  await ask(`POST /api/admin/tickets/${tickets[1]?.ticket_id}/refund`, { body: { reason: 'ill' } });
  // Over tomorrow: whatever time it is here and there, the sale goes on and the doors may open.
  const now_ms = Date.parse(sold.headers.get('date') ?? '');
  const days = [0, 1].map((day) => new Date(now_ms + day * 86_400_000).toISOString().slice(0, 10));
  const times = { starts_at: `${days[0]}T00:00:00Z`, ends_at: `${days[1]}T23:00:00Z` };
  await ask(`PATCH ${admin}`, { body: { ...times, days } });
  await ask(`POST ${admin}/open`);
  await ask(`POST /api/tickets/${tickets[0]?.code}/entries`, { body: { direction: 'in' } });
}

describe('the live dashboard', { timeout: VISIT_MS }, () => {
  beforeAll(async () => {
    event = shop.eventId('theatre');
    admin = `/api/admin/events/${event}`;
    seats = (await ask(`GET /api/events/${event}/seatmap`)).data.seats as Seat[];
    await aSmallSale();
    // Refusals are written once a second.
    await eventually(async () => {
      const { data } = await ask(`GET ${admin}/activity`);
      return (data.refusals as unknown[]).length > 0;
    });
  }, VISIT_MS);

  it('shows the numbers of the API', async () => {
    const page = await sit(`/staff/events/${event}/dashboard`);
    await page.getByText('How far people come').waitFor();
    const activity = (await ask(`GET ${admin}/activity`)).data;
    const filled = (await ask(`GET ${admin}/occupancy`)).data;
    const funnel = activity.funnel as Record<string, number>;
    expect(funnel).toMatchObject({ checkout_started: 1, tickets: 3, ticket_scanned: 1 });
    const orders = ['page_view', 'checkout_started', 'payment_initiated', 'payment_completed'];
    const places = (activity.buckets as Record<string, number>[]).reduce(
      (sum, { seats_held = 0 }) => sum + seats_held,
      0,
    );
    const wanted = [
      ...orders.map((step) => number(funnel[step])),
      ...[places, funnel.tickets, funnel.ticket_scanned].map(number),
    ];
    await eventually(async () => {
      expect(await numbersOf(page, 'funnel')).toEqual(wanted);
      return true;
    });
    for (const name of ['sold', 'held', 'available', 'blocked']) {
      expect([name, await figure(page, name)]).toEqual([name, number(filled[name])]);
    }
    expect(await figure(page, 'inside')).toBe(number(filled.live_attendees));
    const seating = filled.seating as Record<string, number>;
    expect(seating.orphans).toBeGreaterThan(0);
    await eventually(async () => (await figure(page, 'orphans')) === number(seating.orphans));
    const share = seating.accessibility_utilisation ?? 0;
    expect(share).toBeGreaterThan(0);
    expect(await figure(page, 'accessibility')).toBe(`${Math.round(share * 100)}%`);
    expect(await figure(page, 'conversion')).toBe(`${Math.round((funnel.conversion ?? 0) * 100)}%`);
    const codes = activity.refusals as { code: string; refused: number }[];
    expect(codes).toEqual([{ code: 'seat_held_by_another_user', refused: 1 }]);
    expect(await figure(page, 'refused')).toBe('1');
    expect(await numbersOf(page, 'refused')).toEqual(['1']);
    const due = (await ask(`GET /api/admin/refunds?status=due&event_id=${event}`)).list;
    expect(due).toHaveLength(1);
    expect(await figure(page, 'refunds')).toBe(`R ${Number(due[0]?.amount_cents) / 100}`);
    await zonesAre(page, filled.zones as Record<string, unknown>[]);
    await minutesAre(page, activity.buckets as Record<string, number>[]);
    expect(await barriersOf(page)).toEqual([]);
    await page.close();
  });

  it('is told of changes without asking, and asks seldom for what nobody tells', async () => {
    const page = await shop.visit('/staff');
    await page.clock.install();
    await page.getByRole('button', { name: 'As owner', exact: true }).click();
    await page.getByRole('heading', { name: 'Events' }).waitFor();
    await page.goto(`${shop.node().address}/staff/events/${event}/dashboard`);
    await page.locator('[data-funnel="tickets"]').waitFor();
    await page.getByText('rain', { exact: false }).first().waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const about = () => asked.filter(isAbout);
    const [held, holds] = [await figure(page, 'held'), await numbersOf(page, 'funnel')];
    const seat_id = idOf('C-1');
    await buyer('Cleo')(`POST /api/events/${event}/seats/${seat_id}/reserve`);
    await eventually(async () => Number(await figure(page, 'held')) === Number(held) + 1);
    await eventually(
      async () => Number((await numbersOf(page, 'funnel'))[4]) === Number(holds[4]) + 1,
    );
    await page.getByText('C-1: held').waitFor();
    expect(about()).toEqual([]);
    const canvas = page.locator('canvas').last();
    await canvas.evaluate((one) => Object.assign(one, { isFirst: true }));
    // The line of the holds in the last hour: flat it would be as high as it is thick.
    await eventually(async () => (await heightOf(page, '--accent')) > 40);
    const drawn = () => canvas.evaluate((one) => (one as unknown as Canvas).toDataURL());
    const before = await drawn();
    await buyer('Dora')(`POST /api/events/${event}/seats/${idOf('C-3')}/reserve`);
    await eventually(async () => (await drawn()) !== before);
    // Nothing for nine seconds; what is not pushed is asked for a while later.
    await page.clock.fastForward(9_000);
    await page.evaluate(`fetch('/health/live').then((reply) => reply.text())`);
    expect(about()).toEqual([]);
    await eventually(async () => {
      await page.clock.fastForward(9_000);
      await page.evaluate(`fetch('/health/live').then((reply) => reply.text())`);
      return about().some((path) => path.endsWith('/activity'));
    });
    // New numbers went to the chart that was there: whoever points at it goes on pointing.
    expect(await canvas.evaluate((one) => 'isFirst' in one)).toBe(true);
    await page.close();
  });

  it('has its charts as tables, on a phone in the dark as well, in Afrikaans', async () => {
    const page = await sit(`/staff/events/${event}/dashboard`, {
      ...PHONE,
      colorScheme: 'dark',
      locale: 'af-ZA',
    });
    await page.getByText('Hoe ver mense kom').waitFor();
    await page.locator('canvas').first().waitFor();
    for (const table of await page.getByText('As ’n tabel').all()) await table.click();
    await page.getByRole('columnheader', { name: 'Besprekings' }).waitFor();
    expect(await barriersOf(page)).toEqual([]);
    const wide = 'document.documentElement.scrollWidth > innerWidth';
    expect(await page.evaluate(wide)).toBe(false);
    await page.close();
  });

  it('shows a viewer the figures, and nothing of who is behind them', async () => {
    const page = await shop.visit('/staff', DESK);
    const telling: string[] = [];
    page.on('response', (reply) => {
      const url = reply.url();
      if (!url.includes('/api/admin/')) return;
      const read = (text: string) => {
        if (/user_id|"reason"|cart_token|made_by/.test(text)) telling.push(url);
      };
      void reply.text().then(read, () => {});
    });
    await enterAs(page, 'viewer', `/staff/events/${event}/dashboard`);
    const filled = (await ask(`GET ${admin}/occupancy`)).data;
    await eventually(async () => (await figure(page, 'sold')) === number(filled.sold));
    await eventually(async () => (await numbersOf(page, 'funnel'))[5] === '3');
    const figures = (await ask(`GET ${admin}/figures`)).data;
    expect(await figure(page, 'takings')).toBe(`R ${number(Number(figures.tickets_cents) / 100)}`);
    // Sold 2 beside 3 issued: one was refunded.
    expect(figures).toMatchObject({ tickets: 2, tickets_ended: 1 });
    await page.getByText('1 void or refunded').waitFor();
    await page.getByText('Seat was in another cart').waitFor();
    for (const heading of ['Lately', 'Hot areas']) {
      expect(await page.getByRole('heading', { name: heading }).count()).toBe(0);
    }
    expect(await page.getByRole('link', { name: 'Replay', exact: true }).count()).toBe(0);
    expect(await page.getByText('rain').count()).toBe(0);
    // It moves without the log: what everybody sees of the seats is pushed.
    const held = Number(await figure(page, 'held'));
    await buyer('Emma')(`POST /api/events/${event}/seats/${idOf('C-5')}/reserve`);
    await eventually(async () => Number(await figure(page, 'held')) === held + 1);
    expect(telling).toEqual([]);
    expect(await barriersOf(page)).toEqual([]);
    await page.close();
  });

  it('is for those who may see figures; its charts are nobody else’s to fetch', async () => {
    const page = await shop.visit('/staff', DESK);
    const files: string[] = [];
    page.on('request', (request) => files.push(request.url()));
    await page.getByRole('button', { name: 'As owner', exact: true }).click();
    await page.getByRole('heading', { name: 'Events' }).waitFor();
    expect(files.filter((file) => /assets\/(?:dashboard|uPlot)/.test(file))).toEqual([]);
    await page.getByRole('link', { name: 'Dashboard' }).first().click();
    await page.getByText('How far people come').waitFor();
    await page.locator('canvas').first().waitFor();
    expect(files.some((file) => /assets\/dashboard/.test(file))).toBe(true);
    expect(files.some((file) => /assets\/uPlot/.test(file))).toBe(true);
    await page.close();
  });
});

type Canvas = { toDataURL(): string };

/** Over how many rows of a drawing a colour is spread; what is blended with others is none. */
const HEIGHT = `(canvas, colour) => {
  const sample = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  sample.fillStyle = getComputedStyle(canvas).getPropertyValue(colour).trim();
  sample.fillRect(0, 0, 1, 1);
  const ink = sample.getImageData(0, 0, 1, 1).data;
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
  const rows = new Set();
  for (let at = 0; at < data.length; at += 4) {
    const isInk = [0, 1, 2, 3].every((part) => Math.abs(data[at + part] - ink[part]) < 4);
    if (isInk) rows.add(Math.floor(at / 4 / width));
  }
  return rows.size;
}`;

/** Of the last chart of the page. */
const heightOf = (page: Page, colour: string) =>
  page.evaluate<number>(
    `(${HEIGHT})([...document.querySelectorAll('canvas')].at(-1), '${colour}')`,
  );

async function zonesAre(page: Page, zones: Record<string, unknown>[]): Promise<void> {
  for (const zone of zones) {
    const texts = await page.locator(`[data-zone="${zone.name}"] td`).allInnerTexts();
    const cells = texts.map(plain);
    const wanted = [zone.sold, zone.held, zone.blocked, zone.available].map(number);
    expect([zone.name, ...cells]).toEqual([zone.name, ...wanted]);
  }
}

/** The table of the last hour has what the API counts by the minute. */
async function minutesAre(page: Page, buckets: Record<string, number>[]): Promise<void> {
  const part = page.getByRole('region', { name: 'Each minute of the last hour: As a table' });
  await page.locator('figure summary').last().click();
  const rows = await part.last().locator('tbody tr').allInnerTexts();
  const sums = [0, 0, 0, 0];
  for (const row of rows) {
    const cells = row.split('\t').slice(1).map(Number);
    for (const [index, cell] of cells.entries()) sums[index] = (sums[index] ?? 0) + cell;
  }
  const total = (name: string) => buckets.reduce((sum, one) => sum + (one[name] ?? 0), 0);
  expect(sums).toEqual(['holds', 'tickets', 'expired', 'refused'].map(total));
}
