import { fileURLToPath } from 'node:url';
import { systemClock } from '@voelgoed/engine/kit';
import { Child } from '#children';
import type { Bench } from '#contest';
import type { Hall } from '#halls';
import { LoadProcess, type LoadReport } from '#load';
import { type Figure, percentile, sortedNumbers } from '#measure';
import { type OwnNode, startOwnNode } from '#node';
import { processSeconds } from '#stage';
import { type Delays, delaysOf } from './delays.ts';
import { figuresOf, memoryFigure } from './figures.ts';
import type { ListenReport } from './listeners.ts';

const programOf = (name: string) => fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
const SUITE = 'sse';
const SEATS = 100_000;
const HOLDS_PER_S = 200;
/** Holds are sent over this many connections. */
const BUYERS = 64;
/** Nobody, for comparison; a large sale; as many as one node should have. */
const CROWDS = [0, 1_000, 5_000];
/** The last frames are under way for so long at most. */
const SETTLED_MS = 3_000;

const FEW = 200;
const WARM_UP_MS = 8_000;

/** Of one connection, for the server. */
export type Weight = Readonly<{ rss_kB: number; heap_kB: number }>;

/** What was seen while so many listened. */
export type Turn = Readonly<{
  clients: number;
  /** From the answer to a hold, and from its request, to the frame. */
  told: Delays;
  sent: Delays;
  holds: Readonly<{ p50_ms: number; p95_ms: number; p99_ms: number; failed: number }>;
  frames: number;
  broken: number;
  server_cpus: number;
  listener_cpus: number;
  load_cpus: number;
}>;

export async function sseSuite(bench: Bench, quick: boolean): Promise<Figure[]> {
  const { stage, halls, profile } = bench;
  const hall = await halls.of(SEATS);
  const listeners = new Child(programOf('listener-program'));
  const load = new LoadProcess();
  const started: { stop(): Promise<void> }[] = [listeners, load];
  try {
    await halls.welcome(load, hall);
    const node = await startOwnNode(stage, { name: SUITE, profile });
    started.push(node);
    return await new SseRun(bench, { node, listeners, load, hall }, quick).all();
  } finally {
    await Promise.all(started.map((one) => one.stop()));
  }
}

type Cast = Readonly<{ node: OwnNode; listeners: Child; load: LoadProcess; hall: Hall }>;

class SseRun {
  readonly #bench: Bench;
  readonly #cast: Cast;
  readonly #rounds: number;
  readonly #lasts_ms: number;

  constructor(bench: Bench, cast: Cast, quick: boolean) {
    this.#bench = bench;
    this.#cast = cast;
    this.#rounds = quick ? 1 : 3;
    this.#lasts_ms = quick ? 5_000 : 8_000;
  }

  async all(): Promise<Figure[]> {
    const turns: Turn[] = [];
    // The first turns only warm everybody up. What a connection weighs is seen when the first
    // thousands come: afterwards the process keeps the room that they have left.
    await this.#turn(FEW, 1_000);
    const weight = await this.#weight(Math.max(...CROWDS));
    await this.#turn(Math.max(...CROWDS), WARM_UP_MS);
    for (let round = 0; round < this.#rounds; round++) {
      for (const clients of CROWDS) turns.push(await this.#turn(clients, this.#lasts_ms));
    }
    return [
      ...CROWDS.flatMap((clients) => {
        const own = turns.filter((turn) => turn.clients === clients);
        return figuresOf(clients, own);
      }),
      memoryFigure(weight),
    ];
  }

  async #weight(clients: number): Promise<Weight> {
    const { node, listeners } = this.#cast;
    const { url } = await this.#sale();
    const before = await node.memory();
    await listeners.ask({ kind: 'open', url, count: clients });
    const after = await node.memory();
    await listeners.ask({ kind: 'close' });
    const rss_kB = (after.rss - before.rss) / clients / 1_024;
    return { rss_kB, heap_kB: (after.heap - before.heap) / clients / 1_024 };
  }

  /** An event of its own for every turn, and the node has its board. */
  async #sale() {
    const { node, hall } = this.#cast;
    const { address } = node;
    const { eventId } = await this.#bench.halls.sale(hall);
    await fetch(`${address}/api/events/${eventId}/availability`);
    const url = `${address}/api/events/${eventId}/stream`;
    return { eventId, seatIds: hall.seatIds, url };
  }

  async #turn(clients: number, lasts_ms: number): Promise<Turn> {
    const { listeners, load, node } = this.#cast;
    const { address } = node;
    this.#bench.tell(`${clients} listen`);
    const { eventId, seatIds, url } = await this.#sale();
    await listeners.ask({ kind: 'open', url, count: clients });
    const aim = { address, eventId, seatIds, keys: false, commits: true };
    const cpu = await this.#cpu();
    const report = await load.paced(aim, BUYERS, HOLDS_PER_S, lasts_ms);
    const after = await this.#cpu();
    const heard = clients === 0 ? null : await this.#settled(report);
    await listeners.ask({ kind: 'close' });
    return {
      clients,
      ...this.#seen(report, heard),
      server_cpus: (after.node - cpu.node) / report.seconds,
      listener_cpus: (after.listeners - cpu.listeners) / report.seconds,
      load_cpus: report.cpu_seconds / report.seconds,
    };
  }

  #seen(report: LoadReport, heard: ListenReport | null) {
    const times = sortedNumbers(report.latencies_ms);
    const { 201: held = 0 } = report.statuses;
    const frames = heard?.heard ?? [];
    return {
      told: delaysOf(frames, report.commits, 'told'),
      sent: delaysOf(frames, report.commits, 'sent'),
      holds: {
        p50_ms: percentile(times, 50),
        p95_ms: percentile(times, 95),
        p99_ms: percentile(times, 99),
        failed: times.length - held,
      },
      frames: frames.length / report.seconds,
      broken: heard?.broken ?? 0,
    };
  }

  /** Everybody must have heard of the last commit. */
  async #settled({ commits }: LoadReport): Promise<ListenReport> {
    const last = commits.reduce((most, [revision]) => Math.max(most, revision), 0);
    const until = systemClock.monotonic() + SETTLED_MS;
    const heard: ListenReport['heard'][number][] = [];
    for (;;) {
      const report = await this.#cast.listeners.ask<ListenReport>({ kind: 'take' });
      heard.push(...report.heard);
      if (report.revision >= last) return { ...report, heard };
      if (systemClock.monotonic() > until) {
        throw new Error(`somebody is still at ${report.revision}, and the sale at ${last}`);
      }
      await systemClock.sleep(100);
    }
  }

  async #cpu() {
    const { node, listeners } = this.#cast;
    const [own, theirs] = [node.pid, listeners.pid].map(processSeconds);
    return { node: (await own) ?? 0, listeners: (await theirs) ?? 0 };
  }
}
