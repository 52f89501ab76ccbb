import { type Day, simulateWeek } from '@voelgoed/testkit/weeks';
import { type Figure, figureOf } from '#measure';

const SUITE = 'week';
/** The specification's: fewer than five in a hundred. */
const TARGET = { below: 5 };

/** Several weeks of each kind: one alone may be lucky. */
export function weekSuite(quick: boolean): Figure[] {
  const seeds = Array.from({ length: quick ? 3 : 20 }, (_, seed) => seed + 1);
  const weeks = (strict: boolean) => seeds.map((seed) => simulateWeek({ strict, seed }));
  const [kept, free] = [weeks(true), weeks(false)];
  const days = kept[0]?.length ?? 0;
  return Array.from({ length: days }, (_, index) => {
    const of = (all: Day[][], read: (day: Day) => number) =>
      all.flatMap((week) => (week[index] ? [read(week[index])] : []));
    const percent = (day: Day) => day.orphan_ratio * 100;
    const sold = Math.round((of(kept, (day) => day.occupancy)[0] ?? 0) * 100);
    const name = `day ${index + 1}, ${sold} % taken, single seats`;
    const at = { suite: SUITE, unit: '%' };
    return [
      figureOf(of(free, percent), { ...at, name: `${name}, without the rule` }),
      figureOf(of(kept, percent), { ...at, name: `${name}, with the rule`, target: TARGET }),
    ];
  }).flat();
}
