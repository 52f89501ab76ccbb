import {
  type Bench,
  type Contestant,
  loadShare,
  ratioOf,
  runContest,
  strangeFigure,
} from '#contest';
import { LoadProcess } from '#load';
import { type Figure, figureOf } from '#measure';
import { type OwnNode, startOwnNode } from '#node';

const SUITE = 'telemetry';
const SEATS = 40_000;
const CONNECTIONS = 64;
/** What the design allows: three parts in a hundred. */
const ALLOWED = { below: 1.03 };
const ON = 'everything counted';
const OFF = 'nothing counted';

/** Microseconds of a node per hold, with counting and without, everybody in turn. */
export async function telemetrySuite(bench: Bench, quick: boolean): Promise<Figure[]> {
  const { stage, halls, profile } = bench;
  const hall = await halls.of(SEATS);
  const load = new LoadProcess();
  const nodes: OwnNode[] = [];
  try {
    await halls.welcome(load, hall);
    const one = async (name: string, counted: boolean): Promise<Contestant> => {
      const node = await startOwnNode(stage, { name: `${SUITE} ${name}`, profile, counted });
      nodes.push(node);
      const prepare = async () => {
        const { eventId } = await halls.sale(hall);
        await fetch(`${node.address}/api/events/${eventId}/availability`);
        const aim = { address: node.address, eventId, seatIds: hall.seatIds, keys: false };
        return { aim, play: { kind: 'reserve' }, connections: CONNECTIONS } as const;
      };
      return { name, servers: [node], prepare };
    };
    const contestants = [await one(ON, true), await one(OFF, false)];
    const sizes = quick ? { rounds: 4, lasts_ms: 1_000 } : { rounds: 12, lasts_ms: 3_000 };
    const results = await runContest(bench, load, contestants, { ...sizes, title: 'counting' });
    const about = { suite: SUITE, name: 'counted to uncounted', target: ALLOWED };
    return [
      ...contestants.map(({ name }) =>
        figureOf(
          (results.get(name) ?? []).map(({ server_us }) => server_us),
          { suite: SUITE, name: `node per hold, ${name}`, unit: 'µs' },
        ),
      ),
      ratioOf(results, [ON, OFF], about, ({ server_us }) => server_us),
      loadShare(SUITE, [results]),
      strangeFigure(SUITE, [results]),
    ];
  } finally {
    await Promise.all([load.stop(), ...nodes.map((node) => node.stop())]);
  }
}
