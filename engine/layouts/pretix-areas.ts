import { round } from './draw-rows.ts';
import { FieldReader, placeAt } from './field-reader.ts';
import { LAYOUT_LIMITS, type Point } from './layout-config.ts';
import { mended, readExtension, readPosition, type ZoneExtension } from './pretix-values.ts';
import type { ProblemList } from './problem-list.ts';

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
  problems: ProblemList,
): PretixArea {
  const any = { fields: 'any', problems } as const;
  const reader = new FieldReader(input, placeAt(path), any);
  const part = (field: string) =>
    new FieldReader(reader.inner(field) ?? {}, placeAt(`${path}.${field}`), any);
  const text = mended(part('text').anyText('text'));
  const at = readPosition(reader, problems, from);
  const outline = turned(outlineOf(part, problems), at, reader.numberOr('rotation', 0));
  const sold = part('voelgoed');
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
function outlineOf(part: (field: string) => FieldReader, problems: ProblemList): Point[] {
  const rectangle = part('rectangle');
  const width = rectangle.numberOr('width', 0);
  const height = rectangle.numberOr('height', 0);
  if (width > 0 && height > 0) {
    const corner = (x: number, y: number) => ({ x, y });
    return [corner(0, 0), corner(width, 0), corner(width, height), corner(0, height)];
  }
  const radius = part('circle').numberOr('radius', 0);
  const ellipse = part('ellipse').inner('radius') ?? {};
  const axes = new FieldReader(ellipse, placeAt(''), { fields: 'any', problems });
  const [wide, high] = [axes.numberOr('x', radius), axes.numberOr('y', radius)];
  if (wide > 0 && high > 0) return ring(wide, high);
  return polygonPoints(part('polygon'), problems);
}

function ring(wide: number, high: number): Point[] {
  return Array.from({ length: SIDES_OF_A_CIRCLE }, (_, side) => {
    const angle = (side / SIDES_OF_A_CIRCLE) * 2 * Math.PI;
    return { x: wide * Math.cos(angle), y: high * Math.sin(angle) };
  });
}

function polygonPoints(polygon: FieldReader, problems: ProblemList): Point[] {
  const most = { least: 0, most: LAYOUT_LIMITS.outline_points };
  const points = polygon.list('points', most, 'optional') ?? [];
  return points.map((point, index) => {
    const place = placeAt(`${polygon.path('points')}[${index}]`);
    const reader = new FieldReader(point, place, { fields: 'any', problems });
    return { x: reader.numberOr('x', 0), y: reader.numberOr('y', 0) };
  });
}

function turned(points: readonly Point[], at: Point, degrees: number): Point[] {
  const angle = (degrees / 180) * Math.PI;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return points.map(({ x, y }) => ({
    x: round(at.x + x * cos - y * sin),
    y: round(at.y + x * sin + y * cos),
  }));
}

function middle(points: readonly Point[]): Point | undefined {
  if (points.length === 0) return undefined;
  const sum = points.reduce((one, { x, y }) => ({ x: one.x + x, y: one.y + y }), { x: 0, y: 0 });
  return { x: round(sum.x / points.length), y: round(sum.y / points.length) };
}
