import { type Figure, isKept, reaches, type Target } from '#measure';

/** A table for people; spreads stand beside medians because this is somebody's shared machine. */
export function printFigures(figures: readonly Figure[]): void {
  let suite = '';
  for (const figure of figures) {
    if (figure.suite !== suite) {
      suite = figure.suite;
      console.log(`\n${suite.padEnd(82)}${'median'.padStart(10)}       least … most`);
    }
    console.log(lineOf(figure));
  }
}

function lineOf(figure: Figure): string {
  const { name, unit, median, least, most, runs, note } = figure;
  const spread = runs > 1 ? `${number(least)} … ${number(most)}` : '';
  const value = `${number(median).padStart(10)} ${unit.padEnd(5)}`;
  const remarks = [targetOf(figure), note ?? ''].filter((text) => text !== '').join('; ');
  return `  ${name.padEnd(80)}${value} ${spread.padEnd(20)} ${remarks}`.trimEnd();
}

function targetOf(figure: Figure): string {
  const { target, goal, median } = figure;
  if (!target) return '';
  const wish = goal ? ` (goal ${boundOf(goal)}${reaches(median, goal) ? ' ✓' : ''})` : '';
  return `${boundOf(target)} ${isKept(figure) ? 'met' : 'MISSED'}${wish}`;
}

function boundOf(target: Target): string {
  return 'below' in target ? `< ${number(target.below)}` : `> ${number(target.above)}`;
}

function number(value: number): string {
  if (value >= 1_000) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
}
