/** Marks that are drawn on seats, around the middle of a seat with radius 1. */
type Pen = OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D;

export function checkMark(pen: Pen, x: number, y: number, radius: number, grown = 1): void {
  const size = radius * grown;
  pen.beginPath();
  pen.moveTo(x - 0.42 * size, y + 0.04 * size);
  pen.lineTo(x - 0.1 * size, y + 0.36 * size);
  pen.lineTo(x + 0.46 * size, y - 0.32 * size);
  pen.stroke();
}

export function cross(pen: Pen, x: number, y: number, arm: number): void {
  pen.beginPath();
  pen.moveTo(x - arm, y - arm);
  pen.lineTo(x + arm, y + arm);
  pen.moveTo(x + arm, y - arm);
  pen.lineTo(x - arm, y + arm);
  pen.stroke();
}

/** A person in a wheelchair, from the side: head, back and seat, and the wheel. */
export function wheelchair(pen: Pen, x: number, y: number, radius: number): void {
  const at = (dx: number, dy: number) => [x + dx * radius, y + dy * radius] as const;
  pen.lineWidth = Math.max(0.15 * radius, 1);
  pen.beginPath();
  pen.arc(...at(-0.12, -0.55), 0.13 * radius, 0, 2 * Math.PI);
  pen.fill();
  pen.beginPath();
  pen.moveTo(...at(-0.12, -0.32));
  pen.lineTo(...at(-0.12, 0.1));
  pen.lineTo(...at(0.26, 0.1));
  pen.lineTo(...at(0.42, 0.52));
  pen.moveTo(...at(-0.12, -0.12));
  pen.lineTo(...at(0.22, -0.12));
  pen.stroke();
  pen.beginPath();
  pen.arc(...at(-0.06, 0.26), 0.34 * radius, 0.2 * Math.PI, 1.25 * Math.PI);
  pen.stroke();
}

/** Two people side by side: the seat beside a wheelchair space. */
export function companions(pen: Pen, x: number, y: number, radius: number): void {
  for (const side of [-1, 1]) {
    const middle = x + 0.27 * side * radius;
    pen.beginPath();
    pen.arc(middle, y - 0.24 * radius, 0.16 * radius, 0, 2 * Math.PI);
    pen.fill();
    pen.beginPath();
    pen.arc(middle, y + 0.36 * radius, 0.24 * radius, Math.PI, 2 * Math.PI);
    pen.fill();
  }
}

/** An eye behind a bar: the view is restricted. */
export function restrictedView(pen: Pen, x: number, y: number, radius: number): void {
  pen.lineWidth = Math.max(0.13 * radius, 1);
  pen.beginPath();
  pen.ellipse(x, y, 0.52 * radius, 0.3 * radius, 0, 0, 2 * Math.PI);
  pen.moveTo(x - 0.45 * radius, y + 0.48 * radius);
  pen.lineTo(x + 0.45 * radius, y - 0.48 * radius);
  pen.stroke();
  pen.beginPath();
  pen.arc(x, y, 0.13 * radius, 0, 2 * Math.PI);
  pen.fill();
}

/** Slanted lines inside a circle: in somebody's cart. */
export function hatch(pen: Pen, x: number, y: number, radius: number): void {
  pen.beginPath();
  for (const offset of [-0.55, 0, 0.55]) {
    // Where the slanted line leaves the circle.
    const half = Math.sqrt(Math.max(0.72 - offset * offset, 0)) * radius * Math.SQRT1_2;
    const [mx, my] = [x + offset * radius * Math.SQRT1_2, y + offset * radius * Math.SQRT1_2];
    pen.moveTo(mx - half, my + half);
    pen.lineTo(mx + half, my - half);
  }
  pen.stroke();
}
