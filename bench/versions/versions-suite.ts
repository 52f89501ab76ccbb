import {
  type Bench,
  figuresOf,
  loadShare,
  type Results,
  ratioOf,
  runContest,
  settingsOf,
  strangeFigure,
} from '#contest';
import type { Hall } from '#halls';
import { LoadProcess } from '#load';
import { type Figure, figureOf, percentile, ratiosOf, sortedNumbers } from '#measure';
import { type OwnNode, startOwnNode } from '#node';
import { openRedis } from '#stage';

const SUITE = 'versions';
const SEATS = 100_000;
const CROWDS = [512, 64] as const;
/** Far below what a node can do: what is seen is how long one hold takes. */
const CALM_PER_S = 1_000;
const LEAD_MS = 1_000;
const HERE = 'here';
const THERE = 'there';
const BOTH = [HERE, THERE] as const;

type Nodes = Readonly<Record<(typeof BOTH)[number], OwnNode>>;

/** Nodes of this checkout and of the one in `folder`, without Redis and with it. */
export async function versionsSuite(
  bench: Bench,
  quick: boolean,
  folder: string,
): Promise<Figure[]> {
  const redis = await openRedis();
  const load = new LoadProcess();
  try {
    const hall = await bench.halls.of(SEATS);
    await bench.halls.welcome(load, hall);
    const turns = new Turns(bench, load, hall, quick);
    const figures = [
      ...(await turns.all('without Redis', null, folder)),
      ...(await turns.all('with Redis', redis.url, folder)),
    ];
    return [...figures, loadShare(SUITE, turns.results), strangeFigure(SUITE, turns.results)];
  } finally {
    await load.stop();
    await redis.stop();
  }
}

class Turns {
  readonly results: Results[] = [];
  readonly #bench: Bench;
  readonly #load: LoadProcess;
  readonly #hall: Hall;
  readonly #quick: boolean;

  constructor(bench: Bench, load: LoadProcess, hall: Hall, quick: boolean) {
    this.#bench = bench;
    this.#load = load;
    this.#hall = hall;
    this.#quick = quick;
  }

  async all(how: string, redisUrl: string | null, folder: string): Promise<Figure[]> {
    const { stage, profile } = this.#bench;
    const here = await startOwnNode(stage, { name: `${HERE} ${how}`, profile, redisUrl });
    const wishes = { name: `${THERE} ${how}`, profile, redisUrl, checkout: folder };
    const there = await startOwnNode(stage, wishes).catch(async (error) => {
      await here.stop();
      throw error;
    });
    const nodes = { [HERE]: here, [THERE]: there };
    try {
      const figures: Figure[] = [];
      for (const connections of CROWDS) {
        figures.push(...(await this.#holds(how, nodes, connections)));
      }
      return [...figures, ...(await this.#calm(how, nodes))];
    } finally {
      await Promise.all([here.stop(), there.stop()]);
    }
  }

  async #holds(how: string, nodes: Nodes, connections: number): Promise<Figure[]> {
    const contestants = BOTH.map((name) => ({
      name,
      servers: [nodes[name]],
      prepare: async () => ({
        aim: await this.#sale(nodes[name]),
        play: { kind: 'reserve' } as const,
        connections,
      }),
    }));
    const title = `${connections} connections ${how}`;
    const sizes = settingsOf(this.#quick);
    const results = await runContest(this.#bench, this.#load, contestants, { ...sizes, title });
    this.results.push(results);
    const ratio = (what: string, pick?: Parameters<typeof ratioOf>[3]) => {
      const name = `${title}, ${HERE} to ${THERE}${what}`;
      return ratioOf(results, [HERE, THERE], { suite: SUITE, name }, pick);
    };
    return [
      ...figuresOf({ suite: SUITE, title, what: 'holds' }, contestants, results),
      ratio(''),
      ratio(', server time', ({ server_us }) => server_us),
      ratio(', Postgres time', ({ postgres_us }) => postgres_us),
    ];
  }

  /** How soon a hold is answered by a node that is far from full. */
  async #calm(how: string, nodes: Nodes): Promise<Figure[]> {
    const { rounds, lasts_ms } = settingsOf(this.#quick);
    const seen: Record<(typeof BOTH)[number], number[]> = { [HERE]: [], [THERE]: [] };
    for (let round = 0; round < rounds; round++) {
      this.#bench.tell(`${CALM_PER_S}/s ${how}, round ${round + 1} of ${rounds}`);
      for (const name of round % 2 === 0 ? BOTH : BOTH.toReversed()) {
        const aim = await this.#sale(nodes[name]);
        await this.#bench.stage.asSuperuser('checkpoint');
        const long_ms = LEAD_MS + lasts_ms * 2;
        const report = await this.#load.paced(aim, CROWDS[0], CALM_PER_S, long_ms, LEAD_MS);
        seen[name].push(percentile(sortedNumbers(report.latencies_ms), 99));
      }
    }
    const title = `${CALM_PER_S} holds/s ${how}`;
    const about = (name: string, unit: string) => ({ suite: SUITE, name, unit });
    const ratio = about(`${title}, ${HERE} to ${THERE}, 99 % within`, 'x');
    return [
      ...BOTH.map((name) => figureOf(seen[name], about(`${title}, ${name}, 99 % within`, 'ms'))),
      figureOf(ratiosOf(seen[HERE], seen[THERE]), ratio),
    ];
  }

  async #sale({ address }: OwnNode) {
    const { eventId } = await this.#bench.halls.sale(this.#hall);
    await fetch(`${address}/api/events/${eventId}/availability`);
    return { address, eventId, seatIds: this.#hall.seatIds, keys: false };
  }
}
