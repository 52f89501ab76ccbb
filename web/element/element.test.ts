import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { useBrowser } from '@voelgoed/testkit/browser';
import type { Page } from '@voelgoed/testkit/chromium';
import { eventually } from '@voelgoed/testkit/eventually';
import { aHybridHall, useShows } from '@voelgoed/testkit/shows';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SeatMapElement } from './element.ts';

const shows = useShows({ CORS_ORIGINS: '*' });
const open = useBrowser();
const shop = useShop();

declare global {
  var heard: [name: string, detail: Record<string, never>][];
}

const EVENTS = ['ready', 'seat', 'zone', 'cart', 'refused', 'status', 'failed'];

/** Another site, on a port of its own: it answers every path with one page. */
function useShop() {
  let body = '';
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(body);
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server.close();
  });
  return (page: string) => {
    body = page;
    const { port } = server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/`;
  };
}

/** A page of another site that knows nothing but an address and an event. */
async function embed(eventId: string, attributes = ''): Promise<Page> {
  const page = await open({ viewport: { width: 800, height: 600 } });
  const { address } = shows.node();
  const url = shop(`<!doctype html><html lang="en"><head><title>A shop</title>
<style>voelgoed-seat-map { height: 560px; --seat-map-background: rgb(250, 240, 230); }</style>
<script>globalThis.heard = [];
for (const name of ${JSON.stringify(EVENTS)})
  addEventListener(name, (event) => heard.push([name, event.detail]));</script>
<script type="module" src="${address}/element/seat-map.js"></script></head>
<body><voelgoed-seat-map event="${eventId}" ${attributes}></voelgoed-seat-map></body></html>`);
  await page.goto(url);
  return page;
}

const element = (page: Page) => page.locator('voelgoed-seat-map');

async function ready(page: Page): Promise<void> {
  await page.waitForFunction(() => heard.some(([name]) => name === 'ready'));
  await settled(page);
}

const settled = (page: Page) =>
  page.waitForFunction(
    () => document.querySelector<SeatMapElement>('voelgoed-seat-map')?.map?.isSettled === true,
  );

/** Where a seat is on the page. */
async function placeOf(page: Page, ordinal: number): Promise<{ x: number; y: number }> {
  return element(page).evaluate((host, seat) => {
    const { left, top } = host.getBoundingClientRect();
    const place = (host as SeatMapElement).map?.placeOf(seat);
    if (!place) throw new Error('no such seat');
    return { x: left + place.x, y: top + place.y };
  }, ordinal);
}

async function click(page: Page, ordinal: number): Promise<void> {
  await element(page).evaluate(
    (host, seat) => (host as SeatMapElement).map?.focusSeats([seat]),
    ordinal,
  );
  await settled(page);
  const { x, y } = await placeOf(page, ordinal);
  await page.mouse.click(x, y);
}

const stateOf = (page: Page, ordinal: number) =>
  element(page).evaluate((host, seat) => (host as SeatMapElement).map?.stateOf(seat), ordinal);

/** The last thing of a kind that the page was told. */
const last = (page: Page, name: string) =>
  page.evaluate((kind) => heard.filter(([one]) => one === kind).at(-1)?.[1] ?? null, name);

const labels = async (page: Page): Promise<string[]> => {
  const cart = (await last(page, 'cart')) as { holds: { label?: string }[] } | null;
  return (cart?.holds ?? []).flatMap(({ label }) => label ?? []);
};

const statusOf = async (eventId: string, seat: string | undefined) =>
  (await shows.open(`GET /api/events/${eventId}/seats/${seat}`)).data.status;

describe('<voelgoed-seat-map>', () => {
  it('holds and gives back seats from a page of another site', async () => {
    const { eventId, seats } = await shows.show({ config: aHybridHall() });
    const page = await embed(eventId);
    await ready(page);
    await click(page, 2);
    await eventually(async () => (await labels(page)).length === 1);
    expect(await statusOf(eventId, seats[2])).toBe('held');
    expect(await element(page).evaluate((host) => (host as SeatMapElement).cartToken)).toBeTruthy();
    await click(page, 3);
    await eventually(async () => (await labels(page)).length === 2);
    await page.reload();
    await ready(page);
    await eventually(async () => (await labels(page)).length === 2);
    await click(page, 2);
    await eventually(async () => (await labels(page)).length === 1);
    expect(await statusOf(eventId, seats[2])).toBe('available');
  });

  it('shows what others do, and takes back what somebody else was quicker with', async () => {
    const { eventId, seats } = await shows.show({ config: aHybridHall() });
    const page = await embed(eventId);
    await ready(page);
    const ann = shows.buyer();
    await ann.hold(eventId, [{ seat_id: seats[3] }]);
    await eventually(async () => (await stateOf(page, 3)) === 1);
    // From here on this page does not hear of changes: it must believe the seat is free.
    await page.route('**/stream*', (route) => route.abort());
    await element(page).evaluate((host) => {
      const map = (host as SeatMapElement).map;
      map?.applyChanges([[3, 0]]);
    });
    await click(page, 3);
    await eventually(async () => (await last(page, 'refused')) !== null);
    expect(await last(page, 'refused')).toMatchObject({
      code: 'seat_held_by_another_user',
      seat: { seat_id: seats[3] },
    });
    expect(await labels(page)).toEqual([]);
  });

  it('leaves the choice to a page that wants it, and holds places of areas', async () => {
    const { eventId, seats, zones } = await shows.show({ config: aHybridHall() });
    const page = await embed(eventId);
    await ready(page);
    await page.evaluate(() => {
      const stop = (event: Event) => event.preventDefault();
      addEventListener('seat', stop, { once: true });
    });
    await click(page, 1);
    await eventually(async () => (await last(page, 'seat')) !== null);
    expect(await statusOf(eventId, seats[1])).toBe('available');
    await element(page).evaluate((host, zone) => {
      (host as SeatMapElement).map?.fitZone(zone ?? '');
    }, zones[1]);
    await settled(page);
    const box = await element(page).boundingBox();
    await page.mouse.click((box?.x ?? 0) + 400, (box?.y ?? 0) + 280);
    await eventually(async () => {
      const cart = (await last(page, 'cart')) as { holds: { zone_id: string }[] } | null;
      return cart?.holds[0]?.zone_id === zones[1];
    });
  });

  it('has its colours from the page, and says what it cannot show', async () => {
    const { eventId } = await shows.show({ config: aHybridHall() });
    const page = await embed(eventId, 'readonly');
    await ready(page);
    const corner = await element(page).evaluate((host) => {
      const canvas = host.shadowRoot?.querySelector('canvas');
      return [...(canvas?.getContext('2d')?.getImageData(3, 3, 1, 1).data ?? [])];
    });
    expect(corner.slice(0, 3)).toEqual([250, 240, 230]);
    const lost = await embed('00000000-0000-7000-8000-000000000000', 'lang="af"');
    await eventually(async () => (await last(lost, 'failed')) !== null);
    expect(await last(lost, 'failed')).toMatchObject({ code: 'event_not_found' });
    const banner = lost.locator('voelgoed-seat-map .banner');
    expect(await banner.textContent()).toContain('sitplekkaart');
  });

  it('works in the example page that is served beside it', async () => {
    const { eventId } = await shows.show({ config: aHybridHall() });
    const page = await open({ viewport: { width: 1_000, height: 700 } });
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(`${shows.node().address}/element/example.html?event=${eventId}`);
    await eventually(async () => /seats/.test((await page.locator('#status').textContent()) ?? ''));
    await settled(page);
    await click(page, 5);
    await eventually(async () => (await page.locator('#holds li').count()) === 1);
    expect(complaints).toEqual([]);
  });
});
