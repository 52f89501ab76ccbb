import { createClient } from '@voelgoed/client/client';
import type { Drawing, LayoutConfig } from '@voelgoed/client/shapes';
import type { LayoutConfig as EngineConfig } from '@voelgoed/engine/layouts';
import type { AccessMode, SeatCategory, ZoneType } from '@voelgoed/engine/policies';
import { useShows } from '@voelgoed/testkit/shows';
import { describe, expect, expectTypeOf, it } from 'vitest';

const { node, show } = useShows();

/** The shapes that the client writes by hand, because the server streams them as texts. */
describe('shapes without a schema', () => {
  it('are what the engine takes', () => {
    expectTypeOf<LayoutConfig>().toExtend<EngineConfig>();
    type Zone = NonNullable<LayoutConfig['zones']>[number];
    type Seat = NonNullable<Zone['seats']>[number];
    expectTypeOf<Zone['zone_type']>().toEqualTypeOf<ZoneType>();
    expectTypeOf<NonNullable<Zone['access_mode']>>().toEqualTypeOf<AccessMode>();
    expectTypeOf<NonNullable<Seat['category']>>().toEqualTypeOf<SeatCategory>();
    expectTypeOf<keyof Zone>().toEqualTypeOf<keyof EngineConfig['zones'][number]>();
  });

  it('are what the server draws', async () => {
    const { eventId } = await show();
    const drawing: Drawing = await createClient({ address: node().address }).events.seatmap(
      eventId,
    );
    expect(Object.keys(drawing).sort()).toEqual(
      [
        'drawing_id',
        'focal_point',
        'layout_id',
        'layout_version',
        'seat_size',
        'seats',
        'zones',
      ].sort(),
    );
    const [zone, seat] = [drawing.zones[0] ?? {}, drawing.seats[0] ?? {}];
    expect(Object.keys(zone).sort()).toEqual(
      ['zone_id', 'name', 'zone_type', 'capacity', 'outline'].sort(),
    );
    const { section: _, ...always } = { section: null, ...seat };
    expect(Object.keys(always).sort()).toEqual(
      ['seat_id', 'label', 'ordinal', 'row', 'number', 'zone_id', 'category', 'x', 'y'].sort(),
    );
    expect(drawing.seats.every(({ ordinal }, index) => ordinal === index)).toBe(true);
  });
});
