import type { Page } from 'playwright-core';

type At = Readonly<{ x: number; y: number }>;
type Kind = 'touchStart' | 'touchMove' | 'touchEnd';

const STEP_MS = 12;

/**
 * Real touches, as Chromium gets them from a screen. Each has its time, a little after the one
 * before: a busy machine must not make a slow hand of a quick one.
 */
export async function fingersOn(page: Page) {
  const session = await page.context().newCDPSession(page);
  let time_ms = Number(await page.evaluate('performance.timeOrigin + performance.now()'));
  const send = (type: Kind, points: readonly At[], after_ms = STEP_MS) => {
    time_ms += after_ms;
    return session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: points.map((point, id) => ({ ...point, id })),
      timestamp: time_ms / 1_000,
    });
  };
  const tap = async (at: At, after_ms = STEP_MS) => {
    await send('touchStart', [at], after_ms);
    await send('touchEnd', []);
  };
  const swipe = async (from: At, to: At) => {
    await send('touchStart', [from]);
    for (let step = 1; step <= 8; step++) {
      const part = step / 8;
      const point = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
      await send('touchMove', [point]);
    }
    await send('touchEnd', []);
  };
  /** Two fingers side by side around a point, from one distance to another. */
  const pinch = async ({ x, y }: At, from: number, to: number) => {
    const apart = (way: number) => [
      { x: x - way / 2, y },
      { x: x + way / 2, y },
    ];
    await send('touchStart', apart(from));
    for (let step = 1; step <= 6; step++) {
      await send('touchMove', apart(from + ((to - from) * step) / 6));
    }
    await send('touchEnd', []);
  };
  return { tap, swipe, pinch };
}
