import { systemClock } from '@voelgoed/engine/kit';
import { changeSeatingPolicy } from '@voelgoed/engine/workflows';
import { aCaller, done } from '@voelgoed/testkit/builders';
import { OPEN_POLICY } from '#holds';
import type { LoadReport } from '#load';
import { type Figure, figureOf, median, percentile } from '#measure';
import { buyersOf, newEvent, processSeconds, type Stadium, seatIdsOf, stadium } from '#stage';
import type { Bench } from '#writer';
import { type Cast, startCast } from './cast.ts';

const SUITE = 'redis';
const SEATS = 40_000;
const CONNECTIONS = 64;
const OPEN_CONNECTIONS = 5_000;
const ALMOST_AS_FAST = { above: 0.8 };
const WITHIN = { below: 50 };
const NEVER = { below: 0.001 };
/** Taken on one node and asked for on the other. */
const TAKEN = 3_000;

type Turn = LoadReport & Readonly<{ server_s: number }>;
type Place = 'off' | 'on' | 'dying';
type Hall = Readonly<{ stadium: Stadium; buyers: readonly string[] }>;
const PLACES: readonly Place[] = ['off', 'on', 'dying'];
const NAMES: Readonly<Record<Place, string>> = {
  off: 'without Redis',
  on: 'with Redis',
  dying: 'Redis dies in the middle',
};

export async function redisSuite(bench: Bench, quick: boolean): Promise<Figure[]> {
  const built = await stadium(bench.engine, SEATS);
  const caller = aCaller({ scope: built.scope });
  done(await changeSeatingPolicy(bench.engine, caller, OPEN_POLICY, 'platform'));
  const hall = { stadium: built, buyers: await buyersOf(bench.engine, built, bench.users) };
  const cast = await startCast(bench.stage);
  try {
    return await new RedisRun(bench, cast, hall, quick).all();
  } finally {
    await cast.stop();
  }
}

class RedisRun {
  readonly #bench: Bench;
  readonly #cast: Cast;
  readonly #hall: Hall;
  readonly #rounds: number;
  readonly #lasts_ms: number;

  constructor(bench: Bench, cast: Cast, hall: Hall, quick: boolean) {
    this.#bench = bench;
    this.#cast = cast;
    this.#hall = hall;
    this.#rounds = quick ? 2 : 5;
    this.#lasts_ms = quick ? 1_000 : 2_000;
  }

