import type { Figure } from '#measure';
import { escaped, place, roundUp, shortNumber, svgOf } from './drawing.ts';

const WIDTH = 640;
const HEIGHT = 300;
const LEFT = 72;
const RIGHT = 24;
const TOP = 48;
const BOTTOM = 52;
/** Between the axis and the first point, so that its value stands beside the axis. */
const INSET = 36;

/** Sizes grow by factors, so equal steps along the axis are equal places in the line. */
export function linePlot(title: string, figures: readonly Figure[]): string {
  const points = [...figures].sort((one, other) => atOf(one) - atOf(other));
  const end = roundUp(Math.max(...points.map(({ most }) => most)));
  const step = (WIDTH - LEFT - RIGHT - 2 * INSET) / Math.max(1, points.length - 1);
  const x = (index: number) => LEFT + INSET + index * step;
  const y = (value: number) => HEIGHT - BOTTOM - (value / end) * (HEIGHT - TOP - BOTTOM);
  const grid = [0, 0.5, 1].map((part) => {
    const at = place(y(part * end));
    const line = `<line class="axis" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}"/>`;
    const label = shortNumber(part * end);
    const words = `<text class="quiet" x="${LEFT - 8}" y="${Number(at) + 4}" text-anchor="end">`;
    return `${line}${words}${label}</text>`;
  });
  const path = points.map(({ median }, index) => `${place(x(index))} ${place(y(median))}`);
  const marks = points.map((figure, index) => mark(figure, x(index), y));
  const [first] = points;
  const along = `${first?.point?.along ?? ''} (${first?.unit ?? ''})`;
  const under = `<text class="quiet" x="${WIDTH / 2}" y="${HEIGHT - 8}" text-anchor="middle">`;
  const line = `<path class="line" d="M${path.join('L')}"/>`;
  const inside = `${grid.join('')}${line}${marks.join('')}${under}${escaped(along)}</text>`;
  return svgOf(WIDTH, HEIGHT, title, inside);
}

function atOf({ point }: Figure): number {
  return point?.at ?? 0;
}

function mark(figure: Figure, x: number, y: (value: number) => number): string {
  const at = place(x);
  const { median, least, most } = figure;
  const spread = `<path class="spread" d="M${at} ${place(y(least))}V${place(y(most))}"/>`;
  const dot = `<circle class="own" cx="${at}" cy="${place(y(median))}" r="4"/>`;
  const size = `<text x="${at}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">`;
  const value = `<text x="${at}" y="${place(y(most) - 8)}" text-anchor="middle">`;
  const words = `${size}${shortNumber(atOf(figure))}</text>${value}${shortNumber(median)}</text>`;
  return spread + dot + words;
}
