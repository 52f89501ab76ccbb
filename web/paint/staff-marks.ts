import { STATE } from '#scene';
import { BLOCKED } from './looks.ts';
import { cross, hatch } from './marks.ts';
import type { StaffColours } from './theme.ts';

type Pen = OffscreenCanvasRenderingContext2D;

/** The colour of a seat that is not free; `kind`: what a blocked one is. */
export function staffColour(staff: StaffColours, state: number, kind: number): string {
  if (state === STATE.held) return staff.held;
  if (state === STATE.sold) return staff.sold;
  if (kind === BLOCKED.reseat) return staff.reseat;
  return kind === BLOCKED.kept ? staff.kept : staff.blocked;
}

/**
 * A seat that is not free, as staff look for it: a hatched ring, a dark disc with a cross, a square
 * with a bar, a triangle, a diamond. Nobody has to tell colours apart to see which is which.
 */
export function paintStaffSeat(
  pen: Pen,
  staff: StaffColours,
  { state, kind, middle, radius }: Readonly<Record<'state' | 'kind' | 'middle' | 'radius', number>>,
): void {
  const colour = staffColour(staff, state, kind);
  pen.lineWidth = Math.max(1, 0.16 * radius);
  pen.fillStyle = colour;
  pen.strokeStyle = colour;
  if (state === STATE.held) {
    pen.beginPath();
    pen.arc(middle, middle, 0.92 * radius, 0, 2 * Math.PI);
    pen.stroke();
    hatch(pen, middle, middle, radius);
    return;
  }
  pen.beginPath();
  if (state === STATE.sold) pen.arc(middle, middle, 0.95 * radius, 0, 2 * Math.PI);
  else if (kind === BLOCKED.plain) {
    const half = 0.86 * radius;
    pen.rect(middle - half, middle - half, 2 * half, 2 * half);
  } else corners(pen, middle, kind === BLOCKED.reseat ? TRIANGLE : DIAMOND, radius);
  pen.fill();
  pen.strokeStyle = staff.mark;
  if (state === STATE.sold) cross(pen, middle, middle, 0.32 * radius);
  else mark(pen, middle, radius, kind);
}

const TRIANGLE = [
  [0, -1.02],
  [1, 0.82],
  [-1, 0.82],
] as const;
const DIAMOND = [
  [0, -1.08],
  [1.08, 0],
  [0, 1.08],
  [-1.08, 0],
] as const;

function corners(
  pen: Pen,
  middle: number,
  shape: readonly (readonly [number, number])[],
  radius: number,
): void {
  for (const [dx, dy] of shape) pen.lineTo(middle + dx * radius, middle + dy * radius);
  pen.closePath();
}

/** A bar, an exclamation mark, or two dots side by side: closed, act, a pair. */
function mark(pen: Pen, middle: number, radius: number, kind: number): void {
  const at = (dx: number, dy: number) => [middle + dx * radius, middle + dy * radius] as const;
  pen.beginPath();
  if (kind === BLOCKED.plain) {
    pen.moveTo(...at(-0.5, 0));
    pen.lineTo(...at(0.5, 0));
  } else if (kind === BLOCKED.reseat) {
    pen.moveTo(...at(0, -0.35));
    pen.lineTo(...at(0, 0.25));
    pen.moveTo(...at(0, 0.55));
    pen.lineTo(...at(0, 0.6));
  } else {
    for (const dx of [-0.3, 0.3]) {
      pen.moveTo(...at(dx, -0.25));
      pen.lineTo(...at(dx, 0.25));
    }
  }
  pen.stroke();
}
