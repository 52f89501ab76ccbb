import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { manualHost } from '#host';
import { Countdown, type Moment, ServerClock } from './clock.ts';

const HOUR_MS = 3_600_000;

/** A machine whose clock is an hour behind the server's. */
function wrongClock() {
  const host = manualHost({ now_ms: 1_800_000_000_000 });
  const clock = new ServerClock(host);
  const serverNow = () => 1_800_000_000_000 + HOUR_MS + host.monotonic();
  /** An answer that took so long there and back, and so long there. */
  const ask = async (there_ms: number, back_ms: number, isHeader = false) => {
    const sent_ms = host.now();
    await host.advance(there_ms);
    const exact = serverNow();
    const time_ms = isHeader ? Math.floor(exact / 1_000) * 1_000 : exact;
    await host.advance(back_ms);
    clock.heard({ time_ms, isHeader }, sent_ms);
  };
  return { host, clock, serverNow, ask };
}

describe('the server’s time', () => {
  it('is this machine’s own until there was an answer', () => {
    const { host, clock } = wrongClock();
    expect(clock.now()).toBe(host.now());
    expect(clock.error_ms).toBe(Number.POSITIVE_INFINITY);
  });

  it('is known to half of the way there and back, however it was shared', () => {
    const times = fc.integer({ min: 0, max: 5_000 });
    return fc.assert(
      fc.asyncProperty(times, times, fc.boolean(), async (there, back, isHeader) => {
        const { clock, serverNow, ask } = wrongClock();
        await ask(there, back, isHeader);
        const wrong_ms = Math.abs(clock.now() - serverNow());
        expect(wrong_ms).toBeLessThanOrEqual((there + back) / 2 + (isHeader ? 500 : 0));
        expect(wrong_ms).toBeLessThanOrEqual(clock.error_ms);
      }),
    );
  });

  it('is taken from the quickest answer, and a slow one changes nothing', async () => {
    const { clock, serverNow, ask } = wrongClock();
    await ask(400, 0);
    expect(clock.now() - serverNow()).toBe(200);
    await ask(5, 5);
    expect(clock.now()).toBe(serverNow());
    await ask(3_000, 0);
    expect(clock.now()).toBe(serverNow());
  });

  it('is believed less as time passes, so that clocks which drift are found out', async () => {
    const { host, clock, ask } = wrongClock();
    await ask(5, 5);
    const before = clock.error_ms;
    await host.advance(HOUR_MS);
    expect(clock.error_ms).toBeCloseTo(before + 360);
  });

  it('is learnt anew when somebody sets this machine’s clock', async () => {
    const { host, clock, serverNow, ask } = wrongClock();
    await ask(5, 5);
    host.setClock(host.now() + 7 * HOUR_MS);
    expect(clock.error_ms).toBe(Number.POSITIVE_INFINITY);
    await ask(900, 900);
    expect(Math.abs(clock.now() - serverNow())).toBeLessThanOrEqual(900);
  });

  it('is not earlier than what has already arrived from there', async () => {
    const { clock, serverNow, ask } = wrongClock();
    await ask(0, 400);
    expect(clock.now()).toBe(serverNow() - 200);
    clock.heardOneWay(serverNow() - 20);
    expect(clock.now()).toBe(serverNow() - 20);
    clock.heardOneWay(serverNow() - 5_000);
    clock.heardOneWay(Number.NaN);
    expect(clock.now()).toBe(serverNow() - 20);
  });
});

describe('a countdown', () => {
  async function aCountdown(seconds: number, warning_seconds?: number) {
    const known = wrongClock();
    await known.ask(0, 0);
    const seen: Moment[] = [];
    const until = (left: number) => new Date(known.serverNow() + left * 1_000).toISOString();
    const options = warning_seconds === undefined ? {} : { warning_seconds };
    const countdown = new Countdown(known, until(seconds), (one) => seen.push(one), options);
    return { ...known, seen, until, countdown };
  }

  it('tells every second once, the warning in time, and the end once', async () => {
    const { host, seen } = await aCountdown(65, 3);
    await host.advance(100_000);
    expect(seen.map(({ seconds }) => seconds)).toEqual(
      Array.from({ length: 66 }, (_, i) => 65 - i),
    );
    expect(seen.map(({ phase }) => phase).indexOf('warning')).toBe(62);
    expect(seen.filter(({ phase }) => phase === 'over').length).toBe(1);
    expect(seen.map(({ text }) => text)).toEqual(expect.arrayContaining(['1:05', '0:59', '0:00']));
    expect(host.waiting()).toBe(0);
  });

  it('is never negative, also when the page has slept through the end', async () => {
    const { host, seen, countdown } = await aCountdown(10);
    host.setClock(host.now() + HOUR_MS);
    expect(countdown.moment).toEqual({ remaining_ms: 0, seconds: 0, text: '0:00', phase: 'over' });
    await host.advance(1_000);
    expect(seen.at(-1)?.phase).toBe('over');
    expect(seen.every(({ remaining_ms }) => remaining_ms >= 0)).toBe(true);
  });

  it('goes on when the hold was extended, and stops when it is stopped', async () => {
    const { host, seen, until, countdown } = await aCountdown(2);
    await host.advance(3_000);
    expect(seen.at(-1)?.phase).toBe('over');
    countdown.until(until(90));
    expect(seen.at(-1)).toMatchObject({ seconds: 90, phase: 'running' });
    countdown.stop();
    const before = seen.length;
    await host.advance(5_000);
    expect(seen.length).toBe(before);
    expect(host.waiting()).toBe(0);
  });

  it('follows the server’s clock, not the page’s', async () => {
    const { clock, host, serverNow } = wrongClock();
    const until = new Date(serverNow() + 60_000).toISOString();
    const seen: Moment[] = [];
    new Countdown({ host, clock }, until, (one) => seen.push(one));
    // Nothing is known yet: the page believes that there is an hour more.
    expect(seen[0]?.seconds).toBe(3_660);
    clock.heard({ time_ms: serverNow() }, host.now());
    await host.advance(1_000);
    expect(seen.at(-1)?.seconds).toBe(59);
  });

  it('does not begin with something that is no time', () => {
    const { clock, host } = wrongClock();
    expect(() => new Countdown({ host, clock }, 'soon', () => {})).toThrow(RangeError);
  });
});
