import { useBrowser } from '@voelgoed/testkit/browser';
import type { Page } from '@voelgoed/testkit/chromium';
import { drawingOf } from '@voelgoed/testkit/drawings';
import { fingersOn, openMap } from '@voelgoed/testkit/maps';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Drawing, SeatMap } from './map.ts';

declare global {
  var seatMap: SeatMap;
  var drawn: { lassos: [number[], boolean][]; drops: [number, number][] };
}

const open = useBrowser();
let theatre: Drawing;
beforeAll(async () => {
  theatre = await drawingOf({ preset: 'theatre', rows: 12, balcony_rows: 4 });
}, 60_000);

async function show(device: object = { viewport: { width: 1_000, height: 700 } }) {
  const page = await open(device);
  await openMap(page, theatre, '{ reducedMotion: true }');
  await page.evaluate(() => {
    globalThis.drawn = { lassos: [], drops: [] };
    seatMap.on('lasso', ({ ordinals, isAdding }) => drawn.lassos.push([[...ordinals], isAdding]));
    seatMap.on('drop', ({ from, to }) => drawn.drops.push([from.ordinal, to.ordinal]));
  });
  return page;
}

const drawnOn = (page: Page) => page.evaluate(() => drawn);
const choose = (page: Page, tool: 'lasso' | 'move' | null) =>
  page.evaluate((name) => seatMap.setTool(name), tool);

async function placeOf(page: Page, ordinal: number) {
  const place = await page.evaluate((seat) => seatMap.placeOf(seat), ordinal);
  if (!place) throw new Error(`there is no seat ${ordinal}`);
  return place;
}

/** The corners of a square around a seat, so wide that only its own middle is in it. */
async function around(page: Page, ordinal: number) {
  const { x, y, radius } = await placeOf(page, ordinal);
  const reach = radius * 1.1;
  return [
    { x: x - reach, y: y - reach },
    { x: x + reach, y: y - reach },
    { x: x + reach, y: y + reach },
    { x: x - reach, y: y + reach },
  ];
}

async function draw(page: Page, corners: readonly { x: number; y: number }[]): Promise<void> {
  const [first, ...rest] = corners;
  if (!first) return;
  await page.mouse.move(first.x, first.y);
  await page.mouse.down();
  for (const { x, y } of rest) await page.mouse.move(x, y, { steps: 3 });
}

async function near(page: Page, ordinal: number) {
  await page.evaluate((seat) => seatMap.focusSeats([seat]), ordinal);
  await page.waitForFunction(() => seatMap.isSettled);
}

describe('a lasso', () => {
  it('takes the seats inside, adds with Shift, and is given up with Escape', async () => {
    const page = await show();
    await near(page, 40);
    const before = await page.evaluate(() => seatMap.view.scale);
    await choose(page, 'lasso');
    await draw(page, await around(page, 40));
    await page.mouse.up();
    await page.keyboard.down('Shift');
    await draw(page, await around(page, 42));
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await draw(page, await around(page, 41));
    await page.keyboard.press('Escape');
    await page.mouse.up();
    expect(await drawnOn(page)).toEqual({
      lassos: [
        [[40], false],
        [[42], true],
      ],
      drops: [],
    });
    // The map has stood still; without the tool the same line moves it.
    const still = await placeOf(page, 40);
    await choose(page, null);
    await draw(page, await around(page, 40));
    await page.mouse.up();
    await page.waitForFunction(() => seatMap.isSettled);
    expect(await placeOf(page, 40)).not.toEqual(still);
    expect((await drawnOn(page)).lassos).toHaveLength(2);
    expect(await page.evaluate(() => seatMap.view.scale)).toBe(before);
    await page.close();
  });

  it('is drawn with a finger; two fingers move the map all the same', async () => {
    const phone = { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true };
    const page = await show(phone);
    await choose(page, 'lasso');
    const fingers = await fingersOn(page);
    const scale = await page.evaluate(() => seatMap.view.scale);
    await fingers.pinch({ x: 195, y: 350 }, 80, 240);
    await page.waitForFunction(() => seatMap.isSettled);
    expect(await page.evaluate(() => seatMap.view.scale)).toBeGreaterThan(scale * 1.5);
    expect((await drawnOn(page)).lassos).toEqual([]);
    await fingers.swipe({ x: 100, y: 300 }, { x: 300, y: 420 });
    expect((await drawnOn(page)).lassos).toHaveLength(1);
    await page.close();
  });
});

describe('dragging a sold seat', () => {
  it('tells where it was dropped; a free one moves the map instead', async () => {
    const page = await show();
    await near(page, 40);
    await page.evaluate(() => seatMap.applyChanges([[40, 2]], { animate: false }));
    await choose(page, 'move');
    await draw(page, [await placeOf(page, 40), await placeOf(page, 43)]);
    await page.mouse.up();
    expect((await drawnOn(page)).drops).toEqual([[40, 43]]);
    await draw(page, [await placeOf(page, 41), await placeOf(page, 43)]);
    await page.mouse.up();
    expect((await drawnOn(page)).drops).toHaveLength(1);
    await page.close();
  });
});
