import { type Point, placed, round } from '#geometry';
import { LAYOUT_LIMITS, type LayoutProblems, type LayoutReader } from '#layouts';
import { placeAt } from '#reading';
import {
  anyFields,
  extensionOf,
  mended,
  partOf,
  readExtension,
  readPosition,
  type ZoneExtension,
} from './read-values.ts';

/** A drawn area: scenery, unless its `voelgoed` says that it is sold. */
export type PretixArea = {
  text: string;
  centre: Point;
  outline: Point[];
  /** Undefined for scenery. */
  extension: (ZoneExtension & { name: string }) | undefined;
};

const SIDES_OF_A_CIRCLE = 24;

export function readArea(
  input: unknown,
  path: string,
  from: Point,
  problems: LayoutProblems,
): PretixArea {
  const reader = anyFields(input, placeAt(path), problems);
  const text = mended(partOf(reader, 'text').anyText('text'));
  const at = readPosition(reader, from);
  const rotation = reader.numberOr('rotation', 0);
  const outline = outlineOf(reader).map((corner) => placed(corner, at, rotation));
  const sold = extensionOf(reader);
  const named = sold.anyText('name');
  return {
    text,
    centre: middle(outline) ?? at,
    outline,
    extension: reader.has('voelgoed')
      ? { ...readExtension(sold), name: mended(named) || text }
      : undefined,
  };
}

/** The area's corners around its own position. */
function outlineOf(area: LayoutReader): Point[] {
  const rectangle = partOf(area, 'rectangle');
  const width = rectangle.numberOr('width', 0);
  const height = rectangle.numberOr('height', 0);
  if (width > 0 && height > 0) {
    const corner = (x: number, y: number) => ({ x, y });
    return [corner(0, 0), corner(width, 0), corner(width, height), corner(0, height)];
  }
  const radius = partOf(area, 'circle').numberOr('radius', 0);
  const ellipse = partOf(area, 'ellipse').value('radius', 'optional') ?? {};
  const axes = anyFields(ellipse, placeAt(''), area.problems);
  const [wide, high] = [axes.numberOr('x', radius), axes.numberOr('y', radius)];
  if (wide > 0 && high > 0) return ring(wide, high);
  return polygonPoints(partOf(area, 'polygon'));
}

function ring(wide: number, high: number): Point[] {
  return Array.from({ length: SIDES_OF_A_CIRCLE }, (_, side) => {
    const angle = (side / SIDES_OF_A_CIRCLE) * 2 * Math.PI;
    return { x: wide * Math.cos(angle), y: high * Math.sin(angle) };
  });
}

function polygonPoints(polygon: LayoutReader): Point[] {
  const most = { least: 0, most: LAYOUT_LIMITS.outline_points };
  const points = polygon.list('points', most, 'optional') ?? [];
  return points.map((point, index) => {
    const place = placeAt(`${polygon.path('points')}[${index}]`);
    const reader = anyFields(point, place, polygon.problems);
    return { x: reader.numberOr('x', 0), y: reader.numberOr('y', 0) };
  });
}

function middle(points: readonly Point[]): Point | undefined {
  if (points.length === 0) return undefined;
  const sum = points.reduce((one, { x, y }) => ({ x: one.x + x, y: one.y + y }), { x: 0, y: 0 });
  return { x: round(sum.x / points.length), y: round(sum.y / points.length) };
}
