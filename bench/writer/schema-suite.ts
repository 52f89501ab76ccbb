import type { EventRef } from '@voelgoed/engine/registry';
import { type Figure, figureOf, median } from '#measure';
import { newEvent } from '#stage';
import type { Fleet } from './fleet.ts';
import { VARIANTS } from './variants.sql.ts';
import { type Bench, type Result, runLoad } from './writer-suite.ts';

const SUITE = 'schema';

/**
 * The writer's load on one node with one part of the schema taken away at a time. Variants take
 * turns, so that what changes on the machine meanwhile happens to all of them.
 */
export async function schemaSuite(
  bench: Bench,
  fleet: Fleet,
  { rounds, only }: { rounds: number; only: string | undefined },
): Promise<Figure[]> {
  const variants = VARIANTS.filter(
    ({ name }, index) => index === 0 || only === undefined || name.includes(only),
  );
  const results = new Map<string, Result[]>(variants.map(({ name }) => [name, []]));
  const halves = takeHalves(bench);
  const load = { kind: 'writer', nodes: 1, lasts_ms: 1_500 } as const;
  for (let round = -1; round < rounds; round++) {
    for (const { name, apply, revert } of variants) {
      const { event, half } = await halves();
      await bench.stage.asSuperuser(apply);
      const result = await runLoad(bench, fleet, event, half, load);
      await bench.stage.asSuperuser(revert);
      if (round >= 0) results.get(name)?.push(result);
    }
  }
  const base = results.get(variants[0]?.name ?? '') ?? [];
  return [...results].flatMap(([name, found]) => [
    compared(name, '/s', base, found, ({ holds_per_s }) => holds_per_s),
    compared(`${name}: Postgres per hold`, 'µs', base, found, ({ postgres_us }) => postgres_us),
  ]);
}

function compared(
  name: string,
  unit: string,
  base: readonly Result[],
  found: readonly Result[],
  of: (result: Result) => number,
): Figure {
  const values = found.map(of);
  const change = ((median(values) / median(base.map(of)) - 1) * 100).toFixed(1);
  return figureOf(values, { suite: SUITE, name, unit, note: `${change} %` });
}

/** Each event is good for two rounds. */
function takeHalves({ engine, stadium }: Bench) {
  let event: EventRef | null = null;
  return async (): Promise<{ event: EventRef; half: number }> => {
    if (event) {
      const used = { event, half: 1 };
      event = null;
      return used;
    }
    event = await newEvent(engine, stadium);
    return { event, half: 0 };
  };
}
