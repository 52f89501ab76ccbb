import {
  type Bench,
  type Contestant,
  figuresOf,
  loadShare,
  ratioOf,
  runContest,
  settingsOf,
  strangeFigure,
} from '#contest';
import type { Hall } from '#halls';
import { LoadProcess } from '#load';
import { type Figure, figureOf, percentile, ratiosOf, sortedNumbers } from '#measure';
import { type OwnNode, startOwnNode } from '#node';
import { startReference } from '#references';
import { openRedis } from '#stage';

const SUITE = 'versions';
const SEATS = 100_000;
const CROWDS = [512, 64] as const;
/** Far below what a node can do: what is seen is how long one hold takes. */
const CALM_PER_S = 1_000;
const HERE = 'here';
const THERE = 'there';
const BARE = 'a bare POST';

type Nodes = Readonly<Record<typeof HERE | typeof THERE, OwnNode>>;

/** Nodes of this checkout and of the one in `folder`, without Redis and with it. */
export async function versionsSuite(
  bench: Bench,
  quick: boolean,
  folder: string,
): Promise<Figure[]> {
  const { stage } = bench;
  const redis = await openRedis();
  const load = new LoadProcess();
  const started: { stop(): Promise<unknown> }[] = [redis, load];
  const node = async (name: string, redisUrl: string | null, checkout?: string) => {
    const one = await startOwnNode(stage, { name, profile: bench.profile, redisUrl, checkout });
    started.push(one);
    return one;
  };
  try {
    const { appUrl: url } = stage.address;
    const bare = await startReference({ kind: 'bare', url, secret: stage.services.authSecret });
    started.push(bare);
    const hall = await bench.halls.of(SEATS);
    await bench.halls.welcome(load, hall);
    const figures: Figure[] = [];
    for (const redisUrl of [null, redis.url]) {
      const how = redisUrl === null ? 'without Redis' : 'with Redis';
      const nodes = {
        [HERE]: await node(`${HERE} ${how}`, redisUrl),
        [THERE]: await node(`${THERE} ${how}`, redisUrl, folder),
      };
      const idle: Contestant = {
        name: BARE,
        reference: true,
        servers: [bare],
        prepare: async () => ({
          aim: { address: bare.address, eventId: '', seatIds: hall.seatIds, keys: false },
          play: { kind: 'post', path: '/bare' },
          connections: CROWDS[0],
        }),
      };
      const run = new Turns(bench, load, hall, quick);
      for (const connections of CROWDS) {
        figures.push(...(await run.holds(how, nodes, connections, idle)));
      }
      figures.push(...(await run.calm(how, nodes)));
    }
    return figures;
  } finally {
    for (const one of started.reverse()) await one.stop();
  }
}

class Turns {
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

  async holds(how: string, nodes: Nodes, connections: number, idle: Contestant): Promise<Figure[]> {
    const contestants: Contestant[] = [
      ...([HERE, THERE] as const).map((name) => ({
        name,
        servers: [nodes[name]],
        prepare: async () => ({
          aim: await this.#sale(nodes[name]),
          play: { kind: 'reserve' } as const,
          connections,
        }),
      })),
      idle,
    ];
    const title = `${connections} connections ${how}`;
    const sizes = settingsOf(this.#quick);
    const results = await runContest(this.#bench, this.#load, contestants, { ...sizes, title });
    const ratio = (what: string, pick?: Parameters<typeof ratioOf>[3]) => {
      const name = `${title}, ${HERE} to ${THERE}${what}`;
      return ratioOf(results, [HERE, THERE], { suite: SUITE, name }, pick);
    };
    return [
      ...figuresOf({ suite: SUITE, title, what: 'holds' }, contestants, results),
      ratio(''),
      ratio(', server time', ({ server_us }) => server_us),
      ratio(', Postgres time', ({ postgres_us }) => postgres_us),
      loadShare(SUITE, [results]),
      strangeFigure(SUITE, [results]),
    ];
  }

  /** How soon a hold is answered by a node that is far from full. */
  async calm(how: string, nodes: Nodes): Promise<Figure[]> {
    const { rounds, lasts_ms } = settingsOf(this.#quick);
    const seen = { [HERE]: [] as number[], [THERE]: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      this.#bench.tell(`${CALM_PER_S}/s ${how}, round ${round + 1} of ${rounds}`);
      for (const name of round % 2 === 0 ? ([HERE, THERE] as const) : ([THERE, HERE] as const)) {
        const aim = await this.#sale(nodes[name]);
        await this.#bench.stage.asSuperuser('checkpoint');
        const report = await this.#load.paced(aim, CROWDS[0], CALM_PER_S, lasts_ms * 2);
        seen[name].push(percentile(sortedNumbers(report.latencies_ms), 99));
      }
    }
    const title = `${CALM_PER_S} holds/s ${how}`;
    const about = (name: string, unit: string) => ({ suite: SUITE, name, unit });
    return [
      figureOf(seen[HERE], about(`${title}, ${HERE}, 99 % within`, 'ms')),
      figureOf(seen[THERE], about(`${title}, ${THERE}, 99 % within`, 'ms')),
      figureOf(
        ratiosOf(seen[HERE], seen[THERE]),
        about(`${title}, ${HERE} to ${THERE}, 99 % within`, 'x'),
      ),
    ];
  }

  async #sale({ address }: OwnNode) {
    const { eventId } = await this.#bench.halls.sale(this.#hall);
    await fetch(`${address}/api/events/${eventId}/availability`);
    return { address, eventId, seatIds: this.#hall.seatIds, keys: false };
  }
}
