import { layoutOf, seatRow } from '@voelgoed/testkit/halls';
import { describe, expect, it } from 'vitest';
import { canonicalConfig, type LayoutConfig, type SeatConfig } from './layouts.ts';

describe('a round table', () => {
  const table = (count: number, change: Partial<SeatConfig> = {}) =>
    seatRow('T1', 0, count, (place) => (place === 0 ? { ring: true, ...change } : {}));
  const config = (seats: readonly SeatConfig[]): LayoutConfig => {
    return { zones: [{ name: 'Hall', zone_type: 'reserved_seating', seats }] };
  };

  it('is a ring when its row says so, without aisles, and stays one in the canonical form', () => {
    const layout = layoutOf(config(table(6)));
    expect(layout.runs).toEqual([{ row_index: 0, first: 0, count: 6, ring: true }]);
    const kept = canonicalConfig(layout);
    expect(kept.zones[0]?.seats?.map(({ ring }) => ring)).toEqual([true, ...Array(5)]);
    expect(layoutOf(kept)).toEqual(layout);
    const wide = table(6).map((seat, place) => {
      return { ...seat, coordinates: { x: place < 3 ? place * 10 : place * 10 + 500, y: 0 } };
    });
    expect(layoutOf(config(wide)).runs).toHaveLength(1);
  });

  it('is none without a word, and then nothing of its config is different', () => {
    const layout = layoutOf(config(seatRow('T1', 0, 6)));
    expect(layout.runs).toEqual([{ row_index: 0, first: 0, count: 6 }]);
    expect(JSON.stringify(canonicalConfig(layout))).not.toContain('ring');
  });

  it('has three seats at least', () => {
    expect(() => layoutOf(config(table(2)))).toThrow('ring_impossible');
    expect(layoutOf(config(table(3))).runs).toMatchObject([{ ring: true }]);
  });
});
