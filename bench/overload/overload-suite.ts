import { fileURLToPath } from 'node:url';
import { changeSeatingPolicy } from '@voelgoed/engine/workflows';
import { aCaller, done } from '@voelgoed/testkit/builders';
import { Child } from '#children';
import { OPEN_POLICY } from '#holds';
import { LoadProcess, type LoadReport } from '#load';
import { type Figure, percentile, sortedNumbers } from '#measure';
import { buyersOf, newEvent, processSeconds, type Stadium, seatIdsOf, stadium } from '#stage';
import type { Bench } from '#writer';
import { figuresOf, type Outcome, type Round } from './overload-figures.ts';

const PROGRAM = fileURLToPath(new URL('./node-program.ts', import.meta.url));
const TIMES = 3;
/** Between an answer and the next wish of the same buyer. */
const PAUSE_MS = 1_000;
/** A browser each; more would measure how connections are opened. */
const MOST_BUYERS = 12_000;
const CONNECTIONS = 1_000;
const BEST_CONNECTIONS = 512;
const TURNS = 4;
/** Of the buyers that should keep the node at its best: where its peak is looked for. */
const PARTS = [0.6, 0.8, 1];
/** What a small organization sells while its neighbour is overrun. */
const SMALL_PER_S = 50;
const SMALL_CONNECTIONS = 200;
/** Half of what the node can do, as after the rush. */
const AFTER = 0.5;
const WINDOW_MS = 500;
/** A wish that takes longer was given up by whoever had it. */
const PATIENCE_MS = 3_000;
const LARGE = 100_000;
const SMALL = 1_000;

type Hall = Readonly<{ stadium: Stadium; buyers: readonly string[] }>;

type Node = Readonly<{ child: Child; address: string; pid: number }>;

export async function overloadSuite(bench: Bench, quick: boolean): Promise<Figure[]> {
  const run = new OverloadRun(bench, quick);
  try {
    const gated = await run.measure(true);
    const open = await run.measure(false);
    return [...figuresOf('with the gate', gated, true), ...figuresOf('without', open, false)];
  } finally {
    await run.stop();
  }
}

class OverloadRun {
  readonly #bench: Bench;
  readonly #rounds: number;
  readonly #lasts_ms: number;
  readonly #load = new LoadProcess();
  readonly #other = new LoadProcess();
  #large: Hall | null = null;
  #small: Hall | null = null;

  constructor(bench: Bench, quick: boolean) {
    this.#bench = bench;
    this.#rounds = quick ? 2 : 3;
    this.#lasts_ms = quick ? 10_000 : 16_000;
  }