  async all(): Promise<Figure[]> {
    await this.#welcome(this.#hall.buyers);
    const reports: Record<Place, Turn[]> = { off: [], on: [], dying: [] };
    for (let round = -1; round < this.#rounds; round++) {
      for (const place of PLACES) {
        // The first turn only warms everybody up.
        const report = await this.#turn(place, round < 0 ? 3 : 1);
        if (round >= 0) reports[place].push(report);
      }
    }
    const rates = reports.on.map(rateOf);
    return [
      ...PLACES.flatMap((place) => figuresOf(NAMES[place], reports[place])),
      figureOf(
        rates.map((rate, round) => rate / rateOf(reports.off[round] ?? reports.off[0])),
        { suite: SUITE, name: 'with Redis to without', unit: 'x', target: ALMOST_AS_FAST },
      ),
      ...(await this.#paced('off', median(rates) / 2)),
      ...(await this.#paced('on', median(rates) / 2)),
      ...(await this.#refusals()),
    ];
  }

  async #turn(place: Place, longer: number): Promise<Turn> {
    const { load, redis } = this.#cast;
    const aim = await this.#sale(this.#cast.nodes[place]);
    const lasts_ms = this.#lasts_ms * longer;
    const killing =
      place === 'dying' ? systemClock.sleep(lasts_ms / 2).then(() => redis.kill()) : null;
    const before = await processSeconds(this.#cast.nodes[place].pid);
    const report = await load.distinct(aim, CONNECTIONS, lasts_ms);
    const server_s = (await processSeconds(this.#cast.nodes[place].pid)) - before;
    await killing;
    // It has been started again, and the node notices that after a second.
    if (place === 'dying') await systemClock.sleep(2_500);
    return { ...report, server_s };
  }

  /** Half of what the node can do, while thousands have their page open. */
  async #paced(place: 'on' | 'off', per_s: number): Promise<Figure[]> {
    const reports: LoadReport[] = [];
    for (let round = 0; round < this.#rounds; round++) {
      const aim = await this.#sale(this.#cast.nodes[place]);
      const lasts_ms = this.#lasts_ms * 2;
      reports.push(await this.#cast.load.paced(aim, OPEN_CONNECTIONS, per_s, lasts_ms));
    }
    const name = `half of the most, ${OPEN_CONNECTIONS} connections, ${NAMES[place]}`;
    const note = `${Math.round(per_s)}/s asked for`;
    const notHeld = reports.map((report) => 1 - (report.statuses[201] ?? 0) / countOf(report));
    return [
      figureOf(reports.map(rateOf), { suite: SUITE, name, unit: '/s', note }),
      figureOf(
        reports.map((report) => latencyOf(report, 95)),
        { suite: SUITE, name: `${name}, 95 % within`, unit: 'ms', target: WITHIN },
      ),
      figureOf(notHeld, { suite: SUITE, name: `${name}, not 201`, unit: '', target: NEVER }),
    ];
  }

  /** Taken on one node; then others ask another node for the same seats. */
  async #refusals(): Promise<Figure[]> {
    const { nodes, load } = this.#cast;
    const half = Math.floor(this.#hall.buyers.length / 2);
    const figures: { rate: number[]; p95: number[]; flushes: number[]; wrong: number[] } = {
      rate: [],
      p95: [],
      flushes: [],
      wrong: [],
    };
    for (let round = 0; round < this.#rounds; round++) {
      const aim = await this.#sale(nodes.on);
      const seatIds = aim.seatIds.slice(0, TAKEN);
      const other = { ...aim, address: nodes.other.address, seatIds };
      // One hold of its own, so that it knows the board and what time it is.
      await this.#welcome(this.#hall.buyers.slice(half));
      await load.distinct({ ...other, seatIds: aim.seatIds.slice(-1) }, 1, this.#lasts_ms);
      await this.#welcome(this.#hall.buyers.slice(0, half));
      await load.distinct({ ...aim, seatIds }, CONNECTIONS, this.#lasts_ms * 5);
      await this.#welcome(this.#hall.buyers.slice(half + 1));
      const before = await flushesOf(other.address);
      const report = await load.distinct(other, CONNECTIONS, this.#lasts_ms * 5);
      const count = countOf(report);
      figures.rate.push(count / report.seconds);
      figures.p95.push(latencyOf(report, 95));
      figures.flushes.push(((await flushesOf(other.address)) - before) / count);
      figures.wrong.push(count - (report.statuses[409] ?? 0));
    }
    const name = 'refusals by another node';
    return [
      figureOf(figures.rate, { suite: SUITE, name, unit: '/s' }),
      figureOf(figures.p95, { suite: SUITE, name: `${name}, 95 % within`, unit: 'ms' }),
      figureOf(figures.flushes, {
        suite: SUITE,
        name: `${name}, flushes for each`,
        unit: '',
        target: { below: 0.01 },
      }),
      figureOf(figures.wrong, { suite: SUITE, name: `${name}, not 409`, unit: '', target: NEVER }),
    ];
  }

  /** An event of its own for every turn, whose board the node has already. */
  async #sale({ address }: { address: string }) {
    const { engine } = this.#bench;
    const { eventId, scope } = await newEvent(engine, this.#hall.stadium);
    const board = await engine.registry.board({ scope, eventId });
    if (!board) throw new Error('the event is on sale');
    await this.#bench.stage.asSuperuser('checkpoint');
    await fetch(`${address}/api/events/${eventId}/availability`);
    return { address, eventId, seatIds: seatIdsOf(board), keys: false };
  }

  async #welcome(users: readonly string[]): Promise<void> {
    const { organizationId } = this.#hall.stadium.scope;
    const secret = this.#bench.stage.services.authSecret;
    await this.#cast.load.crowd({ secret, organizationId, users });
  }
}

function figuresOf(name: string, reports: readonly Turn[]): Figure[] {
  const strange = reports.map((report) => countOf(report) - (report.statuses[201] ?? 0));
  return [
    figureOf(reports.map(rateOf), { suite: SUITE, name: `holds ${name}`, unit: '/s' }),
    ...[50, 95, 99].map((percent) =>
      figureOf(
        reports.map((report) => latencyOf(report, percent)),
        { suite: SUITE, name: `holds ${name}, ${percent} % within`, unit: 'ms' },
      ),
    ),
    figureOf(
      reports.map((report) => (report.server_s * 1e6) / (report.statuses[201] ?? 0)),
      { suite: SUITE, name: `holds ${name}, server time`, unit: 'µs' },
    ),
    figureOf(strange, { suite: SUITE, name: `holds ${name}, not 201`, unit: '', target: NEVER }),
  ];
}

function rateOf(report: LoadReport | undefined): number {
  return report ? (report.statuses[201] ?? 0) / report.seconds : Number.NaN;
}

function countOf({ latencies_ms }: LoadReport): number {
  return latencies_ms.length;
}

function latencyOf({ latencies_ms }: LoadReport, percent: number): number {
  return percentile(
    [...latencies_ms].sort((one, other) => one - other),
    percent,
  );
}

/** How often a node has gone to Postgres with wishes. */
async function flushesOf(address: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith('voelgoed_flush_wishes_count'));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
