import {
  type Bench,
  type Contestant,
  loadShare,
  type Results,
  runContest,
  type Sizes,
  settingsOf,
  strangeFigure,
  withCast,
} from '#contest';
import { type Hall, sellSeats } from '#halls';
import { LoadProcess } from '#load';
import { type Figure, figureOf, ratiosOf } from '#measure';
import { type OwnNode, startOwnNode } from '#node';
import { severalNodes, withNodes } from '#nodes';

const SUITE = 'growth';
const CONNECTIONS = 64;
/** Flat within 20 %. */
const FLAT = { above: 0.8 };
const HALLS = [1_000, 10_000, 100_000] as const;
const EVENTS = { quick: [1, 10, 100], all: [1, 10, 100, 1_000] } as const;
const EVENT_SEATS = 1_000;
const SOLD = [0, 50, 90, 99] as const;
const SOLD_SEATS = { quick: 20_000, all: 100_000 } as const;
const NODES = [1, 2, 4] as const;
const NODE_SEATS = 40_000;

/** A size along a line, with who is measured there. */
type Point = Readonly<{ at: number; contestant: Contestant }>;

export async function growthSuite(bench: Bench, quick: boolean): Promise<Figure[]> {
  const run = new GrowthRun(bench, quick);
  const figures = await withCast(bench, { name: SUITE }, async ({ node, load }) => [
    ...(await run.line('seats', load, await run.halls(node))),
    ...(await run.line('percent sold', load, await run.sold(node))),
    ...(await run.events(node, load)),
  ]);
  const load = new LoadProcess();
  try {
    const together = await withNodes(bench, SUITE, Math.max(...NODES), async (nodes) =>
      run.line('nodes', load, await run.nodes(nodes)),
    );
    return [...figures, ...together, ...run.ends()];
  } finally {
    await load.stop();
  }
}

class GrowthRun {
  readonly #bench: Bench;
  readonly #quick: boolean;
  readonly #sizes: Sizes;
  readonly #all: Results[] = [];

  constructor(bench: Bench, quick: boolean) {
    this.#bench = bench;
    this.#quick = quick;
    this.#sizes = settingsOf(quick);
  }

