import { describe, expect, it } from 'vitest';
import { manualClock, seededRandom } from '#kit';
import { DatabaseTime } from './database-time.ts';

const START_MS = Date.UTC(2026, 0, 1);

/** A database whose clock is `ahead_ms` ahead, and questions that take as long as they take. */
function aDatabase() {
  const clock = manualClock(START_MS);
  const time = new DatabaseTime(clock);
  const database = { ahead_ms: 60_000 };
  const now_ms = () => clock.now() + database.ahead_ms;
  const read = (there_ms: number, back_ms: number) => {
    const asked_ms = clock.monotonic();
    clock.advance(there_ms);
    const answer = now_ms();
    clock.advance(back_ms);
    time.read(answer, asked_ms);
  };
  return { clock, time, database, now_ms, read };
}

describe('the time of the database', () => {
  it('is not known before it was read', () => {
    const { time } = aDatabase();
    expect([time.isKnown, time.least(), time.most()]).toEqual([false, null, null]);
  });

  it('is never earlier than the least and never later than the most, however late answers come', () => {
    const random = seededRandom(1);
    const { time, now_ms, read, clock } = aDatabase();
    for (let round = 0; round < 500; round++) {
      read(random.next() * 2_000, random.next() ** 4 * 5_000);
      clock.advance(random.next() * 100);
      expect(time.least()).toBeLessThanOrEqual(now_ms());
      expect(time.most()).toBeGreaterThanOrEqual(now_ms());
    }
    // Among many answers some are fast.
    expect(now_ms() - (time.least() ?? 0)).toBeLessThan(5);
    expect((time.most() ?? 0) - now_ms()).toBeLessThan(50);
  });

  it.each([1_200, -1_200])(
    'is known again with one reading after a clock was set by %i ms',
    (by) => {
      const { time, database, now_ms, read } = aDatabase();
      for (let round = 0; round < 10; round++) read(1, 1);
      database.ahead_ms += by;
      read(3, 4);
      expect(now_ms() - (time.least() ?? 0)).toBe(4);
      expect((time.most() ?? 0) - now_ms()).toBe(3);
    },
  );
});
