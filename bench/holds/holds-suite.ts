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
/** Connections are opened and a board of its own is met: from then on it counts. */
const LEAD_MS = 1_000;

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

  /** Half of what it just did, whether or not it keeps up; and others at the same rate. */
  async #paced(name: 'node' | 'warm', results: Results): Promise<Figure[]> {
    const most = median((results.get(NAMES[name]) ?? []).map(({ per_s }) => per_s));
    const per_s = Math.round(most / 2);
    const hall = await this.#bench.halls.of(LARGE);
    const wish = { hall, connections: MANY };
    const contestants = [
      ownContestant(this.#bench, name, this.#servers[name], wish),
      ...otherContestants(this.#bench, this.#servers, wish).filter((one) => {
        return one.name === NAMES.statement;
      }),
    ];
    const title = `half of the most of ${NAMES[name]}`;
    const note = `${per_s}/s asked for over ${MANY} connections`;
    const p99 = new Map<string, number[]>(contestants.map((one) => [one.name, []]));
    const notHeld: number[] = [];
    for (let round = 0; round < this.#sizes.rounds; round++) {
      this.#bench.tell(`${title}, round ${round + 1} of ${this.#sizes.rounds}`);
      for (const one of round % 2 === 0 ? contestants : contestants.toReversed()) {
        const { aim } = await one.prepare();
        await this.#bench.stage.asSuperuser('checkpoint');
        const lasts_ms = LEAD_MS + this.#sizes.lasts_ms * 2;
        const report = await this.#servers.load.paced(aim, MANY, per_s, lasts_ms, LEAD_MS);
        p99.get(one.name)?.push(percentile(sortedNumbers(report.latencies_ms), 99));
        if (one.reference) continue;
        notHeld.push(1 - (report.statuses[201] ?? 0) / report.latencies_ms.length);
      }
    }
    const within = contestants.map((one) => {
      const about = { suite: SUITE, name: `${title}, ${one.name}, 99 % within`, unit: 'ms', note };
      const kind = one.reference ? { reference: one.reference } : { target: SOON };
      return figureOf(p99.get(one.name) ?? [], { ...about, ...kind });
    });
    const about = { suite: SUITE, name: `${title}, not 201`, unit: '', target: NEVER };
    return [...within, figureOf(notHeld, about)];
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
