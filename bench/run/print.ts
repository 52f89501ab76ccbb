import { type Figure, isKept } from '#measure';

/** A table for people; spreads stand beside medians because this is somebody's shared machine. */
export function printFigures(figures: readonly Figure[]): void {
  let suite = '';
  for (const figure of figures) {
    if (figure.suite !== suite) {
      suite = figure.suite;
      console.log(`\n${suite.padEnd(58)}${'median'.padStart(10)}       least … most`);
    }
    console.log(lineOf(figure));
  }
}

function lineOf(figure: Figure): string {
  const { name, unit, median, least, most, runs, note } = figure;
  const spread = runs > 1 ? `${number(least)} … ${number(most)}` : '';
  const value = `${number(median).padStart(10)} ${unit.padEnd(5)}`;
  const remarks = [targetOf(figure), note ?? ''].filter((text) => text !== '').join('; ');
  return `  ${name.padEnd(56)}${value} ${spread.padEnd(20)} ${remarks}`.trimEnd();
}

function targetOf(figure: Figure): string {
  const { target } = figure;
  if (!target) return '';
  const text = 'below' in target ? `< ${number(target.below)}` : `> ${number(target.above)}`;
  return isKept(figure) ? `${text} ✓` : `${text} MISSED`;
}

function number(value: number): string {
  if (value >= 1_000) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
}
