import { systemClock } from '@voelgoed/engine/kit';
import type { Bench } from '#contest';
import type { Hall } from '#halls';
import type { LoadReport } from '#load';
import { type Figure, figureOf, median, percentile, sortedNumbers } from '#measure';
import { readSeries } from '#node';
import { processSeconds } from '#stage';
import { type Cast, startCast } from './cast.ts';

const SUITE = 'redis';
/** Connections are opened and a board of its own is met: from then on it counts. */
const LEAD_MS = 1_000;
const SEATS = 40_000;
const CONNECTIONS = 64;
const OPEN_CONNECTIONS = 5_000;
const HOLDS_PER_S = 1_000;
const ALMOST_AS_FAST = { above: 0.8 };
const WITHIN = { below: 50 };
const NEVER = { below: 0.001 };
/** Taken on one node and asked for on the other. */
const TAKEN = 3_000;

type Turn = LoadReport & Readonly<{ server_s: number }>;
type Place = 'off' | 'on' | 'dying';
const PLACES: readonly Place[] = ['off', 'on', 'dying'];
const NAMES: Readonly<Record<Place, string>> = {
  off: 'without Redis',
  on: 'with Redis',
  dying: 'Redis dies in the middle',
};

export async function redisSuite(bench: Bench, quick: boolean): Promise<Figure[]> {
  const hall = await bench.halls.of(SEATS);
  const cast = await startCast(bench);
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
      this.#bench.tell(round < 0 ? 'warming up' : `round ${round + 1} of ${this.#rounds}`);
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
      ...(await this.#paced('off')),
      ...(await this.#paced('on')),
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

  /** A thousand holds a second, while thousands have their page open. */
  async #paced(place: 'on' | 'off'): Promise<Figure[]> {
    const reports: LoadReport[] = [];
    for (let round = 0; round < this.#rounds; round++) {
      const aim = await this.#sale(this.#cast.nodes[place]);
      const lasts_ms = LEAD_MS + this.#lasts_ms * 2;
      const open = `${OPEN_CONNECTIONS} connections ${NAMES[place]}`;
      this.#bench.tell(`${open}, round ${round + 1} of ${this.#rounds}`);
      const { load } = this.#cast;
      reports.push(await load.paced(aim, OPEN_CONNECTIONS, HOLDS_PER_S, lasts_ms, LEAD_MS));
    }
    const name = `${HOLDS_PER_S} holds/s, ${OPEN_CONNECTIONS} connections, ${NAMES[place]}`;
    const note = `clients kept ${clientsOf(reports).toFixed(1)} processors busy`;
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
      this.#bench.tell(`refusals by another node, round ${round + 1} of ${this.#rounds}`);
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
    const { eventId } = await this.#bench.halls.sale(this.#hall);
    await this.#bench.stage.asSuperuser('checkpoint');
    await fetch(`${address}/api/events/${eventId}/availability`);
    return { address, eventId, seatIds: this.#hall.seatIds, keys: false };
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
    figureOf(reports.map(rateOf), {
      suite: SUITE,
      name: `holds ${name}`,
      unit: '/s',
      note: `clients kept ${clientsOf(reports).toFixed(1)} processors busy`,
    }),
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
  return percentile(sortedNumbers(latencies_ms), percent);
}

/** Processors that the load itself needed, in the middle. */
function clientsOf(reports: readonly LoadReport[]): number {
  return median(reports.map(({ cpu_seconds, seconds }) => cpu_seconds / seconds));
}

/** How often a node has gone to Postgres with wishes. */
async function flushesOf(address: string): Promise<number> {
  const name = 'voelgoed_flush_wishes_count';
  return (await readSeries(address, [name]))[name] ?? 0;
}
