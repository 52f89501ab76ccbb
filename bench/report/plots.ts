import type { Figure } from '#measure';
import { barPlot } from './bars.ts';
import { linePlot } from './lines.ts';

/** A drawing with a name that can be a file's. */
export type Plot = Readonly<{ name: string; suite: string; title: string; svg: string }>;

/** Units that can be drawn beside each other, with what they are. */
const UNITS: Readonly<Record<string, string>> = {
  '/s': 'per second',
  x: 'times the other',
  ms: 'milliseconds',
  µs: 'microseconds of a processor',
  MB: 'megabytes',
};
/** Fewer than this is a number, not a drawing. */
const FEWEST = 2;

/** Bars for every unit of a suite, a line for everything that was measured along something. */
export function plotsOf(figures: readonly Figure[]): Plot[] {
  const suites = [...new Set(figures.map(({ suite }) => suite))];
  return suites.flatMap((suite) => {
    const own = figures.filter((figure) => figure.suite === suite);
    const alone = own.filter(({ point }) => !point);
    return [...linesOf(suite, own), ...barsOf(suite, alone)];
  });
}

function barsOf(suite: string, figures: readonly Figure[]): Plot[] {
  return Object.entries(UNITS).flatMap(([unit, words]) => {
    const own = figures.filter((figure) => {
      return figure.unit === unit && Number.isFinite(figure.median);
    });
    if (own.length < FEWEST) return [];
    const title = `${suite}, ${words}`;
    return [{ name: fileOf(title), suite, title, svg: barPlot(title, own) }];
  });
}

function linesOf(suite: string, figures: readonly Figure[]): Plot[] {
  const names = new Set(figures.flatMap(({ point }) => (point ? [point.along] : [])));
  return [...names].flatMap((along) => {
    const own = figures.filter(({ point }) => point?.along === along);
    if (own.length < FEWEST) return [];
    const title = `${suite} along ${along}`;
    return [{ name: fileOf(title), suite, title, svg: linePlot(title, own) }];
  });
}

function fileOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
