import { systemClock } from '@voelgoed/engine/kit';
import type { EventRef } from '@voelgoed/engine/registry';
import type { Engine } from '@voelgoed/engine/workflows';
import { type Figure, figureOf } from '#measure';
import { wishFor } from './wish.ts';

const SUITE = 'conflicts';
const WISHES = 5_000;

/** A stampede: everybody wants the same seat at the same moment, and one gets it. */
export async function conflictSuite(
  engine: Engine,
  event: EventRef,
  seats: readonly string[],
  buyers: readonly string[],
): Promise<Figure[]> {
  const took: number[] = [];
  const accepted: number[] = [];
  for (const seat of seats) {
    const wishes = Array.from({ length: WISHES }, (_, index) =>
      wishFor(buyers[index % buyers.length] ?? '', seat),
    );
    const started = systemClock.monotonic();
    const answers = await Promise.all(wishes.map((wish) => engine.registry.submit(event, wish)));
    took.push(systemClock.monotonic() - started);
    const held = answers.filter((one) => one.kind === 'done' && one.outcome.kind === 'held');
    if (held.length !== 1) throw new Error(`${held.length} buyers were told that they have it`);
    accepted.push(held.length);
  }
  const name = `${WISHES} wishes for one seat`;
  return [
    figureOf(took, { suite: SUITE, name: `${name}, all answered`, unit: 'ms' }),
    figureOf(accepted, { suite: SUITE, name: `${name}, accepted`, unit: '' }),
  ];
}
