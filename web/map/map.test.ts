import { useBrowser } from '@voelgoed/testkit/browser';
import type { Page } from '@voelgoed/testkit/chromium';
import { drawingOf } from '@voelgoed/testkit/drawings';
import { fingersOn, openMap } from '@voelgoed/testkit/maps';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Drawing, PointedSeat, SeatMap } from './map.ts';

declare global {
  var seatMap: SeatMap;
  var drawing: Drawing;
  var told: { seat: PointedSeat[]; zone: string[]; hover: (string | null)[] };
}

const DESK = { viewport: { width: 1_000, height: 700 } };
const PHONE = {
  viewport: { width: 390, height: 700 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
};

const open = useBrowser();
let theatre: Drawing;
let arena: Drawing;
let festival: Drawing;
beforeAll(async () => {
  theatre = await drawingOf({ preset: 'theatre', rows: 12, balcony_rows: 4 });
  arena = await drawingOf({ preset: 'arena', seats: 20_000 });
  festival = await drawingOf({ preset: 'festival' });
}, 60_000);

/** Without motion, so that a frame after a wish is the last one. */
async function show(drawing: Drawing, device: object = DESK, options = 'reducedMotion: true') {
  const page = await open(device);
  await openMap(page, drawing, `{ ${options} }`);
  await page.evaluate(() => {
    globalThis.told = { seat: [], zone: [], hover: [] };
    seatMap.on('seat', (seat) => told.seat.push(seat));
    seatMap.on('zone', (zone) => told.zone.push(zone.zone_id));
    seatMap.on('hover', (seat) => told.hover.push(seat?.seat.label ?? null));
  });
  return page;
}

const settled = (page: Page) => page.waitForFunction(() => seatMap.isSettled);

async function placeOf(page: Page, ordinal: number) {
  const place = await page.evaluate((seat) => seatMap.placeOf(seat), ordinal);
  if (!place) throw new Error(`there is no seat ${ordinal}`);
  return place;
}

async function focus(page: Page, ordinal: number) {
  await page.evaluate((seat) => seatMap.focusSeats([seat]), ordinal);
  await settled(page);
  return placeOf(page, ordinal);
}

/** Red, green and blue of the map at a point. */
async function pixel(page: Page, x: number, y: number): Promise<readonly number[]> {
  return page.evaluate(
    ([px, py]) => {
      const canvas = document.querySelector<HTMLCanvasElement>('.voelgoed-map__canvas');
      const at = (value: number) => Math.round(value * devicePixelRatio);
      const data = canvas?.getContext('2d')?.getImageData(at(px ?? 0), at(py ?? 0), 1, 1).data;
      return [...(data ?? [])].slice(0, 3);
    },
    [x, y],
  );
}

const far = (one: readonly number[], other: readonly number[]) =>
  Math.hypot(...one.map((value, index) => value - (other[index] ?? 0)));

const view = (page: Page) => page.evaluate(() => seatMap.view);

describe('choosing seats', () => {
  it('tells the very seat that was clicked, wherever it is', async () => {
    const page = await show(theatre);
    await focus(page, 150);
    const shown = await page.evaluate(() =>
      drawing.seats
        .map(({ ordinal }) => ({ ordinal, ...seatMap.placeOf(ordinal) }))
        .filter(({ x = 0, y = 0 }) => x > 20 && y > 20 && x < 800 && y < 540),
    );
    const chosen = shown.filter((_, index) => index % Math.ceil(shown.length / 12) === 0);
    expect(chosen.length).toBeGreaterThan(8);
    for (const { ordinal, x = 0, y = 0, radius = 0 } of chosen) {
      await page.mouse.click(x + 0.4 * radius, y - 0.4 * radius, { delay: 1 });
      const last = await page.evaluate(() => told.seat.at(-1));
      expect(last?.ordinal).toBe(ordinal);
      expect(last?.seat.seat_id).toBe(theatre.seats[ordinal]?.seat_id);
      expect(last?.pointer).toBe('mouse');
    }
  });

  it('takes quick clicks on neighbours as two wishes, a double click as one', async () => {
    const page = await show(theatre);
    const { x, y } = await focus(page, 60);
    const next = await placeOf(page, 61);
    await page.mouse.click(x, y);
    await page.mouse.click(next.x, next.y);
    await page.mouse.dblclick(next.x, next.y);
    const ordinals = await page.evaluate(() => told.seat.map(({ ordinal }) => ordinal));
    expect(ordinals.slice(0, 2)).toEqual([60, 61]);
    expect(ordinals.length).toBeLessThanOrEqual(3);
  });

  it('finds the nearest seat for a finger beside it, and none further than 22 pixels', async () => {
    const page = await show(theatre, PHONE);
    const { x, y, radius } = await focus(page, 0);
    const beside = await page.evaluate(
      ([px, py, r]) => {
        const at = (away: number) =>
          seatMap.seatAt(px ?? 0, (py ?? 0) - away, 'touch')?.ordinal ?? null;
        return [at((r ?? 0) + 5), at(21), at(26)];
      },
      [x, y, radius],
    );
    const nearest = (away: number) => {
      const seat = theatre.seats[0];
      const scale = radius / 0.43 / 11;
      const distances = theatre.seats.map((other) =>
        Math.hypot((other.x - (seat?.x ?? 0)) * scale, (other.y - (seat?.y ?? 0)) * scale + away),
      );
      const least = Math.min(...distances);
      return least <= 22 ? distances.indexOf(least) : null;
    };
    expect(beside).toEqual([nearest(radius + 5), nearest(21), nearest(26)]);
  });

  it('goes into a section that is tapped from afar, and to its seats', async () => {
    const page = await show(arena);
    expect((await view(page)).level).toBe('far');
    const { x, y } = await placeOf(page, 4_000);
    await page.mouse.click(x, y);
    await settled(page);
    const { level, isAll } = await view(page);
    expect([level, isAll]).toEqual(['near', false]);
    expect(await page.evaluate(() => told.zone)).toEqual([arena.seats[4_000]?.zone_id]);
    expect(await page.evaluate(() => told.seat)).toEqual([]);
    const after = await placeOf(page, 4_000);
    expect(after.x).toBeGreaterThan(0);
    expect(after.x).toBeLessThan(1_000);
  });

  it('tells an area, and a seat by keyboard alone', async () => {
    const page = await show(festival);
    const pit = festival.zones.find(({ name }) => name === 'Pit');
    const middle = await page.evaluate(() => {
      const { visible, scale } = seatMap.view;
      return { x: (0 - visible.left) * scale, y: (100 - visible.top) * scale };
    });
    await page.mouse.click(middle.x, middle.y);
    expect(await page.evaluate(() => told.zone)).toEqual([pit?.zone_id]);
    await page.locator('.voelgoed-map__canvas').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    const [first] = await page.evaluate(() => told.seat);
    expect(first?.pointer).toBe('keyboard');
    await settled(page);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    const [, second] = await page.evaluate(() => told.seat);
    expect(second?.seat.row).toBe(first?.seat.row);
    expect(second?.seat.number).toBe((first?.seat.number ?? 0) + 1);
  });

  it('points at seats under a mouse and at nothing beside them', async () => {
    const page = await show(theatre);
    const { x, y } = await focus(page, 40);
    await page.mouse.move(x, y);
    await page.mouse.move(2, 2);
    expect(await page.evaluate(() => told.hover)).toEqual([theatre.seats[40]?.label, null]);
  });
});

describe('what is painted', () => {
  const STATES = [0, 1, 2, 3];

  it('differs by state in colour and in shape, and follows changes', async () => {
    const page = await show(theatre, DESK, 'reducedMotion: true, prices: new Map()');
    const { x, y, radius } = await focus(page, 60);
    const looks: (readonly number[])[][] = [];
    for (const state of STATES) {
      await page.evaluate((to) => seatMap.applyChanges([[60, to]], { animate: false }), state);
      await settled(page);
      const points = [0, 0.35, 0.75].map((part) => [x + part * radius, y] as const);
      looks.push(await Promise.all(points.map(([px, py]) => pixel(page, px, py))));
    }
    for (const one of STATES) {
      for (const other of STATES.filter((state) => state > one)) {
        const [a, b] = [looks[one] ?? [], looks[other] ?? []];
        const most = Math.max(...a.map((colour, index) => far(colour, b[index] ?? [])));
        expect(most).toBeGreaterThan(40);
      }
    }
    // The edge of a free seat has its colour, that of a sold one the ground's or nearly so.
    expect(far(looks[0]?.[2] ?? [], [13, 133, 119])).toBeLessThan(12);
    expect(far(looks[2]?.[2] ?? [], [13, 133, 119])).toBeGreaterThan(100);
  });

  it('shows own seats, takes back what was refused, and is still afterwards', async () => {
    const page = await show(theatre);
    const { x, y, radius } = await focus(page, 60);
    const edge = () => pixel(page, x, y - 0.75 * radius);
    const free = await edge();
    await page.evaluate(() => seatMap.setPending([60]));
    await settled(page);
    const asked = await edge();
    expect(far(asked, free)).toBeGreaterThan(60);
    await page.evaluate(() => seatMap.setMine([60]));
    await settled(page);
    expect(far(await edge(), [17, 24, 39])).toBeLessThan(10);
    await page.evaluate(() => {
      seatMap.setMine([]);
      seatMap.refuse([60]);
    });
    await settled(page);
    expect(await edge()).toEqual(free);
  });

  it('dims what is not wanted, and turns dark', async () => {
    const page = await show(theatre);
    const { x, y, radius } = await focus(page, 60);
    const edge = () => pixel(page, x, y - 0.7 * radius);
    const plain = await edge();
    await page.evaluate(() => seatMap.setFilter({ accessibleOnly: true }));
    await settled(page);
    const ground = await pixel(page, x, y + 1.3 * radius);
    expect(far(await edge(), ground)).toBeLessThan(far(plain, ground) / 2);
    await page.evaluate('seatMap.setFilter({}); seatMap.setTheme(door.DARK)');
    await settled(page);
    const [red = 255] = await pixel(page, 3, 3);
    expect(red).toBeLessThan(40);
  });

  it('far away shows how full sections are', async () => {
    const page = await show(arena);
    const { x, y } = await placeOf(page, 4_010);
    const before = await pixel(page, x, y);
    await page.evaluate(() => {
      const changes = drawing.seats.map(({ ordinal }) => [ordinal, 2] as const);
      seatMap.applyChanges(changes, { animate: false });
    });
    await settled(page);
    const [red = 0, green = 0, blue = 0] = await pixel(page, x, y);
    expect(far(before, [red, green, blue])).toBeGreaterThan(60);
    expect(Math.max(red, green, blue) - Math.min(red, green, blue)).toBeLessThan(30);
  });

  it('is sharp on a phone, and fits when the page changes its size', async () => {
    const page = await show(theatre, PHONE);
    const sizes = () =>
      page.evaluate(() => {
        const canvas = document.querySelector<HTMLCanvasElement>('.voelgoed-map__canvas');
        return [canvas?.width, canvas?.height];
      });
    expect(await sizes()).toEqual([780, 1_400]);
    await page.setViewportSize({ width: 700, height: 390 });
    await page.waitForFunction(
      () => document.querySelector<HTMLCanvasElement>('.voelgoed-map__canvas')?.width === 1_400,
    );
    await settled(page);
    expect((await view(page)).isAll).toBe(true);
  });
});

describe('moving', () => {
  it('follows a mouse that drags, pixel by pixel', async () => {
    const page = await show(theatre);
    const before = await focus(page, 60);
    await page.mouse.move(300, 300);
    await page.mouse.down();
    await page.mouse.move(360, 330, { steps: 6 });
    const during = await placeOf(page, 60);
    await page.mouse.up();
    expect(during.x - before.x).toBeCloseTo(60, 3);
    expect(during.y - before.y).toBeCloseTo(30, 3);
    expect(await page.evaluate(() => told.seat)).toEqual([]);
  });

  it('zooms with a wheel around the pointer', async () => {
    const page = await show(theatre);
    const { x, y, radius } = await focus(page, 60);
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, -200);
    await page.waitForFunction((least) => seatMap.view.scale > least, (radius / 0.43 / 11) * 1.2);
    await settled(page);
    const after = await placeOf(page, 60);
    expect(after.x).toBeCloseTo(x, 0);
    expect(after.y).toBeCloseTo(y, 0);
  });

  it('pans with a finger and glides on, pinches, and zooms at a double tap', async () => {
    const page = await show(theatre, PHONE, 'reducedMotion: false');
    const touch = await fingersOn(page);
    await page.evaluate(() => seatMap.focusSeats([60]));
    await settled(page);
    const start = await placeOf(page, 60);
    await touch.swipe({ x: 120, y: 400 }, { x: 200, y: 400 });
    const released = await placeOf(page, 60);
    expect(released.x - start.x).toBeGreaterThan(60);
    await settled(page);
    expect((await placeOf(page, 60)).x).toBeGreaterThan(released.x + 5);
    const { scale } = await view(page);
    await touch.pinch({ x: 190, y: 350 }, 60, 150);
    const pinched = await view(page);
    expect(pinched.scale / scale).toBeGreaterThan(1.5);
    await page.evaluate(() => seatMap.fitAll());
    await settled(page);
    const all = await view(page);
    // A corner without seats: two slow taps there do nothing, two quick ones zoom.
    await touch.tap({ x: 12, y: 690 });
    await touch.tap({ x: 12, y: 690 }, 400);
    await settled(page);
    expect((await view(page)).scale).toBe(all.scale);
    await touch.tap({ x: 12, y: 690 }, 400);
    await touch.tap({ x: 12, y: 690 });
    await settled(page);
    expect((await view(page)).scale / all.scale).toBeCloseTo(2, 1);
    expect(await page.evaluate(() => told.seat)).toEqual([]);
  });

  it('moves and zooms by keys and buttons', async () => {
    const page = await show(theatre);
    const all = await view(page);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await settled(page);
    const near = await view(page);
    expect(near.scale / all.scale).toBeCloseTo(1.7, 2);
    await page.locator('.voelgoed-map__canvas').focus();
    await page.keyboard.press('ArrowRight');
    await settled(page);
    const right = await view(page);
    expect((right.visible.left - near.visible.left) * near.scale).toBeCloseTo(90, 0);
    await page.keyboard.press('-');
    await settled(page);
    expect((await view(page)).scale).toBeCloseTo(all.scale, 4);
    await page.keyboard.press('+');
    await page.getByRole('button', { name: 'Show everything' }).click();
    await settled(page);
    expect((await view(page)).isAll).toBe(true);
  });

  it('shows an overview when it helps, and goes where it is touched', async () => {
    const page = await show(arena);
    const overview = page.locator('.voelgoed-map__overview');
    expect(await overview.getAttribute('data-shown')).toBeNull();
    await focus(page, 4_000);
    expect(await overview.getAttribute('data-shown')).toBe('');
    const box = await overview.boundingBox();
    if (!box) throw new Error('the overview has a place');
    await page.mouse.click(box.x + box.width - 14, box.y + box.height / 2);
    await settled(page);
    const { visible } = await view(page);
    const middle = (visible.left + visible.right) / 2;
    const most = Math.max(...arena.seats.map(({ x }) => x));
    expect(middle).toBeGreaterThan(0.8 * most);
    expect(Math.abs((visible.top + visible.bottom) / 2)).toBeLessThan(0.1 * most);
  });

  it('leaves nothing behind when it is destroyed', async () => {
    const page = await show(theatre);
    await page.evaluate(() => seatMap.destroy());
    expect(await page.locator('#host').evaluate((host) => host.childElementCount)).toBe(0);
  });
});
