import { describe, expect, it } from 'vitest';
import { capacityMessages } from './capacity-rules.ts';
import { afterFailure } from './schedule-rules.ts';

describe('a zone that fills', () => {
  const zone = (taken: number, capacity = 1_000) => {
    return { zone_id: 'pit', name: 'Pit', capacity, taken };
  };

  it.each([
    [0, 0, undefined],
    [899, 0, undefined],
    [900, 0, 90],
    [999, 90, undefined],
    [1_000, 90, 100],
    [1_000, 100, undefined],
    [950, 100, undefined],
  ])('with %i of 1,000 after the mark %i announces %s', (taken, before, mark) => {
    const { messages } = capacityMessages({ pit: before }, [zone(taken)]);
    expect(messages.map(({ data }) => data.mark)).toEqual(mark === undefined ? [] : [mark]);
  });

  it('says how full it is, and is named by zone and mark', () => {
    const { levels, messages } = capacityMessages({}, [zone(955)]);
    expect(levels).toEqual({ pit: 90 });
    expect(messages).toEqual([
      {
        kind: 'capacity_critical',
        part: 'capacity.pit.90',
        data: {
          zone_id: 'pit',
          zone_name: 'Pit',
          percent: 95.5,
          mark: 90,
          capacity: 1_000,
          available: 45,
        },
      },
    ]);
  });

  it('that has emptied is forgotten, and announced when it fills again', () => {
    const { levels } = capacityMessages({ pit: 100 }, [zone(10)]);
    expect(levels).toEqual({});
    expect(capacityMessages(levels, [zone(900)]).messages).toHaveLength(1);
  });

  it('without places is never full', () => {
    for (const taken of [0, 1]) {
      expect(capacityMessages({}, [zone(taken, 0)])).toEqual({ levels: {}, messages: [] });
    }
  });
});

describe('a delivery that has failed', () => {
  const HOUR_MS = 3_600_000;
  const WEEKEND_MS = 72 * HOUR_MS;
  const now_ms = 1_800_000_000_000;
  const failed = (wanted: Partial<Parameters<typeof afterFailure>[0]> = {}, chance = 0) =>
    afterFailure(
      {
        attempts: 1,
        first_attempt_ms: now_ms,
        failing_since_ms: now_ms,
        now_ms,
        response_status: 500,
        ...wanted,
      },
      { next: () => chance, bytes: (count) => new Uint8Array(count) },
    );

  it('is tried again after five seconds, then twice as long each time, up to four hours', () => {
    const pauses = [1, 2, 3, 12, 13, 40].map((attempts) => {
      return ((failed({ attempts }).next_ms ?? 0) - now_ms) / 1_000;
    });
    expect(pauses).toEqual([5, 10, 20, 10_240, 14_400, 14_400]);
    expect((failed({}, 0.5).next_ms ?? 0) - now_ms).toBe(3_750);
  });

  it('is given up three days after its first try, and the endpoint by itself', () => {
    const old = now_ms - WEEKEND_MS;
    expect(failed({ first_attempt_ms: old })).toEqual({ next_ms: null, disable: null });
    expect(failed({ first_attempt_ms: old + 1 }).next_ms).toBe(now_ms + 5_000);
    expect(failed({ failing_since_ms: old })).toEqual({
      next_ms: now_ms + 5_000,
      disable: 'failing',
    });
    expect(failed({ failing_since_ms: old + 1 }).disable).toBeNull();
  });

  it('is given up at once with its endpoint when the receiver is gone', () => {
    expect(failed({ response_status: 410 })).toEqual({ next_ms: null, disable: 'gone' });
    expect(failed({ response_status: null }).disable).toBeNull();
  });
});
