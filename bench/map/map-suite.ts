import {
  type Browser,
  type BrowserContextOptions,
  launchChromium,
  type Page,
} from '@voelgoed/testkit/chromium';
import { drawingOf } from '@voelgoed/testkit/drawings';
import { openMap } from '@voelgoed/testkit/maps';
import type { Drawing } from '@voelgoed/web/scene';

import { type Figure, figureOf, median, percentile } from '#measure';
import { METER, SCENES, type Scene } from './drive.ts';

const SUITE = 'map';
const SEATS = 100_000;
const FRAMES = 150;
/** What people wait for without wondering, and a frame that everybody sees stumble. */
const FIRST_PAINT = { below: 1_500 };
const STUMBLE = { below: 33 };
/** Sixty of them make a second. */
const FRAME = { below: 16.7 };

const DEVICES: Readonly<Record<string, BrowserContextOptions>> = {
  'desk 1280 × 800': { viewport: { width: 1_280, height: 800 } },
  'phone 390 × 844 at 2': {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
  },
};

export async function mapSuite(quick: boolean): Promise<Figure[]> {
  const drawing = await drawingOf({ preset: 'arena', seats: SEATS });
  const browser = await launchChromium();
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
  const busy: number[] = [];
  const figures: Figure[] = [];
  for (let round = 0; round < rounds; round++) {
    const page = await browser.newPage(options);
    const meter = await processorTime(page);
    await page.addInitScript(METER);
    const before_ms = await meter();
    await openMap(page, drawing);
    busy.push((await meter()) - before_ms);
    first.push(await page.evaluate('first_paint_ms'));
    if (round === rounds - 1) {
      for (const scene of SCENES) figures.push(...(await play(page, meter, scene, run)));
    }
    await page.close();
  }
  const name = `first paint, ${device}`;
  const note = 'from the text of the drawing, parsing included';
  return [
    figureOf(first, { suite: SUITE, name, unit: 'ms', target: FIRST_PAINT, note }),
    figureOf(busy, { suite: SUITE, name: `${name}, processor time`, unit: 'ms' }),
    ...figures,
  ];
}

type Meter = () => Promise<number>;

/** Of the page's main thread: on a shared machine it says more than the clock on the wall. */
async function processorTime(page: Page): Promise<Meter> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
}

type Driven = Readonly<{ intervals: number[]; works: number[]; busy_ms: number }>;

async function play(
  page: Page,
  meter: Meter,
  scene: Scene,
  { device, rounds }: Run,
): Promise<Figure[]> {
  const runs: Driven[] = [];
  for (let round = 0; round < rounds; round++) runs.push(await drive(page, meter, scene));
  const naming = (what: string) => ({ suite: SUITE, name: `${scene.name}, ${what}`, unit: 'ms' });
  const at = (percent: number, list: readonly number[]) =>
    percentile(
      [...list].sort((one, other) => one - other),
      percent,
    );
  return [
    figureOf(
      runs.map(({ busy_ms }) => busy_ms / FRAMES),
      { ...naming('processor time'), target: FRAME, note: device },
    ),
    figureOf(
      runs.map(({ works }) => at(95, works)),
      { ...naming('95 of 100 within'), target: STUMBLE },
    ),
    figureOf(
      runs.map(({ intervals }) => median(intervals)),
      naming('frame to frame'),
    ),
  ];
}

async function drive(page: Page, meter: Meter, { apart, step }: Scene): Promise<Driven> {
  const rest = () => page.waitForFunction('seatMap.isSettled', null, { timeout: 60_000 });
  await page.evaluate('seatMap.fitAll()');
  await rest();
  if (apart > 0) {
    // Seats stand 11 units apart in what the generator draws.
    await page.evaluate(`seatMap.showAt({ x: 0, y: -1100 }, ${apart} / 11)`);
    await rest();
  }
  await page.evaluate('raster = true');
  const before_ms = await meter();
  const driven = await page.evaluate(`drive(${FRAMES}, ${step})`);
  const busy_ms = (await meter()) - before_ms;
  await page.evaluate(`raster = false; pointer('pointerup', 0, 0)`);
  return { ...(driven as Omit<Driven, 'busy_ms'>), busy_ms };
}
