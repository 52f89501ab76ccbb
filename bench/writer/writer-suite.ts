import type { EventRef } from '@voelgoed/engine/registry';
import type { Bench } from '#contest';
import { type Figure, figureOf, median, percentile } from '#measure';
import { newEvent, type Stage, secondsBetween } from '#stage';
import type { Fleet } from './fleet.ts';
import type { Round, RoundReport } from './round.ts';

const SUITE = 'writer';
const BUYERS = 64;
/** The prototype's gain over one statement per hold, at one node. */
const GAIN = { above: 2 };

/** What came of one round on all its nodes. */
type Result = Readonly<{
  holds_per_s: number;
  p50_ms: number;
  p99_ms: number;
  /** Processors that the nodes, with their buyers, and Postgres kept busy. */
  node_cpus: number;
  postgres_cpus: number;
  /** Processor time per hold, which a busy machine blurs less than holds per second. */
  node_us: number;
  postgres_us: number;
  wishes_per_flush: number;
  statements: RoundReport['statements'];
}>;

type Load = Readonly<{ kind: Round['kind']; nodes: number; lasts_ms: number }>;

/** Holds per second by the writer and by the reference, turn by turn on the same event. */
export async function writerSuite(bench: Bench, fleet: Fleet, quick: boolean): Promise<Figure[]> {
  const rounds = quick ? 2 : 5;
  const lasts_ms = quick ? 700 : 1_500;
  const results = new Map<string, Result[]>();
  for (let round = -1; round < rounds; round++) {
    bench.tell(round < 0 ? 'warming up' : `round ${round + 1} of ${rounds}`);
    for (const nodes of [1, 2, 3]) {
      const event = await newEvent(bench.engine, bench.stadium);
      for (const [half, kind] of (['writer', 'reference'] as const).entries()) {
        const result = await runLoad(bench, fleet, event, half, { kind, nodes, lasts_ms });
        // The first turn only warms everybody up.
        if (round >= 0) push(results, `${kind} ${nodes}`, result);
      }
    }
  }
  return [1, 2, 3].flatMap((nodes) =>
    figuresFor(
      nodes,
      results.get(`writer ${nodes}`) ?? [],
      results.get(`reference ${nodes}`) ?? [],
    ),
  );
}

/** One round on one half of an event's seats, from a clean start. */
async function runLoad(
  { stage, stadium, users }: Bench,
  fleet: Fleet,
  { scope, eventId }: EventRef,
  half: number,
  { kind, nodes, lasts_ms }: Load,
): Promise<Result> {
  const size = Math.floor(stadium.seats / 2);
  await stage.asSuperuser('checkpoint');
  let before: Awaited<ReturnType<Stage['postgresTimes']>> = new Map();
  const share = { from: half * size, to: (half + 1) * size };
  const where = { organizationId: scope.organizationId, eventId, ...share };
  const round = { kind, ...where, buyers: BUYERS, users, lasts_ms };
  const reports = await fleet.run(nodes, round, async () => {
    before = await stage.postgresTimes();
  });
  const postgres_s = secondsBetween(before, await stage.postgresTimes());
  return resultOf(reports, lasts_ms, postgres_s);
}

function resultOf(reports: readonly RoundReport[], lasts_ms: number, postgres_s: number): Result {
  const latencies = reports.flatMap(({ latencies_ms }) => latencies_ms).sort((a, b) => a - b);
  const seconds = lasts_ms / 1_000;
  const sum = (of: (report: RoundReport) => number) =>
    reports.reduce((total, report) => total + of(report), 0);
  return {
    holds_per_s: latencies.length / seconds,
    p50_ms: percentile(latencies, 50),
    p99_ms: percentile(latencies, 99),
    node_cpus: sum(({ cpu_seconds }) => cpu_seconds) / seconds,
    postgres_cpus: postgres_s / seconds,
    node_us: (sum(({ cpu_seconds }) => cpu_seconds) * 1e6) / latencies.length,
    postgres_us: (postgres_s * 1e6) / latencies.length,
    wishes_per_flush:
      sum(({ wishes }) => wishes) /
      Math.max(
        1,
        sum(({ flushes }) => flushes),
      ),
    statements: reports[0]?.statements ?? {},
  };
}

function figuresFor(
  nodes: number,
  writer: readonly Result[],
  reference: readonly Result[],
): Figure[] {
  const name = `${nodes} node${nodes > 1 ? 's' : ''}`;
  const one = (of: keyof Result & `${string}_${string}`, label: string, unit: string) =>
    [writer, reference].map((results, index) => {
      const values = results.map((result) => Number(result[of]));
      const who = index === 0 ? 'writer' : 'reference';
      const note = of === 'holds_per_s' ? shareOf(results) : '';
      return figureOf(values, { suite: SUITE, name: `${name}, ${who}, ${label}`, unit, note });
    });
  const ratios = writer.map(
    ({ holds_per_s }, index) => holds_per_s / (reference[index]?.holds_per_s ?? Number.NaN),
  );
  return [
    ...one('holds_per_s', 'holds', '/s'),
    ...one('p50_ms', 'half within', 'ms'),
    ...one('p99_ms', '99 % within', 'ms'),
    ...one('node_us', 'node time per hold', 'µs'),
    ...one('postgres_us', 'Postgres time per hold', 'µs'),
    figureOf(ratios, {
      suite: SUITE,
      name: `${name}, writer to reference`,
      unit: 'x',
      ...(nodes === 1 ? { target: GAIN } : {}),
    }),
  ];
}

function shareOf(results: readonly Result[]): string {
  const of = (pick: (result: Result) => number) => median(results.map(pick)).toFixed(1);
  const batch = of(({ wishes_per_flush }) => wishes_per_flush);
  const postgres = of(({ postgres_cpus }) => postgres_cpus);
  const cpus = `processors: nodes ${of(({ node_cpus }) => node_cpus)}, Postgres ${postgres}`;
  return batch === '0.0' ? cpus : `${batch} wishes a flush; ${cpus}`;
}

function push(into: Map<string, Result[]>, name: string, result: Result): void {
  into.set(name, [...(into.get(name) ?? []), result]);
}
