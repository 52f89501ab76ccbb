import type { Drawing } from '@voelgoed/client/client';
import { type Answers, prefixOf, SHAPES, type Shape, startOf } from './shape-fields.ts';

type Part = Readonly<{ shape: Shape; answers: Answers }>;

/** Between two shapes, in units of the drawing: room for a person to pass. */
const GAP = 40;

/** `Stalls` beside `Stalls` is `Stalls 2`, and beside both `Stalls 3`. */
export function uniqueZone(wanted: string, names: readonly string[]): string {
  const taken = new Set(names.map((name) => name.trim()));
  const name = wanted.trim();
  if (!taken.has(name)) return name;
  const root = name.replace(/ \d+$/, '');
  let number = 2;
  while (taken.has(`${root} ${number}`)) number += 1;
  return `${root} ${number}`;
}

/**
 * What another shape begins with: a zone's name of its own, which stands before its labels, and a
 * place behind what is drawn.
 */
export function startBeside(
  shape: Shape,
  others: readonly Part[],
  drawing: Drawing | null,
): Answers {
  const start = startOf(SHAPES[shape]);
  const names = others.map(({ answers }) => answers.zone ?? '');
  const answers = { ...start, zone: uniqueZone(start.zone ?? '', names) };
  const isArea = shape === 'area';
  // The first area lies between the stage and the seats.
  if (isArea && !others.some((other) => other.shape === 'area')) return answers;
  const isBesideSeats = !isArea && others.some((other) => other.shape !== 'area');
  const named = isBesideSeats ? { ...answers, label_prefix: prefixOf(answers) } : answers;
  return others.length > 0 ? below(shape, named, drawing) : named;
}

/** The same shape behind everything that is drawn; `zone` is the one that it is a copy of. */
export function below(
  shape: Shape,
  answers: Answers,
  drawing: Drawing | null,
  zone?: number,
): Answers {
  const everything = drawing && extentOf(drawing);
  if (!everything) return answers;
  const field = shape === 'curved_rows' || shape === 'bowl' ? 'centre' : 'origin';
  const [x = 0, y = 0] = (answers[field] ?? '').split(/[\s,;]+/).map(Number);
  const own = zone === undefined ? null : extentOf(drawing, drawing.zones[zone]?.zone_id);
  const top = own ? own.top : y + topOf(shape, answers);
  const down = Math.ceil(y + everything.bottom + GAP - top);
  return { ...answers, [field]: `${x}, ${down}` };
}

type Extent = Readonly<{ top: number; bottom: number }>;

function extentOf({ seats, zones }: Drawing, zoneId?: string): Extent | null {
  let [top, bottom] = [Infinity, -Infinity];
  const see = (y: number) => {
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  };
  for (const { y, zone_id } of seats) if (!zoneId || zone_id === zoneId) see(y);
  for (const zone of zones) {
    if (zoneId && zone.zone_id !== zoneId) continue;
    for (const { y } of zone.outline ?? []) see(y);
  }
  return top <= bottom ? { top, bottom } : null;
}

/** How far a new shape reaches from its point towards the stage. */
function topOf(shape: Shape, answers: Answers): number {
  const number = (name: string) => Number(answers[name]) || 0;
  if (shape === 'curved_rows') {
    const half = (Math.min(number('arc'), 180) / 360) * Math.PI;
    return number('radius') * Math.cos(half);
  }
  if (shape !== 'bowl') return 0;
  // From row to row the generator takes 18.
  return -(number('field_width') / 2 + number('clearance') + number('rows') * 18);
}
