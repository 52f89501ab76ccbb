import {
  type Bench,
  type Contestant,
  figuresOf,
  loadShare,
  type Results,
  ratioOf,
  runContest,
  type Sizes,
  settingsOf,
  strangeFigure,
} from '#contest';
import { type Figure, figureOf, median, percentile, sortedNumbers } from '#measure';
import { type HoldLoad, NAMES, otherContestants, ownContestant } from './contestants.ts';
import { type Servers, startServers } from './servers.ts';

const SUITE = 'holds';
const LARGE = 100_000;
const SMALLER = 10_000;
const MANY = 512;
const FEW = 64;
/** At 512 connections, with everything on. */
const PROMISES = {
  node: { naive: { target: { above: 6 } }, statement: { target: { above: 1.2 } } },
  warm: {
    naive: { target: { above: 5 }, goal: { above: 8 } },
    statement: { target: { above: 1 }, goal: { above: 1.3 } },
  },
} as const;
/** At half of the most that a node can do. */
const SOON = { below: 25 };
const NEVER = { below: 0.001 };

/** Holds per second over HTTP, each load as often as there are rounds, everybody in turn. */
export async function holdsSuite(bench: Bench, quick: boolean): Promise<Figure[]> {
  const servers = await startServers(bench);
  try {
    return await new HoldsRun(bench, servers, settingsOf(quick)).all();
  } finally {
    await servers.stop();
  }
}

class HoldsRun {
  readonly #bench: Bench;
  readonly #servers: Servers;
  readonly #sizes: Sizes;
  readonly #all: Results[] = [];

  constructor(bench: Bench, servers: Servers, sizes: Sizes) {
    this.#bench = bench;
    this.#servers = servers;
    this.#sizes = sizes;
  }

  async all(): Promise<Figure[]> {
    const many = await this.#large(MANY);
    return [
      ...many.figures,
      ...(await this.#paced('node', many.results)),
      ...(await this.#paced('warm', many.results)),
      ...(await this.#large(FEW)).figures,
      ...(await this.#alone('with a key each', { keys: true })),
      ...(await this.#alone('with the rate limit', { limited: true })),
      loadShare(SUITE, this.#all),
      strangeFigure(SUITE, this.#all),
    ];
  }

  async #large(connections: number): Promise<{ figures: Figure[]; results: Results }> {
    const { node, warm } = this.#servers;
    const hall = await this.#bench.halls.of(LARGE);
    const load = { hall, connections };
    const contestants = [
      ownContestant(this.#bench, 'node', node, load),
      ownContestant(this.#bench, 'warm', warm, load),
      ...otherContestants(this.#bench, this.#servers, load),
    ];
    const title = `${connections} connections`;
    const { figures, results } = await this.#contest(title, load, contestants);
    return { figures: [...figures, ...ratios(title, results, connections === MANY)], results };
  }

  async #alone(title: string, wish: { keys?: boolean; limited?: boolean }): Promise<Figure[]> {
    const hall = await this.#bench.halls.of(SMALLER, wish.limited);
    const load = { hall, connections: FEW, keys: wish.keys ?? false };
    const contestants = [ownContestant(this.#bench, 'node', this.#servers.node, load)];
    return (await this.#contest(title, load, contestants)).figures;
  }

  async #contest(title: string, { hall }: HoldLoad, contestants: readonly Contestant[]) {
    await this.#bench.halls.welcome(this.#servers.load, hall);
    const options = { ...this.#sizes, title };
    const results = await runContest(this.#bench, this.#servers.load, contestants, options);
    this.#all.push(results);
    const figures = figuresOf({ suite: SUITE, title, what: 'holds' }, contestants, results);
    return { figures, results };
  }

  /** Half of what it just did, whether or not it keeps up. */
  async #paced(name: 'node' | 'warm', results: Results): Promise<Figure[]> {
    const { load } = this.#servers;
    const hall = await this.#bench.halls.of(LARGE);
    const most = median((results.get(NAMES[name]) ?? []).map(({ per_s }) => per_s));
    const per_s = Math.round(most / 2);
    const p99: number[] = [];
    const notHeld: number[] = [];
    for (let round = 0; round < this.#sizes.rounds; round++) {
      this.#bench.tell(`half of the most, ${NAMES[name]}, round ${round + 1}`);
      const contestant = ownContestant(this.#bench, name, this.#servers[name], {
        hall,
        connections: MANY,
      });
      const { aim } = await contestant.prepare();
      await this.#bench.stage.asSuperuser('checkpoint');
      const report = await load.paced(aim, MANY, per_s, this.#sizes.lasts_ms * 2);
      p99.push(percentile(sortedNumbers(report.latencies_ms), 99));
      notHeld.push(1 - (report.statuses[201] ?? 0) / report.latencies_ms.length);
    }
    const title = `half of the most, ${NAMES[name]}`;
    const note = `${per_s}/s asked for over ${MANY} connections`;
    const about = { suite: SUITE, name: `${title}, 99 % within`, unit: 'ms', note };
    return [
      figureOf(p99, { ...about, target: SOON }),
      figureOf(notHeld, { suite: SUITE, name: `${title}, not 201`, unit: '', target: NEVER }),
    ];
  }
}

/** What is promised is promised at 512 connections; at 64 it is only said. */
function ratios(title: string, results: Results, isPromised: boolean): Figure[] {
  return (['node', 'warm'] as const).flatMap((own) =>
    (['naive', 'locking', 'statement', 'bare'] as const).map((other) => {
      const promise = promiseOf(own, other);
      const name = `${title}, ${NAMES[own]} to ${NAMES[other]}`;
      return ratioOf(results, [NAMES[own], NAMES[other]], {
        suite: SUITE,
        name,
        ...(isPromised ? promise : {}),
      });
    }),
  );
}

/** One statement is one statement: the promise is the same with a server around it and without. */
function promiseOf(own: 'node' | 'warm', other: 'naive' | 'locking' | 'statement' | 'bare') {
  if (other === 'locking') return {};
  return PROMISES[own][other === 'naive' ? 'naive' : 'statement'];
}