  async measure(shed: boolean): Promise<Outcome> {
    const large = this.#large ?? (await this.#hall(LARGE));
    const small = this.#small ?? (await this.#hall(SMALL));
    this.#large = large;
    this.#small = small;
    await this.#welcome(this.#load, large);
    await this.#welcome(this.#other, small);
    const node = await this.#start(shed);
    try {
      const best = await this.#bestOf(node, large);
      const most = await this.#mostServed(node, large, best.per_s);
      const peaks = [await this.#peak(node, large, most)];
      const rounds: Round[] = [];
      for (let round = 0; round < this.#rounds; round++) {
        rounds.push(await this.#overrun(node, large, small, manyMore(most)));
        peaks.push(await this.#peak(node, large, most));
      }
      const stubborn = await this.#stubborn(node, large, best.per_s * TIMES);
      const recovery_s = await this.#recovery(node, large, small, most);
      return { best, peaks, rounds, stubborn, recovery_s };
    } finally {
      await node.child.stop();
    }
  }

  async stop(): Promise<void> {
    await Promise.all([this.#load.stop(), this.#other.stop()]);
  }

  /** Overrun, with a small organization that sells beside it. */
  async #overrun(node: Node, large: Hall, small: Hall, buyers: number): Promise<Round> {
    const aim = { ...(await this.#aim(node, large)), commits: true };
    const smallAim = await this.#aim(node, small);
    const cpu = await processSeconds(node.pid);
    const [report, neighbour] = await Promise.all([
      this.#load.population(aim, buyers, PAUSE_MS, this.#lasts_ms),
      this.#other.paced(smallAim, SMALL_CONNECTIONS, SMALL_PER_S, this.#lasts_ms),
    ]);
    const node_s = (await processSeconds(node.pid)) - cpu;
    const goodput = inTime(report);
    const latencies = sortedNumbers(report.latencies_ms);
    const theirs = sortedNumbers(neighbour.latencies_ms);
    return {
      buyers,
      goodput: goodput / report.seconds,
      per_cpu: goodput / node_s,
      offered: latencies.length / report.seconds,
      p99_ms: percentile(latencies, 99),
      turnedAway: (report.statuses[503] ?? 0) / latencies.length,
      late: report.commits.length - goodput,
      small: {
        done: (neighbour.statuses[201] ?? 0) / Math.max(1, theirs.length),
        p99_ms: percentile(theirs, 99),
      },
    };
  }

  /** The same buyers, fewer of them: how many of them it serves best. */
  async #mostServed(node: Node, hall: Hall, per_s: number): Promise<number> {
    let most = { buyers: 0, reached: 0 };
    for (const part of PARTS) {
      const buyers = buyersFor(per_s * part);
      const reached = await this.#peak(node, hall, buyers);
      if (reached > most.reached) most = { buyers, reached };
    }
    return most.buyers;
  }

  /** Goodput with just as many buyers as it can serve. */
  async #peak(node: Node, hall: Hall, buyers: number): Promise<number> {
    const aim = { ...(await this.#aim(node, hall)), commits: true };
    const report = await this.#load.population(aim, buyers, PAUSE_MS, this.#lasts_ms / 2);
    return inTime(report) / report.seconds;
  }

  /** From the end of a rush until it does what it is asked for. */
  async #recovery(node: Node, large: Hall, small: Hall, buyers: number): Promise<number> {
    const later = { ...(await this.#aim(node, large)), commits: true };
    await this.#overrun(node, large, small, manyMore(buyers));
    const per_s = (AFTER * buyers * 1_000) / PAUSE_MS;
    return recoveryOf(await this.#load.paced(later, CONNECTIONS, per_s, 10_000), per_s);
  }

  async #stubborn(node: Node, hall: Hall, per_s: number): Promise<number> {
    const aim = { ...(await this.#aim(node, hall)), commits: true };
    const report = await this.#load.paced(aim, CONNECTIONS, per_s, this.#lasts_ms / 2);
    return inTime(report) / report.seconds;
  }

  /** The first turns also warm the node up, so the best of all is its best. */
  async #bestOf(node: Node, hall: Hall): Promise<{ per_s: number; per_cpu: number }> {
    const turns = [];
    for (let turn = 0; turn < TURNS; turn++) turns.push(await this.#best(node, hall));
    return {
      per_s: Math.max(...turns.map(({ per_s }) => per_s)),
      per_cpu: Math.max(...turns.map(({ per_cpu }) => per_cpu)),
    };
  }

  async #best(node: Node, hall: Hall): Promise<{ per_s: number; per_cpu: number }> {
    const aim = await this.#aim(node, hall);
    const before = await processSeconds(node.pid);
    const report = await this.#load.distinct(aim, BEST_CONNECTIONS, this.#lasts_ms / 2);
    const holds = report.statuses[201] ?? 0;
    const node_s = (await processSeconds(node.pid)) - before;
    return { per_s: holds / report.seconds, per_cpu: holds / node_s };
  }

  async #aim({ address }: Node, { stadium: hall }: Hall) {
    const { engine } = this.#bench;
    const event = await newEvent(engine, hall);
    const board = await engine.registry.board(event);
    if (!board) throw new Error('the event is on sale');
    // Whoever holds a seat has looked at the map before.
    await fetch(`${address}/api/events/${event.eventId}/availability`);
    return { address, eventId: event.eventId, seatIds: seatIdsOf(board), keys: false };
  }

  async #start(shed: boolean): Promise<Node> {
    const child = new Child(PROGRAM);
    const { ownerUrl, authSecret } = this.#bench.stage.services;
    const address = await child.ask<string>({ ownerUrl, authSecret, shed });
    return { child, address, pid: child.pid };
  }

  async #hall(seats: number): Promise<Hall> {
    const { engine, users } = this.#bench;
    const built = await stadium(engine, seats);
    const caller = aCaller({ scope: built.scope });
    done(await changeSeatingPolicy(engine, caller, OPEN_POLICY, 'platform'));
    return { stadium: built, buyers: await buyersOf(engine, built, Math.min(users, seats)) };
  }

  async #welcome(load: LoadProcess, { stadium: hall, buyers }: Hall): Promise<void> {
    const secret = this.#bench.stage.services.authSecret;
    const { organizationId } = hall.scope;
    await load.crowd({ secret, organizationId, users: buyers });
  }
}

/** Holds that somebody still waited for. */
function inTime({ commits }: LoadReport): number {
  return commits.filter(([, sent, told]) => told - sent < PATIENCE_MS).length;
}

/** Three times as many. */
function manyMore(buyers: number): number {
  return Math.min(buyers * TIMES, MOST_BUYERS);
}

/** As many as keep it there with their pauses. */
function buyersFor(per_s: number): number {
  return Math.min(Math.round((per_s * PAUSE_MS) / 1_000), MOST_BUYERS);
}

/** From the end of the rush until a window in which nearly everything asked for was done. */
function recoveryOf({ commits, seconds }: LoadReport, per_s: number): number {
  const first = Math.min(...commits.map(([, sent]) => sent));
  const windows = Math.floor((seconds * 1_000) / WINDOW_MS);
  for (let window = 0; window < windows; window++) {
    const from = first + window * WINDOW_MS;
    const told = commits.filter(([, , at]) => at >= from && at < from + WINDOW_MS).length;
    if (told >= (0.95 * per_s * WINDOW_MS) / 1_000) return (window * WINDOW_MS) / 1_000;
  }
  return Number.POSITIVE_INFINITY;
}
