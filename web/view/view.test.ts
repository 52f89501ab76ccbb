import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clamped,
  fitted,
  flightBetween,
  Glide,
  limitsOf,
  moved,
  toScreenX,
  toScreenY,
  toWorldX,
  toWorldY,
  visible,
  zoomedAt,
} from './view.ts';

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const view = fc.record({ x: number(-1e4, 1e4), y: number(-1e4, 1e4), scale: number(0.01, 60) });
const size = fc.record({ width: number(50, 3_000), height: number(50, 3_000) });

describe('a view', () => {
  it('goes from the drawing to the screen and back', () => {
    fc.assert(
      fc.property(view, size, number(-3e3, 3e3), number(-3e3, 3e3), (v, s, x, y) => {
        expect(toScreenX(v, s, toWorldX(v, s, x))).toBeCloseTo(x, 5);
        expect(toScreenY(v, s, toWorldY(v, s, y))).toBeCloseTo(y, 5);
      }),
    );
  });

  it('zooms around a point that stays where it is', () => {
    fc.assert(
      fc.property(view, size, number(0, 3e3), number(0, 3e3), number(0.01, 60), (...args) => {
        const [v, s, x, y, scale] = args;
        const zoomed = zoomedAt(v, s, x, y, scale);
        expect(toScreenX(zoomed, s, toWorldX(v, s, x))).toBeCloseTo(x, 4);
        expect(toScreenY(zoomed, s, toWorldY(v, s, y))).toBeCloseTo(y, 4);
      }),
    );
  });

  it('moves with a finger', () => {
    fc.assert(
      fc.property(view, size, number(-500, 500), number(-500, 500), (v, s, dx, dy) => {
        const after = moved(v, dx, dy);
        expect(toScreenX(after, s, v.x) - toScreenX(v, s, v.x)).toBeCloseTo(dx, 4);
        expect(toScreenY(after, s, v.y) - toScreenY(v, s, v.y)).toBeCloseTo(dy, 4);
      }),
    );
  });

  it('that is fitted shows all of a rectangle and touches a margin', () => {
    fc.assert(
      fc.property(size, number(-1e3, 1e3), number(1, 1e3), number(1, 1e3), (s, at, w, h) => {
        const rect = { left: at, top: at, right: at + w, bottom: at + h };
        const seen = visible(fitted(rect, s, 10), s);
        expect(seen.left).toBeLessThanOrEqual(rect.left + 1e-6);
        expect(seen.bottom).toBeGreaterThanOrEqual(rect.bottom - 1e-6);
        const { scale } = fitted(rect, s, 10);
        const used = Math.max((w * scale) / (s.width - 20), (h * scale) / (s.height - 20));
        expect(used).toBeCloseTo(1, 5);
      }),
    );
  });

  it('stays within its limits', () => {
    const bounds = { left: 0, top: 0, right: 1_000, bottom: 500 };
    fc.assert(
      fc.property(view, size, (v, s) => {
        const limits = limitsOf(bounds, s, 11, 16);
        const kept = clamped(v, limits);
        expect(kept.x).toBeGreaterThanOrEqual(0);
        expect(kept.y).toBeLessThanOrEqual(500);
        expect(kept.scale).toBeGreaterThanOrEqual(limits.least);
        expect(kept.scale).toBeLessThanOrEqual(limits.most);
        expect(limits.least).toBeLessThan(fitted(bounds, s, 16).scale);
      }),
    );
  });
});

describe('a flight', () => {
  it('begins and ends where it should, with one point that never moves', () => {
    fc.assert(
      fc.property(view, view, size, number(0, 1), (from, to, s, part) => {
        const flight = flightBetween(from, to);
        expect(flight.at(flight.duration_ms)).toEqual(to);
        expect(flight.at(0).x).toBeCloseTo(from.x, 3);
        expect(flight.at(0).scale).toBeCloseTo(from.scale, 6);
        fc.pre(Math.abs(to.scale / from.scale - 1) > 0.05);
        const fixed = (to.x * to.scale - from.x * from.scale) / (to.scale - from.scale);
        const on = flight.at(part * flight.duration_ms);
        const expected = toScreenX(from, s, fixed);
        expect(Math.abs(toScreenX(on, s, fixed) - expected)).toBeLessThan(
          1e-6 * Math.max(1, Math.abs(expected)) + 1e-3,
        );
      }),
    );
  });
});

describe('a glide', () => {
  const swipe = (glide: Glide, speed: number, pause_ms = 0) => {
    glide.begin();
    for (let at = 0; at <= 100; at += 10) glide.track(speed * at, 0, at);
    return glide.release(100 + pause_ms);
  };

  it('goes on after a swipe, slower and slower, and comes to rest', () => {
    const glide = new Glide();
    expect(swipe(glide, 1)).toBe(true);
    const steps: number[] = [];
    for (let step = glide.step(16); step; step = glide.step(16)) steps.push(step.dx);
    expect(steps[0]).toBeCloseTo(16, -1);
    expect(steps.every((dx, index) => index === 0 || dx < (steps[index - 1] as number))).toBe(true);
    expect(steps.length).toBeLessThan(120);
  });

  it('does not when the finger rested, hardly moved, or only touched', () => {
    const glide = new Glide();
    expect(swipe(glide, 1, 200)).toBe(false);
    expect(swipe(glide, 0.001)).toBe(false);
    glide.begin();
    glide.track(5, 5, 0);
    expect(glide.release(10)).toBe(false);
  });

  it('goes as far in many small steps as in one', () => {
    const [one, many] = [new Glide(), new Glide()];
    swipe(one, 1);
    swipe(many, 1);
    let way = 0;
    for (let step = 0; step < 16; step++) way += many.step(4)?.dx ?? 0;
    expect(one.step(64)?.dx).toBeCloseTo(way, 6);
  });
});
