import { type Figure, isKept } from '#measure';
import { escaped, place, roundUp, shortNumber, svgOf } from './drawing.ts';

const WIDTH = 960;
const NAMES = 470;
const VALUES = 110;
const ROW = 24;
const TOP = 40;
const BAR = 14;

/** A bar for every figure, with its spread, and a mark where the promise is. */
export function barPlot(title: string, figures: readonly Figure[]): string {
  const most = Math.max(...figures.map(({ most: value }) => value), ...promises(figures));
  const end = roundUp(most);
  const room = WIDTH - NAMES - VALUES;
  const x = (value: number) => NAMES + (Math.max(0, value) / end) * room;
  const rows = figures.map((figure, index) => row(figure, TOP + index * ROW, x));
  const height = TOP + figures.length * ROW + 28;
  const axis = [0, 0.5, 1].map((part) => {
    const at = place(x(part * end));
    const line = `<line class="axis" x1="${at}" x2="${at}" y1="${TOP - 6}" y2="${height - 22}"/>`;
    const words = `<text class="quiet" x="${at}" y="${height - 8}" text-anchor="middle">`;
    return `${line}${words}${shortNumber(part * end)}</text>`;
  });
  return svgOf(WIDTH, height, title, axis.join('') + rows.join(''));
}

function promises(figures: readonly Figure[]): number[] {
  return figures.flatMap(({ target }) => (target ? [boundOf(target)] : []));
}

function boundOf(target: NonNullable<Figure['target']>): number {
  return 'below' in target ? target.below : target.above;
}

function row(figure: Figure, top: number, x: (value: number) => number): string {
  const { name, median, least, most, runs, target, reference } = figure;
  const middle = top + ROW / 2;
  const words = `<text x="${NAMES - 8}" y="${middle + 4}" text-anchor="end">${short(name)}</text>`;
  const kind = reference ? 'other' : 'own';
  const width = place(Math.max(1, x(median) - NAMES));
  const [left, right] = [place(x(least)), place(x(most))];
  const box = `x="${NAMES}" y="${middle - BAR / 2}" width="${width}" height="${BAR}"`;
  const bar = `<rect class="${kind}" ${box} rx="2"/>`;
  const ends = `M${left} ${middle - 4}v8M${right} ${middle - 4}v8`;
  const spread = `<path class="spread" d="M${left} ${middle}H${right}${ends}"/>`;
  const after = place(x(Math.max(most, target ? boundOf(target) : 0)) + 8);
  const kept = isKept(figure);
  const label = `${shortNumber(median)}${kept ? '' : ' missed'}`;
  const look = kept ? '' : ' class="missed"';
  const value = `<text${look} x="${after}" y="${middle + 4}">${label}</text>`;
  return words + bar + (runs > 1 ? spread : '') + promise(figure, middle, x) + value;
}

function promise({ target }: Figure, middle: number, x: (value: number) => number): string {
  if (!target) return '';
  const at = place(x(boundOf(target)));
  return `<line class="target" x1="${at}" x2="${at}" y1="${middle - 10}" y2="${middle + 10}"/>`;
}

/** What fits before the bars; the table has the whole name. */
function short(name: string): string {
  const most = 68;
  return escaped(name.length > most ? `${name.slice(0, most - 1)}…` : name);
}
