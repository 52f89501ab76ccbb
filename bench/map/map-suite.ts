import { launchChromium } from '@voelgoed/testkit/chromium';
import { drawingOf } from '@voelgoed/testkit/drawings';
import { openMap } from '@voelgoed/testkit/maps';
import type { Drawing } from '@voelgoed/web/scene';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type Figure, figureOf, median, percentile } from '#measure';
import { METER, SCENES, type Scene } from './drive.ts';

const SUITE = 'map';
const SEATS = 100_000;
const FRAMES = 150;
/** What people wait for without wondering, and a frame that everybody sees stumble. */
const FIRST_PAINT = { below: 1_500 };
const STUMBLE = { below: 33 };

const DEVICES: Readonly<Record<string, BrowserContextOptions>> = {
  'desk 1280 × 800': { viewport: { width: 1_280, height: 800 } },
  'phone 390 × 844 at 2': {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
  },
};

export async function mapSuite(quick: boolean, path: string): Promise<Figure[]> {
  const drawing = await drawingOf({ preset: 'arena', seats: SEATS });
  const browser = await launchChromium(path);
  const rounds = quick ? 1 : 3;
  try {
    const figures: Figure[] = [];
    for (const [device, options] of Object.entries(DEVICES)) {
      figures.push(...(await onDevice(browser, drawing, { device, options, rounds })));
    }
    return figures;
  } finally {
    await browser.close();
  }
}

type Run = Readonly<{ device: string; options: BrowserContextOptions; rounds: number }>;

async function onDevice(browser: Browser, drawing: Drawing, run: Run): Promise<Figure[]> {
  const { device, options, rounds } = run;
  const first: number[] = [];
  const figures: Figure[] = [];
  for (let round = 0; round < rounds; round++) {
    const page = await browser.newPage(options);
    await page.addInitScript(METER);
    await openMap(page, drawing);
    first.push(await page.evaluate('first_paint_ms'));
    if (round === rounds - 1) {
      for (const scene of SCENES) figures.push(...(await play(page, scene, device, rounds)));
    }
    await page.close();
  }
  const note = 'from the text of the drawing, parsing included';
  const name = `first paint, ${device}`;
  const naming = { suite: SUITE, name, unit: 'ms', target: FIRST_PAINT, note };
  return [figureOf(first, naming), ...figures];
}

type Driven = Readonly<{ intervals: number[]; works: number[] }>;

async function play(page: Page, scene: Scene, device: string, rounds: number): Promise<Figure[]> {
  const runs: Driven[] = [];
  const painted: Driven[] = [];
  for (let round = 0; round < rounds; round++) {
    runs.push(await drive(page, scene, false));
    painted.push(await drive(page, scene, true));
  }
  const naming = (what: string) => ({ suite: SUITE, name: `${scene.name}, ${what}`, unit: 'ms' });
  const at = (percent: number, lists: readonly (readonly number[])[]) =>
    lists.map((list) =>
      percentile(
        [...list].sort((one, other) => one - other),
        percent,
      ),
    );
  const works = painted.map(({ works: list }) => list);
  const note = device;
  return [
    figureOf(
      runs.map(({ intervals }) => median(intervals)),
      { ...naming('frame to frame'), note },
    ),
    figureOf(at(50, works), { ...naming('work and painting'), note }),
    figureOf(at(95, works), {
      ...naming('work and painting, 95 of 100'),
      target: STUMBLE,
      note,
    }),
  ];
}

async function drive(page: Page, { apart, step }: Scene, raster: boolean): Promise<Driven> {
  await page.evaluate(`raster = false; seatMap.fitAll()`);
  await page.waitForFunction('seatMap.isSettled', null, { timeout: 60_000 });
  if (apart > 0) {
    // Seats stand 11 units apart in what the generator draws.
    await page.evaluate(`seatMap.showAt({ x: 0, y: -1100 }, ${apart} / 11)`);
    await page.waitForFunction('seatMap.isSettled', null, { timeout: 60_000 });
  }
  await page.evaluate(`raster = ${raster}`);
  const driven = await page.evaluate(`drive(${FRAMES}, ${step})`);
  await page.evaluate(`raster = false; pointer('pointerup', 0, 0)`);
  return driven as Driven;
}