  ends(): Figure[] {
    return [loadShare(SUITE, this.#all), strangeFigure(SUITE, this.#all)];
  }

  async halls(node: OwnNode): Promise<Point[]> {
    const points: Point[] = [];
    for (const at of HALLS) {
      const hall = await this.#bench.halls.of(at);
      const { eventId } = await this.#bench.halls.sale(hall);
      points.push({ at, contestant: turnover(`${at} seats`, node, [eventId], hall.seatIds) });
    }
    return points;
  }

  async sold(node: OwnNode): Promise<Point[]> {
    const { halls, engine, tell } = this.#bench;
    const hall = await halls.of(this.#quick ? SOLD_SEATS.quick : SOLD_SEATS.all);
    const points: Point[] = [];
    for (const at of SOLD) {
      tell(`${at} % of ${hall.seatIds.length} seats are sold`);
      const event = await halls.sale(hall);
      const left = await sellSeats(engine, event, hall, at);
      points.push({ at, contestant: turnover(`${at} % sold`, node, [event.eventId], left) });
    }
    return points;
  }

  async nodes(nodes: readonly OwnNode[]): Promise<Point[]> {
    const hall = await this.#bench.halls.of(NODE_SEATS);
    return NODES.map((at) => {
      const words = { name: `${at} nodes`, isShared: true };
      return { at, contestant: severalNodes(this.#bench, hall, nodes.slice(0, at), words) };
    });
  }

  /** All on one of them while the node has others too; and over all of them at once. */
  async events(node: OwnNode, load: LoadProcess): Promise<Figure[]> {
    const { halls, stage, profile } = this.#bench;
    const hall = await halls.of(EVENT_SEATS);
    // It has one event in memory, whatever the other one has.
    const alone = await startOwnNode(stage, { name: `${SUITE} one event`, profile });
    try {
      const eventIds: string[] = [];
      const counts = this.#quick ? EVENTS.quick : EVENTS.all;
      const over: Point[] = [];
      const beside: Figure[] = [];
      for (const at of counts) {
        await this.#openEvents(node, hall, eventIds, at);
        const own = eventIds.slice(0, at);
        over.push({ at, contestant: turnover(`over ${at} events`, node, own, hall.seatIds) });
        if (at === 1) continue;
        // The last one, so that both of them have an event of their own.
        const { eventId } = await halls.sale(hall);
        const few = turnover('one event', alone, [eventId], hall.seatIds);
        const many = turnover(`${at} events`, node, own.slice(0, 1), hall.seatIds);
        const points = [
          { at: 1, contestant: few },
          { at, contestant: many },
        ];
        const found = await this.line('events in memory', load, points);
        // Of the one that is compared with, one measurement is enough in a plot.
        beside.push(
          ...(beside.length === 0 ? found : found.filter(({ point }) => point?.at !== 1)),
        );
      }
      return [...beside, ...(await this.line('events in use', load, over))];
    } finally {
      await alone.stop();
    }
  }

  async #openEvents(node: OwnNode, hall: Hall, eventIds: string[], count: number): Promise<void> {
    const { halls, tell } = this.#bench;
    while (eventIds.length < count) {
      if (eventIds.length % 50 === 0) tell(`${eventIds.length} of ${count} events`);
      const { eventId } = await halls.sale(hall);
      eventIds.push(eventId);
      await fetch(`${node.address}/api/events/${eventId}/availability`);
    }
  }

  /** Everybody in turn, and what each is to the smallest. */
  async line(along: string, load: LoadProcess, points: readonly Point[]): Promise<Figure[]> {
    const hall = await this.#bench.halls.of(EVENT_SEATS);
    await this.#bench.halls.welcome(load, hall);
    const contestants = points.map(({ contestant }) => contestant);
    const sizes = { ...this.#sizes, title: along };
    const results = await runContest(this.#bench, load, contestants, sizes);
    this.#all.push(results);
    const turns = contestants.map(({ name }) => results.get(name) ?? []);
    return pointFigures(
      along,
      points.map(({ at }) => at),
      turns,
    );
  }
}

type Rated = Readonly<{ per_s: number; p95_ms: number; server_us: number }>;

function pointFigures(
  along: string,
  at: readonly number[],
  turns: readonly (readonly Rated[])[],
): Figure[] {
  const name = (index: number) => `${along}: ${at[index]?.toLocaleString('en')}`;
  const lines = (label: string, unit: string, pick: (turn: Rated) => number) =>
    turns.map((own, index) =>
      figureOf(own.map(pick), {
        suite: SUITE,
        name: `${name(index)}, ${label}`,
        unit,
        point: { along: `${along}, ${label}`, at: at[index] ?? 0 },
      }),
    );
  const first = (turns[0] ?? []).map(({ per_s }) => per_s);
  const ratios = turns.slice(1).map((own, index) =>
    figureOf(
      ratiosOf(
        own.map(({ per_s }) => per_s),
        first,
      ),
      { suite: SUITE, name: `${name(index + 1)} to ${at[0]}, holds`, unit: 'x', target: FLAT },
    ),
  );
  return [
    ...lines('holds', '/s', ({ per_s }) => per_s),
    ...lines('95 % within', 'ms', ({ p95_ms }) => p95_ms),
    ...lines('server time', 'µs', ({ server_us }) => server_us),
    ...ratios,
  ];
}

/** Seats are held and given back, so that a small hall lasts as long as a large one. */
function turnover(
  name: string,
  node: OwnNode,
  eventIds: readonly string[],
  seatIds: readonly string[],
): Contestant {
  const [eventId = ''] = eventIds;
  const aim = { address: node.address, eventId, eventIds, seatIds, keys: false };
  return {
    name,
    servers: [node],
    prepare: async () => {
      await fetch(`${node.address}/api/events/${eventId}/availability`);
      return { aim, play: { kind: 'turnover' }, connections: CONNECTIONS };
    },
  };
}
