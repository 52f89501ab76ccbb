import type { Palette } from './palette.ts';
import type { Frame } from './tile-map.ts';

/** A line that somebody is drawing, in units of the drawing: x, y, x, y … */
export type Trace = Readonly<{ kind: 'lasso' | 'move'; points: readonly number[] }>;

/** A lasso is a closed shape; a move is an arrow's shaft with a ring at its end. */
export function drawTrace(
  pen: CanvasRenderingContext2D,
  { theme }: Palette,
  frame: Frame,
  { kind, points }: Trace,
  ratio: number,
): void {
  if (points.length < 4) return;
  const at = (index: number) =>
    [
      (points[index] as number) * frame.scale + frame.originX,
      (points[index + 1] as number) * frame.scale + frame.originY,
    ] as const;
  pen.beginPath();
  for (let index = 0; index < points.length; index += 2) pen.lineTo(...at(index));
  if (kind === 'lasso') {
    pen.closePath();
    pen.fillStyle = theme.focus;
    pen.globalAlpha = 0.12;
    pen.fill('evenodd');
    pen.globalAlpha = 1;
  }
  pen.lineWidth = 4 * ratio;
  pen.strokeStyle = theme.background;
  pen.stroke();
  pen.lineWidth = 2 * ratio;
  pen.strokeStyle = theme.focus;
  if (kind === 'lasso') pen.setLineDash([6 * ratio, 5 * ratio]);
  pen.stroke();
  pen.setLineDash([]);
  if (kind === 'lasso') return;
  pen.beginPath();
  pen.arc(...at(points.length - 2), 7 * ratio, 0, 2 * Math.PI);
  pen.stroke();
}
