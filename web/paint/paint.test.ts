import { drawingOf } from '@voelgoed/testkit/drawings';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildScene, SeatStates, STATE } from '#scene';
import { inkOn, mixed } from './colours.ts';
import { BLOCKED, Looks, lookOf } from './looks.ts';
import { stamp, stampsOf } from './stamps.ts';
import { TileLayer } from './tile-layer.ts';

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });

describe('tiles', () => {
  it('are out of date exactly where something near them has changed', () => {
    fc.assert(
      fc.property(number(0.05, 60), number(-900, 900), number(-900, 900), (scale, x, y) => {
        const layer = new TileLayer<number>(scale, 256);
        const reach = 11;
        const [column, line] = [layer.place(x), layer.place(y)];
        for (let dx = -3; dx <= 3; dx++) {
          for (let dy = -3; dy <= 3; dy++) {
            layer.add(column + dx, line + dy, 0).isDirty = false;
          }
        }
        layer.touch(x, y, reach);
        for (let dx = -3; dx <= 3; dx++) {
          for (let dy = -3; dy <= 3; dy++) {
            const tile = layer.at(column + dx, line + dy);
            const [left, top] = [((column + dx) * 256) / scale, ((line + dy) * 256) / scale];
            const side = 256 / scale;
            const meets =
              x + reach >= left &&
              x - reach < left + side &&
              y + reach >= top &&
              y - reach < top + side;
            expect(tile?.isDirty).toBe(meets);
          }
        }
      }),
    );
  });

  it('are all out of date when colours change, and the oldest go first', () => {
    const layer = new TileLayer<string>(1, 256);
    for (const [index, name] of ['a', 'b', 'c'].entries()) {
      const tile = layer.add(index, -index, name);
      tile.isDirty = false;
      tile.used = 3 - index;
    }
    layer.touchAll();
    expect(layer.at(1, -1)?.isDirty).toBe(true);
    const freed: string[] = [];
    layer.shrink(1, (surface) => freed.push(surface));
    expect(freed).toEqual(['c', 'b']);
    expect(layer.count).toBe(1);
    expect(layer.at(0, 0)?.surface).toBe('a');
  });

  it('do not mistake one place for another', () => {
    const layer = new TileLayer<string>(1, 256);
    for (let column = -3; column <= 3; column++) {
      for (let line = -3; line <= 3; line++) layer.add(column, line, `${column} ${line}`);
    }
    expect(layer.count).toBe(49);
    expect(layer.at(-3, 2)?.surface).toBe('-3 2');
  });
});

describe('dots', () => {
  const SIDE = 40;
  const paint = (x: number, y: number, radius: number) => {
    const pixels = new Uint32Array(SIDE * SIDE);
    stamp(pixels, SIDE, stampsOf(radius, 0), x, y, 0x123456, 1);
    return pixels;
  };
  const weight = (pixels: Uint32Array) =>
    pixels.reduce((sum, pixel) => sum + (pixel >>> 24), 0) / 255;

  it('are as large and where they should be', () => {
    fc.assert(
      fc.property(number(12, 28), number(12, 28), number(1, 8), (x, y, radius) => {
        const pixels = paint(x, y, radius);
        const area = Math.PI * radius * radius;
        expect(weight(pixels)).toBeGreaterThan(area * 0.9);
        expect(weight(pixels)).toBeLessThan(area * 1.1 + 1);
        let [sumX, sumY] = [0, 0];
        pixels.forEach((pixel, index) => {
          sumX += (pixel >>> 24) * (index % SIDE);
          sumY += (pixel >>> 24) * Math.floor(index / SIDE);
        });
        expect(Math.abs(sumX / 255 / weight(pixels) - x)).toBeLessThan(0.3);
        expect(Math.abs(sumY / 255 / weight(pixels) - y)).toBeLessThan(0.3);
      }),
    );
  });

  it('are cut at edges, and never written outside', () => {
    fc.assert(
      fc.property(number(-20, 60), number(-20, 60), number(1, 8), (x, y, radius) => {
        const pixels = paint(x, y, radius);
        pixels.forEach((pixel, index) => {
          if (pixel >>> 24 === 0) return;
          const distance = Math.hypot((index % SIDE) - x, Math.floor(index / SIDE) - y);
          expect(distance).toBeLessThan(radius + 1.5);
        });
      }),
    );
  });

  it('leave a stronger dot as it is', () => {
    const pixels = new Uint32Array(SIDE * SIDE);
    stamp(pixels, SIDE, stampsOf(4, 0), 20, 20, 0x0000ff, 1);
    stamp(pixels, SIDE, stampsOf(4, 0), 20, 20, 0x00ff00, 0.5);
    expect((pixels[20 * SIDE + 20] as number) & 0xffffff).toBe(0x0000ff);
  });
});

