/** What is said about a seat of a plan. Each has a shape of its own, not only a colour. */
export const MARK_KINDS = ['added', 'removed', 'moved', 'changed', 'problem'] as const;
export type MarkKind = (typeof MARK_KINDS)[number];

export type Mark = Readonly<{
  ordinal: number;
  kind: MarkKind;
  /** From where a seat was moved, in the drawing's unit, seen from where it is. */
  from?: Readonly<{ x: number; y: number }>;
}>;

type Pen = CanvasRenderingContext2D;
type Place = Readonly<{ x: number; y: number; radius: number }>;
export type Ink = Readonly<Record<MarkKind, string> & { paper: string }>;

export const DAY_INK: Ink = {
  added: '#1b6b47',
  removed: '#a3231c',
  moved: '#1d4f91',
  changed: '#7a4d00',
  problem: '#a3231c',
  paper: '#ffffff',
};
export const NIGHT_INK: Ink = {
  added: '#7fd6a6',
  removed: '#ff9a90',
  moved: '#9cc4ff',
  changed: '#f2c66d',
  problem: '#ff9a90',
  paper: '#17131c',
};

/** Below this nobody can tell the shapes apart. */
const SMALLEST = 6;
const LARGEST = 15;

/** A round badge with the sign of its kind; a line shows where a moved seat came from. */
export function drawMark(pen: Pen, kind: MarkKind, at: Place, ink: Ink): void {
  const radius = Math.min(Math.max(at.radius, SMALLEST), LARGEST);
  pen.fillStyle = ink[kind];
  pen.strokeStyle = ink.paper;
  pen.lineWidth = Math.max(1.5, radius * 0.16);
  pen.lineCap = 'round';
  pen.lineJoin = 'round';
  outline(pen, kind, at.x, at.y, radius);
  pen.fill();
  pen.stroke();
  pen.lineWidth = Math.max(1.5, radius * 0.22);
  sign(pen, kind, at.x, at.y, radius * 0.5);
}

/** A diamond for what changed, a triangle for what is wrong, a circle for the rest. */
function outline(pen: Pen, kind: MarkKind, x: number, y: number, radius: number): void {
  pen.beginPath();
  if (kind === 'changed') {
    const far = radius * 1.2;
    pen.moveTo(x, y - far);
    pen.lineTo(x + far, y);
    pen.lineTo(x, y + far);
    pen.lineTo(x - far, y);
    pen.closePath();
  } else if (kind === 'problem') {
    const far = radius * 1.35;
    pen.moveTo(x, y - far);
    pen.lineTo(x + far, y + far * 0.8);
    pen.lineTo(x - far, y + far * 0.8);
    pen.closePath();
  } else pen.arc(x, y, radius, 0, 2 * Math.PI);
}

function sign(pen: Pen, kind: MarkKind, x: number, y: number, arm: number): void {
  pen.beginPath();
  if (kind === 'added') {
    pen.moveTo(x - arm, y);
    pen.lineTo(x + arm, y);
    pen.moveTo(x, y - arm);
    pen.lineTo(x, y + arm);
  } else if (kind === 'removed') {
    pen.moveTo(x - arm, y - arm);
    pen.lineTo(x + arm, y + arm);
    pen.moveTo(x + arm, y - arm);
    pen.lineTo(x - arm, y + arm);
  } else if (kind === 'moved') {
    pen.moveTo(x - arm, y);
    pen.lineTo(x + arm, y);
    pen.moveTo(x + arm * 0.2, y - arm * 0.8);
    pen.lineTo(x + arm, y);
    pen.lineTo(x + arm * 0.2, y + arm * 0.8);
  } else if (kind === 'changed') {
    pen.moveTo(x - arm, y - arm * 0.4);
    pen.lineTo(x + arm, y - arm * 0.4);
    pen.moveTo(x - arm, y + arm * 0.4);
    pen.lineTo(x + arm, y + arm * 0.4);
  } else {
    pen.moveTo(x, y - arm * 0.9);
    pen.lineTo(x, y + arm * 0.3);
    pen.moveTo(x, y + arm);
    pen.lineTo(x, y + arm * 1.01);
  }
  pen.stroke();
}

export function drawWay(pen: Pen, kind: MarkKind, to: Place, from: Place, ink: Ink): void {
  pen.strokeStyle = ink[kind];
  pen.lineWidth = 2;
  pen.setLineDash([5, 4]);
  pen.beginPath();
  pen.moveTo(from.x, from.y);
  pen.lineTo(to.x, to.y);
  pen.stroke();
  pen.setLineDash([]);
}

/** One mark for what would lie on each other: from afar a thousand marks are a few. */
export class Thinning {
  readonly #seen = new Set<number>();

  isFree({ x, y }: Place, kind: MarkKind): boolean {
    const cell = MARK_KINDS.indexOf(kind) + 8 * (Math.round(x / 11) + 10_000 * Math.round(y / 11));
    if (this.#seen.has(cell)) return false;
    this.#seen.add(cell);
    return true;
  }
}
