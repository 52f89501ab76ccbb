import type { LoadProcess } from '#load';
import type { Bench, Server, Sizes } from './bench.ts';
import { type Turn, type TurnLoad, takeTurn } from './take-turn.ts';

export type Contestant = Readonly<{
  name: string;
  /** Something that the product is compared with. */
  reference?: true;
  servers: readonly Server[];
  /** Before every turn: what it is aimed at. */
  prepare(): Promise<Omit<TurnLoad, 'lasts_ms'>>;
  /** Where a turn is not a play over HTTP. */
  turn?(lasts_ms: number): Promise<Turn>;
}>;

export type Results = ReadonlyMap<string, readonly Turn[]>;

/**
 * The first turn is so much longer: a server costs three times as much for its first thousand
 * requests as after twenty thousand, when all of its code has been compiled.
 */
const WARM_UP = 4;

/** Everybody in turn, as often as there are rounds. The first round is not counted. */
export async function runContest(
  { stage, tell }: Bench,
  load: LoadProcess,
  contestants: readonly Contestant[],
  { rounds, lasts_ms, title }: Sizes & { title: string },
): Promise<Results> {
  const results = new Map<string, Turn[]>(contestants.map(({ name }) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    const isWarmUp = round < 0;
    tell(`${title}, ${isWarmUp ? 'warming up' : `round ${round + 1} of ${rounds}`}`);
    for (const one of turned(contestants, round + 1)) {
      const long_ms = isWarmUp ? lasts_ms * WARM_UP : lasts_ms;
      const turn = one.turn
        ? await one.turn(long_ms)
        : await takeTurn(
            { stage, load, servers: one.servers },
            { ...(await one.prepare()), lasts_ms: long_ms },
          );
      if (!isWarmUp) results.get(one.name)?.push(turn);
    }
  }
  return results;
}

/** Everybody is first, second and last equally often. */
function turned<One>(list: readonly One[], by: number): One[] {
  return list.map((_, index) => list[(index + by) % list.length] as One);
}
