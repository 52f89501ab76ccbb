import { type Aim, type LoadProcess, MAIN_STEP, type Play, type PlayReport } from '#load';
import { percentile, sortedNumbers } from '#measure';
import { processSeconds, type Stage, secondsBetween } from '#stage';
import type { Server } from './bench.ts';

/** What came of one turn. */
export type Turn = Readonly<{
  per_s: number;
  p50_ms: number;
  p95_ms: number;
  p99_ms: number;
  /** Processors that were kept busy. */
  server_cpus: number;
  postgres_cpus: number;
  load_cpus: number;
  /** Processor time for each, which a busy machine blurs less than how many there were. */
  server_us: number;
  postgres_us: number;
  /** Answers that nobody expected, and what all answers were. */
  strange: number;
  statuses: Readonly<Record<string, number>>;
  /** Milliseconds of the requests of each kind, in order. */
  steps: Readonly<Record<string, readonly number[]>>;
}>;

export type TurnLoad = Readonly<{
  aim: Aim;
  play: Play;
  connections: number;
  lasts_ms: number;
  pause_ms?: number;
}>;

type Cast = Readonly<{ stage: Stage; load: LoadProcess; servers: readonly Server[] }>;

/** One server, or several of the same kind, at work. */
export async function takeTurn(
  { stage, load, servers }: Cast,
  { aim, ...options }: TurnLoad,
): Promise<Turn> {
  await stage.asSuperuser('checkpoint');
  const postgres = await stage.postgresTimes();
  const before = await secondsOf(servers);
  const report = await load.play(aim, options);
  const server_s = (await secondsOf(servers)) - before;
  const postgres_s = secondsBetween(postgres, await stage.postgresTimes());
  return turnOf(options.play, report, server_s, postgres_s);
}

async function secondsOf(servers: readonly Server[]): Promise<number> {
  const seconds = await Promise.all(servers.map(({ pid }) => processSeconds(pid)));
  return seconds.reduce((sum, one) => sum + one, 0);
}

export function turnOf(play: Play, report: PlayReport, server_s: number, postgres_s: number): Turn {
  const { seconds, cpu_seconds, statuses } = report;
  const main = MAIN_STEP[play.kind];
  const steps = Object.fromEntries(
    Object.entries(report.steps).map(([name, { latencies_ms }]) => {
      return [name, sortedNumbers(latencies_ms)];
    }),
  );
  const counted = main === null ? sortedNumbers(Object.values(steps).flat()) : (steps[main] ?? []);
  const all = Object.values(report.steps);
  const strange = all.reduce((sum, step) => sum + step.strange, 0);
  const good = counted.length - (main === null ? strange : (report.steps[main]?.strange ?? 0));
  return {
    per_s: good / seconds,
    p50_ms: percentile(counted, 50),
    p95_ms: percentile(counted, 95),
    p99_ms: percentile(counted, 99),
    server_cpus: server_s / seconds,
    postgres_cpus: postgres_s / seconds,
    load_cpus: cpu_seconds / seconds,
    server_us: (server_s * 1e6) / good,
    postgres_us: (postgres_s * 1e6) / good,
    strange,
    statuses,
    steps,
  };
}
