import type { DrawingZone, Rect } from './drawing.ts';
import { type Polygon, polygonOf } from './polygons.ts';

/** Whatever is in the drawing: an event may use a zone without its seats. */
export function isWithoutSeats({ zone_type }: DrawingZone): boolean {
  return zone_type.startsWith('ga_') || zone_type === 'vip_standing';
}

/** A zone without seats is drawn as an area: by its own outline, or where there is room. */
export function areasOf(zones: readonly DrawingZone[], seats: Rect | null, unit: number) {
  const areas = new Map<string, Polygon>();
  const homeless = zones.filter((zone) => {
    if (!zone.outline || zone.outline.length < 3) return true;
    areas.set(zone.zone_id, polygonOf(zone.outline));
    return false;
  });
  const [width, height, gap] = [36 * unit, 14 * unit, 2.5 * unit];
  const columns = homeless.length > 3 ? 2 : 1;
  const middle = seats ? (seats.left + seats.right) / 2 : 0;
  const top = lowest(seats, areas) + (seats || areas.size > 0 ? 3 * unit : 6 * unit);
  homeless.forEach((zone, index) => {
    const column = (index % columns) - (columns - 1) / 2;
    const x = middle + column * (width + gap);
    const y = top + Math.floor(index / columns) * (height + gap);
    areas.set(
      zone.zone_id,
      polygonOf([
        { x: x - width / 2, y },
        { x: x + width / 2, y },
        { x: x + width / 2, y: y + height },
        { x: x - width / 2, y: y + height },
      ]),
    );
  });
  return areas;
}

function lowest(seats: Rect | null, areas: ReadonlyMap<string, Polygon>): number {
  let bottom = seats?.bottom ?? Number.NEGATIVE_INFINITY;
  for (const polygon of areas.values()) {
    for (let at = 1; at < polygon.length; at += 2) bottom = Math.max(bottom, polygon[at] as number);
  }
  return Number.isFinite(bottom) ? bottom : 0;
}