describe('looks', () => {
  it('follow price, state and wishes', async () => {
    const scene = buildScene(await drawingOf({ preset: 'theatre', rows: 6, balcony_rows: 3 }));
    const states = new SeatStates(scene.blockOf, scene.blocks.length);
    const looks = new Looks(scene, states);
    const [stalls, balcony, box] = scene.zones.map(({ zone_id }) => zone_id) as [
      string,
      string,
      string,
    ];
    looks.setPrices(
      new Map([
        [stalls, 500],
        [balcony, 200],
        [box, 900],
      ]),
    );
    expect([0, 1, 2].map((zone) => looks.tierOfZone(zone))).toEqual([1, 0, 2]);
    states.set(3, STATE.sold);
    expect(looks.of(3)).toBe(lookOf(STATE.sold, 1, false));
    looks.setFilter({ price: { least: 200, most: 500 } });
    expect([0, 1, 2].map((zone) => looks.isZoneDimmed(zone))).toEqual([false, false, true]);
    looks.setFilter({ zones: [box] });
    expect(looks.of(0)).toBe(lookOf(STATE.available, 1, true));
    looks.setFilter({ accessibleOnly: true });
    const shown = scene.seats.filter(({ ordinal }) => !looks.isDimmed(ordinal));
    expect(new Set(shown.map(({ category }) => category))).toEqual(
      new Set(['wheelchair', 'companion']),
    );
  });
});

describe('colours', () => {
  it('are mixed, and written on with what can be read', () => {
    const [black, white] = [
      { r: 0, g: 0, b: 0, a: 1 },
      { r: 255, g: 255, b: 255, a: 1 },
    ];
    expect(mixed(black, white, 0.5).r).toBeCloseTo(127.5);
    expect(inkOn(black)).toBe('#ffffff');
    expect(inkOn(white)).toBe('#101828');
  });
});

describe('what staff look for', () => {
  it('has a shape of its own, also as a dot', () => {
    const shapes = (['disc', 'square', 'triangle', 'diamond'] as const).map((shape) =>
      String(stampsOf(4, 0, shape)[0]?.alpha),
    );
    expect(new Set([...shapes, String(stampsOf(4, 2)[0]?.alpha)]).size).toBe(5);
  });

  it('is a blocked seat of its kind, and nothing while it is not blocked', async () => {
    const scene = buildScene(await drawingOf({ preset: 'theatre', rows: 4, balcony_rows: 2 }));
    const states = new SeatStates(scene.blockOf, scene.blocks.length);
    const looks = new Looks(scene, states);
    looks.setBlocked(new Map([[3, BLOCKED.reseat]]));
    const free = looks.of(3);
    states.set(3, STATE.blocked);
    states.set(4, STATE.blocked);
    expect(looks.of(3)).toBe(lookOf(STATE.blocked, BLOCKED.reseat, false));
    expect(looks.of(4)).toBe(lookOf(STATE.blocked, BLOCKED.plain, false));
    states.set(3, STATE.available);
    expect(looks.of(3)).toBe(free);
  });
});
