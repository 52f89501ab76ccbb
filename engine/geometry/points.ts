/** A point of a drawing; y grows downwards. */
export type Point = Readonly<{ x: number; y: number }>;

/** Hundredths of a unit are half a millimetre; more digits would only make the file longer. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

export function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

/** A point of the drawing from one in a shape's own axes: turned clockwise, then moved. */
export function placed({ x, y }: Point, origin: Point, degrees: number): Point {
  const angle = (degrees * Math.PI) / 180;
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  return { x: round(origin.x + x * cos - y * sin), y: round(origin.y + x * sin + y * cos) };
}
